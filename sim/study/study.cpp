#include "sim/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

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

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Number at the start of the text, whose digits are taken away.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// `torus:4x4` before `torus:16x16`.
bool naturally_less(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto first = take_digits(a), second = take_digits(b);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

/// What a volume is worth; absent for other text.
std::optional<double> amount_of(const std::string& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  if (const auto number = parse_number(text)) return number;
  try {
    return parse_bytes(text).value;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// Place of each value among those of its setting.
std::map<std::string, std::size_t> places_of(const Study& study, std::size_t setting) {
  std::map<std::string, std::optional<double>> amounts;
  for (const StudyRow& row : study.rows)
    if (!amounts.contains(row.settings[setting]))
      amounts.emplace(row.settings[setting], amount_of(row.settings[setting]));
  const bool by_amount = std::all_of(amounts.begin(), amounts.end(),
                                     [](const auto& value) { return value.second.has_value(); });
  std::vector<std::string> values;
  values.reserve(amounts.size());
  for (const auto& [value, amount] : amounts) values.push_back(value);
  std::stable_sort(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    return by_amount ? *amounts[a] < *amounts[b] : naturally_less(a, b);
  });
  std::map<std::string, std::size_t> places;
  for (const std::string& value : values) places.emplace(value, places.size());
  return places;
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

void sort_rows(Study& study) {
  std::vector<std::pair<std::vector<std::size_t>, std::size_t>> order(study.rows.size());
  for (std::size_t r = 0; r < order.size(); ++r) order[r].second = r;
  for (const std::size_t axis : axes_of(study)) {
    const auto places = places_of(study, axis);
    for (auto& [key, row] : order) key.push_back(places.at(study.rows[row].settings[axis]));
  }
  std::sort(order.begin(), order.end());
  std::vector<StudyRow> sorted;
  sorted.reserve(order.size());
  for (const auto& [key, row] : order) sorted.push_back(std::move(study.rows[row]));
  study.rows = std::move(sorted);
}

}  // namespace vtopo::detail
