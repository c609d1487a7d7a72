#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sim/draw/value_scale.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/report/change.hpp"
#include "sim/run/decide.hpp"
#include "sim/study/study.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

std::vector<std::size_t> indices(const Study& study, const std::vector<std::string>& names) {
  std::vector<std::size_t> result;
  result.reserve(names.size());
  for (const std::string& name : names) result.push_back(study.setting(name));
  return result;
}

bool contains(const std::vector<std::size_t>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::vector<std::string> values_at(const StudyRow& row, const std::vector<std::size_t>& settings) {
  std::vector<std::string> values;
  values.reserve(settings.size());
  for (const std::size_t s : settings) values.push_back(row.settings[s]);
  return values;
}

/// The field of the measure that all scenarios ask for by `--objective`; nothing if they differ, or
/// ask for time or a sum.
std::optional<std::string> field_of_objective(const Study& study) {
  const std::size_t objective = study.setting("objective");
  const std::string& text = study.rows.front().settings[objective];
  const bool is_shared =
      std::all_of(study.rows.begin(), study.rows.end(),
                  [&](const StudyRow& row) { return row.settings[objective] == text; });
  if (text.empty() || !is_shared) return std::nullopt;
  const Objective asked = parse_objective(text);
  if (asked.time != TimeFirst::no || asked.sums.front().size() > 1) return std::nullopt;
  std::string field = first_measure(asked).name;
  std::replace(field.begin(), field.end(), '-', '_');
  return field;
}

/// Whether the hops of a network are known, but not its links: no time of it says anything.
bool has_hops_alone(const Study& study) {
  return std::any_of(study.rows.begin(), study.rows.end(),
                     [](const StudyRow& row) { return row.by_hop_bytes; });
}

/// Of the objective or, without one, the time that every row has, if nobody asked for a field.
const RowField& best_field(const Study& study, const std::string& asked) {
  if (!asked.empty()) return numeric_field(asked, "--best");
  if (const auto field = field_of_objective(study)) return numeric_field(*field, "--objective");
  if (has_hops_alone(study)) return numeric_field("hop_bytes", "--best");
  const RowField& makespan = numeric_field("makespan", "--best");
  const std::size_t index = field_index(makespan);
  const bool simulated = std::all_of(
      study.rows.begin(), study.rows.end(),
      [&](const StudyRow& row) { return row.values.empty() || number_of(row.values[index]); });
  return simulated ? makespan : numeric_field("max_congestion", "--best");
}

/// Of the time by which the verdict on a report decides.
double noise_of(const StudyCase& one, std::size_t field) {
  const std::string_view name = row_fields()[field].name;
  if (name != "makespan" && name != "max_congestion") return 0;
  double noise = 0;
  for (const StudyRow* row : one.draws) noise = std::max(noise, row->noise);
  return noise;
}

double rank_of(const StudyCase& one, std::size_t field) {
  const auto spread = one.spread(field);
  return spread ? spread->median : std::numeric_limits<double>::infinity();
}

/// The best in front, of those that tie the one with the fewest hop-bytes; the rest by the field.
/// @param case_of what decides of each.
template <class Item, class CaseOf>
void best_first(std::vector<Item>& items, std::size_t field, CaseOf case_of) {
  static const std::size_t hop_bytes = field_index(numeric_field("hop_bytes", ""));
  std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    return rank_of(case_of(a), field) < rank_of(case_of(b), field);
  });
  const auto first_behind = std::find_if(items.begin(), items.end(), [&](const Item& item) {
    return !are_tied(case_of(items.front()), case_of(item), field);
  });
  const auto best =
      std::min_element(items.begin(), first_behind, [&](const Item& a, const Item& b) {
        return rank_of(case_of(a), hop_bytes) < rank_of(case_of(b), hop_bytes);
      });
  std::rotate(items.begin(), best, best + 1);
}

/// The element of a list with these names, made if there is none.
template <class Named>
Named& named(std::vector<Named>& list, const std::vector<std::string>& names,
             std::map<std::vector<std::string>, std::size_t>& known) {
  const auto [at, is_new] = known.try_emplace(names, list.size());
  if (is_new) list.push_back(Named{names, {}});
  return list[at->second];
}

