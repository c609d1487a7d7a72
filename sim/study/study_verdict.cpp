#include <fmt/format.h>

#include <algorithm>

#include "sim/report/change.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/study/study_report.hpp"
#include "sim/study/study_values.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

PictureUnit unit_of(const RowField& field) {
  if (field.kind == FieldKind::seconds) return PictureUnit::seconds;
  return field.kind == FieldKind::bytes ? PictureUnit::bytes : PictureUnit::number;
}

std::string spread_text(const Spread& spread, const RowField& field) {
  const PictureUnit unit = unit_of(field);
  std::string text = value_text(spread.median, unit);
  if (spread.least == spread.most) return text;
  return fmt::format("{} ({} to {})", text, value_text(spread.least, unit),
                     value_text(spread.most, unit));
}

std::string shared_settings(const Study& study) {
  const std::vector<std::size_t> axes = axes_of(study);
  const std::vector<std::string> defaults = settings_of(study, Scenario());
  std::vector<std::string> words;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    const std::string& value = study.rows.front().settings[s];
    if (std::find(axes.begin(), axes.end(), s) == axes.end() && value != defaults[s])
      words.push_back(fmt::format("{} {}", study.settings[s], value));
  }
  return join(words, ", ");
}

std::vector<std::string> failures_of(const Study& study) {
  constexpr std::size_t most_shown = 5;
  const std::vector<std::size_t> axes = axes_of(study);
  std::vector<std::string> lines;
  std::size_t failed = 0;
  for (const StudyRow& row : study.rows) {
    if (!row.values.empty() || ++failed > most_shown) continue;
    std::vector<std::string> words;
    for (const std::size_t s : axes)
      if (!row.settings[s].empty())
        words.push_back(fmt::format("{} {}", study.settings[s], row.settings[s]));
    lines.push_back(
        fmt::format("failed: {}{}{}", join(words, ", "), words.empty() ? "" : ": ", row.error));
  }
  if (failed > most_shown) lines.push_back(fmt::format("and {} more failed", failed - most_shown));
  return lines;
}

std::string study_verdict(const Study& study, const GroupedStudy& grouped) {
  const RowField& field = row_fields()[grouped.best];
  const StudyGroup& first = grouped.groups.front();
  const auto best = first.cases.front().spread(grouped.best);
  if (!best) return "no scenario has a result";
  if (grouped.groups.size() == 1 && first.cases.size() == 1)
    return fmt::format("{}: {} {}", case_name(study, grouped, first, first.cases.front()),
                       field.name, spread_text(*best, field));
  const StudyCase& winner = first.cases.front();
  const std::string name = case_name(study, grouped, first, winner);
  std::vector<std::string> tied;
  const StudyGroup* next = nullptr;
  for (const StudyGroup& group : grouped.groups) {
    for (const StudyCase& one : group.cases)
      if (&one != &winner && are_tied(winner, one, grouped.best))
        tied.push_back(case_name(study, grouped, group, one));
    if (next == nullptr && !are_tied(winner, group.cases.front(), grouped.best)) next = &group;
  }
  std::string text =
      tied.empty() ? fmt::format("{} is best by {}", name, field.name)
                   : fmt::format("{} and {} tie by {}", name,
                                 tied.size() == 1 ? tied.front()
                                                  : fmt::format("{} other cases", tied.size()),
                                 field.name);
  text += ": " + spread_text(*best, field);
  if (next == nullptr) return text;
  const auto second = next->cases.front().spread(grouped.best);
  if (!second) return text;
  const Change more = change(best->median, second->median);
  return text + fmt::format("; the next, {}, has {}",
                            case_name(study, grouped, *next, next->cases.front()),
                            more.percent ? amount_text(*more.percent) + " more" : "more");
}

}  // namespace vtopo::detail
