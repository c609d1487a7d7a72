#include "sim/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Those that no machine decides; what takes an option back is a value of that option.
bool is_setting(const ScenarioOption& option) {
  return !option.of_machine && option.negates.empty();
}

std::string setting_text(const Scenario& scenario, const ScenarioOption& option) {
  std::string text = join(option.texts(scenario), " ");
  for (const ScenarioOption& other : scenario_options())
    if (other.negates == option.name && !other.texts(scenario).empty()) return "false";
  return text;
}

/// What the row of the mapper would be called; as written where a plugin is needed to know. Empty
/// of several mappers: the failure is of none of them.
std::string failed_label(const std::string& mappers) {
  try {
    const std::vector<MapperSpec> specs = parse_mappers(mappers);
    return specs.size() == 1 ? row_label(specs.front()) : std::string();
  } catch (const UsageError&) {
    return mappers;
  }
}

}  // namespace

std::size_t Study::setting(std::string_view name) const {
  const auto at = std::find(settings.begin(), settings.end(), name);
  if (at != settings.end()) return static_cast<std::size_t>(at - settings.begin());
  throw UsageError(fmt::format("unknown setting \"{}\"; accepted: {}{}", name, join(settings, ", "),
                               suggestion(name, settings)));
}

Study make_study(bool has_changes) {
  Study study;
  if (has_changes) study.settings.emplace_back(change_setting);
  for (const ScenarioOption& option : scenario_options())
    if (is_setting(option)) study.settings.emplace_back(option.name);
  return study;
}

std::vector<std::string> settings_of(const Study& study, const Scenario& scenario,
                                     std::string_view change) {
  std::vector<std::string> values;
  if (study.settings.front() == change_setting) values.emplace_back(change);
  for (const ScenarioOption& option : scenario_options())
    if (is_setting(option)) values.push_back(setting_text(scenario, option));
  return values;
}

void add_report(Study& study, const std::vector<std::string>& settings, const Report& report) {
  const std::size_t mapper = study.setting("mapper");
  for (const Row& row : report.rows) {
    StudyRow added{settings, {}, {}, 0};
    added.settings[mapper] = row.mapper;
    for (const RowField& field : row_fields()) added.values.push_back(field.value(row));
    study.rows.push_back(std::move(added));
  }
}

void add_failure(Study& study, const std::vector<std::string>& settings, std::string sentence,
                 int exit_code) {
  study.rows.push_back({settings, {}, std::move(sentence), exit_code});
  std::string& mapper = study.rows.back().settings[study.setting("mapper")];
  mapper = failed_label(mapper);
}

std::vector<std::size_t> axes_of(const Study& study) {
  std::vector<std::size_t> axes;
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    if (std::any_of(study.rows.begin(), study.rows.end(), [&](const StudyRow& row) {
          return row.settings[s] != study.rows.front().settings[s];
        }))
      axes.push_back(s);
  return axes;
}

}  // namespace vtopo::detail