void put_rows(const Study& study, GroupedStudy& grouped) {
  std::map<std::vector<std::string>, std::size_t> groups;
  std::map<std::vector<std::string>, std::map<std::vector<std::string>, std::size_t>> cases;
  for (const StudyRow& row : study.rows) {
    const auto group_names = values_at(row, grouped.group_by);
    StudyGroup& group = named(grouped.groups, group_names, groups);
    StudyCase& one = named(group.cases, values_at(row, grouped.shown), cases[group_names]);
    if (row.values.empty())
      ++one.failed;
    else
      one.draws.push_back(&row);
    grouped.draws = std::max(grouped.draws, one.draws.size());
  }
}

}  // namespace

std::optional<Spread> StudyCase::spread(std::size_t field) const {
  std::vector<double> values;
  for (const StudyRow* row : draws) {
    const auto value = number_of(row->values[field]);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t upper = values.size() / 2, lower = (values.size() - 1) / 2;
  return Spread{(values[lower] + values[upper]) / 2, values.front(), values.back()};
}

const StudyCase* StudyGroup::baseline() const {
  const auto found = std::find_if(cases.begin(), cases.end(), [](const StudyCase& one) {
    return !one.draws.empty() && std::all_of(one.draws.begin(), one.draws.end(),
                                             [](const StudyRow* row) { return row->is_baseline; });
  });
  return found == cases.end() || cases.size() == 1 ? nullptr : &*found;
}

bool are_tied(const StudyCase& least, const StudyCase& other, std::size_t field) {
  return is_tie(rank_of(least, field), rank_of(other, field),
                std::max(noise_of(least, field), noise_of(other, field)));
}

GroupedStudy group_study(const Study& study, const StudyView& view) {
  GroupedStudy grouped;
  grouped.best = field_index(best_field(study, view.best));
  const std::vector<std::size_t> over = indices(study, view.over);
  const std::size_t mapper = study.setting("mapper");
  grouped.group_by = indices(study, view.group_by);
  for (const std::size_t axis : axes_of(study)) {
    if (contains(over, axis) || contains(grouped.group_by, axis)) continue;
    const bool groups = view.group_by.empty() && axis != mapper;
    (groups ? grouped.group_by : grouped.shown).push_back(axis);
  }
  put_rows(study, grouped);
  for (StudyGroup& group : grouped.groups)
    best_first(group.cases, grouped.best,
               [](const StudyCase& one) -> const StudyCase& { return one; });
  best_first(grouped.groups, grouped.best,
             [](const StudyGroup& group) -> const StudyCase& { return group.cases.front(); });
  return grouped;
}

std::string case_name(const Study& study, const GroupedStudy& grouped, const StudyGroup& group,
                      const StudyCase& shown) {
  std::vector<std::string> words;
  const auto add = [&](const std::vector<std::size_t>& settings,
                       const std::vector<std::string>& values) {
    for (std::size_t s = 0; s < settings.size(); ++s)
      if (values[s].empty())
        words.push_back("no " + study.settings[settings[s]]);
      else
        words.push_back(fmt::format("{} {}", study.settings[settings[s]], values[s]));
  };
  add(grouped.group_by, group.names);
  add(grouped.shown, shown.names);
  return words.empty() ? "the only case" : join(words, ", ");
}

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
                       field.words, spread_text(*best, field));
  const StudyCase& winner = first.cases.front();
  const std::string name = case_name(study, grouped, first, winner);
  std::vector<std::string> tied;
  double noise = 0;  // of ties that are none without it
  const StudyGroup* next = nullptr;
  for (const StudyGroup& group : grouped.groups) {
    for (const StudyCase& one : group.cases)
      if (&one != &winner && are_tied(winner, one, grouped.best)) {
        tied.push_back(case_name(study, grouped, group, one));
        if (!is_tie(rank_of(winner, grouped.best), rank_of(one, grouped.best), 0))
          noise = std::max({noise, noise_of(winner, grouped.best), noise_of(one, grouped.best)});
      }
    if (next == nullptr && !are_tied(winner, group.cases.front(), grouped.best)) next = &group;
  }
  std::string text =
      tied.empty() ? fmt::format("{} is best by {}", name, field.words)
                   : fmt::format("{} and {} tie by {}", name,
                                 tied.size() == 1 ? tied.front()
                                                  : fmt::format("{} other cases", tied.size()),
                                 field.words);
  if (noise > 0) text += fmt::format(", no difference above noise ({})", share_text(noise));
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
