#include <fmt/format.h>

#include <algorithm>

#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/study/study.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// A case without and with the change.
struct ChangedCase {
  const StudyGroup* group;  ///< of the case without
  const StudyCase* before;
  const StudyCase* after;  ///< null: failed in every draw, or not there
};

bool equal_but_change(const StudyRow& a, const StudyRow& b,
                      const std::vector<std::size_t>& settings) {
  return std::all_of(settings.begin(), settings.end(),
                     [&](std::size_t s) { return a.settings[s] == b.settings[s]; });
}

/// Settings that the change sets: those in which rows with it differ from rows without. The row of
/// a scenario that failed has all its mappers.
std::vector<std::string> changed_settings(const Study& study) {
  const std::size_t mapper = study.setting("mapper");
  std::vector<std::string> names;
  for (const std::size_t axis : axes_of(study)) {
    std::vector<std::string> sides[2];
    for (const StudyRow& row : study.rows)
      if (axis != mapper || !row.values.empty())
        sides[row.settings.front() == with_change ? 1 : 0].push_back(row.settings[axis]);
    if (axis == mapper && (sides[0].empty() || sides[1].empty())) continue;
    for (auto& side : sides) {
      std::sort(side.begin(), side.end());
      side.erase(std::unique(side.begin(), side.end()), side.end());
    }
    if (axis > 0 && sides[0] != sides[1]) names.push_back(study.settings[axis]);
  }
  return names;
}

/// The settings of the study that tell its cases apart, but for the change.
std::vector<std::size_t> case_settings(const GroupedStudy& grouped) {
  std::vector<std::size_t> settings = grouped.group_by;
  settings.insert(settings.end(), grouped.shown.begin(), grouped.shown.end());
  std::erase(settings, std::size_t{0});
  return settings;
}

std::vector<ChangedCase> changed_cases(const GroupedStudy& grouped,
                                       const std::vector<std::size_t>& settings) {
  std::vector<ChangedCase> list;
  for (const StudyGroup& group : grouped.groups)
    for (const StudyCase& before : group.cases) {
      if (before.draws.empty() || before.draws.front()->settings.front() != without_change)
        continue;
      list.push_back({&group, &before, nullptr});
      for (const StudyGroup& other : grouped.groups)
        for (const StudyCase& after : other.cases)
          if (!after.draws.empty() && after.draws.front()->settings.front() == with_change &&
              equal_but_change(*before.draws.front(), *after.draws.front(), settings))
            list.back().after = &after;
    }
  return list;
}

std::optional<Spread> after_of(const ChangedCase& changed, std::size_t field) {
  return changed.after == nullptr ? std::nullopt : changed.after->spread(field);
}

void append_change(std::size_t field, bool drawn, const std::vector<ChangedCase>& cases,
                   std::vector<TextColumn>& columns) {
  std::vector<double> values;
  for (const ChangedCase& changed : cases) {
    if (const auto before = changed.before->spread(field)) values.push_back(before->median);
    if (const auto after = after_of(changed, field))
      values.insert(values.end(), {after->median, after->most});
  }
  if (values.empty()) return;
  const RowField& info = row_fields()[field];
  const ColumnScale scale = info.kind == FieldKind::bytes ? byte_scale(values) : time_scale(values);
  const std::string group = fmt::format("{}, {}", info.words, scale.unit());
  TextColumn before{group, "without", {}}, after{group, "with", {}}, more{group, "change", {}},
      worst{group, "worst", {}};
  for (const ChangedCase& changed : cases) {
    const auto first = changed.before->spread(field), second = after_of(changed, field);
    before.cells.push_back(scale.cell(first ? std::optional(first->median) : std::nullopt));
    after.cells.push_back(scale.cell(second ? std::optional(second->median) : std::nullopt));
    worst.cells.push_back(first && second ? signed_text(change(first->median, second->most)) : "-");
    more.cells.push_back(first && second ? signed_text(change(first->median, second->median))
                                         : "-");
  }
  columns.insert(columns.end(), {before, after, more});
  if (drawn) columns.push_back(worst);
}

std::string change_sentence(const GroupedStudy& grouped, const std::vector<ChangedCase>& cases,
                            bool drawn) {
  const RowField& field = row_fields()[grouped.best];
  const auto least = [&](auto value_of) {
    std::optional<double> result;
    for (const ChangedCase& changed : cases)
      if (const auto value = value_of(changed)) result = std::min(*value, result.value_or(*value));
    return result;
  };
  const auto before = least([&](const ChangedCase& changed) -> std::optional<double> {
    const auto spread = changed.before->spread(grouped.best);
    return spread ? std::optional(spread->median) : std::nullopt;
  });
  const auto after = least([&](const ChangedCase& changed) -> std::optional<double> {
    const auto spread = after_of(changed, grouped.best);
    return spread ? std::optional(spread->median) : std::nullopt;
  });
  if (!before || !after) return "no case has a result on both sides";
  const PictureUnit unit = unit_of(field);
  return fmt::format("the best of each side by {}: {} without -> {} with, {}{}", field.words,
                     value_text(*before, unit), value_text(*after, unit),
                     signed_text(change(*before, *after)), drawn ? " (median)" : "");
}

constexpr std::size_t most_lines = 60;

/// A line of the table.
struct TableLine {
  const StudyGroup* group;
  const StudyCase* shown;
  bool is_best;  ///< of its group
};

/// All cases, or the best ones where those would be too many.
std::vector<TableLine> lines_of(const GroupedStudy& grouped) {
  std::size_t count = 0;
  for (const StudyGroup& group : grouped.groups) count += group.cases.size();
  const bool all = count <= most_lines;
  std::vector<TableLine> lines;
  for (const StudyGroup& group : grouped.groups)
    for (std::size_t c = 0; c < (all ? group.cases.size() : 1); ++c)
      lines.push_back(
          {&group, &group.cases[c],  // one that failed is not the best of anything
           c == 0 && group.cases.size() > 1 && group.cases[c].spread(grouped.best).has_value()});
  return lines;
}

template <class Cell>
TextColumn column_of(const std::vector<TableLine>& lines, std::string group, std::string heading,
                     Cell cell, Align align = Align::right) {
  TextColumn column{std::move(group), std::move(heading), {}, align};
  for (const TableLine& line : lines) column.cells.push_back(cell(line));
  return column;
}

/// `-` where the setting is not there.
std::string setting_cell(const std::string& value) {
  return value.empty() ? "-" : value;
}

void append_settings(const Study& study, const GroupedStudy& grouped,
                     const std::vector<TableLine>& lines, std::vector<TextColumn>& columns) {
  for (std::size_t s = 0; s < grouped.group_by.size(); ++s)
    columns.push_back(column_of(
        lines, "", study.settings[grouped.group_by[s]],
        [&](const TableLine& line) { return setting_cell(line.group->names[s]); }, Align::left));
  for (std::size_t s = 0; s < grouped.shown.size(); ++s)
    columns.push_back(column_of(
        lines, "", study.settings[grouped.shown[s]],
        [&](const TableLine& line) { return setting_cell(line.shown->names[s]); }, Align::left));
  if (columns.empty())
    columns.push_back(column_of(
        lines, "", "case", [](const TableLine&) { return std::string("all"); }, Align::left));
  for (std::size_t line = 0; line < lines.size(); ++line)
    if (lines[line].is_best) columns.back().cells[line] += " *";
  if (grouped.draws > 1)
    columns.push_back(column_of(lines, "", "draws", [](const TableLine& line) {
      const std::size_t draws = line.shown->draws.size(), failed = line.shown->failed;
      return failed == 0 ? fmt::format("{}", draws)
                         : fmt::format("{} of {}", draws, draws + failed);
    }));
}

ColumnScale scale_of(FieldKind kind, const std::vector<double>& values) {
  if (kind == FieldKind::bytes) return byte_scale(values);
  if (kind == FieldKind::seconds) return time_scale(values);
  return {"", 1, values};
}

/// Whether draws of a case differ in a field.
bool is_drawn(const std::vector<TableLine>& lines, std::size_t field) {
  return std::any_of(lines.begin(), lines.end(), [&](const TableLine& line) {
    const auto spread = line.shown->spread(field);
    return spread && spread->least != spread->most;
  });
}

/// Cases of several groups against the baseline of their own.
void append_baselines(const GroupedStudy& grouped, const std::vector<TableLine>& lines,
                      std::vector<TextColumn>& columns) {
  std::string heading;
  for (const StudyGroup& group : grouped.groups)
    if (const StudyCase* baseline = group.baseline()) {
      const std::string own = "vs " + join(baseline->names, ", ");
      heading = heading.empty() || heading == own ? own : "vs own";
    }
  if (heading.empty() || grouped.groups.size() == 1) return;
  columns.push_back(column_of(lines, columns.back().group, heading, [&](const TableLine& line) {
    const StudyCase* baseline = line.group->baseline();
    if (baseline == nullptr || baseline == line.shown) return std::string("-");
    const auto before = baseline->spread(grouped.best), after = line.shown->spread(grouped.best);
    return before && after ? signed_text(change(before->median, after->median)) : std::string("-");
  }));
}

/// The median of a field, and what it spreads over if it is the one that decides.
void append_field(const GroupedStudy& grouped, std::size_t field,
                  const std::vector<TableLine>& lines, std::vector<TextColumn>& columns) {
  std::vector<double> values;
  for (const TableLine& line : lines)
    if (const auto spread = line.shown->spread(field))
      values.insert(values.end(), {spread->median, spread->least, spread->most});
  if (values.empty()) return;
  const RowField& info = row_fields()[field];
  const ColumnScale scale = scale_of(info.kind, values);
  const auto add = [&](std::string heading, double Spread::*part) {
    columns.push_back(
        column_of(lines, std::string(info.words), std::move(heading), [&](const TableLine& line) {
          const auto spread = line.shown->spread(field);
          return scale.cell(spread ? std::optional(*spread.*part) : std::nullopt);
        }));
  };
  add(scale.unit(), &Spread::median);
  if (field != grouped.best) return;
  if (is_drawn(lines, field)) {
    columns.back().heading += columns.back().heading.empty() ? "median" : ", median";
    add("least", &Spread::least);
    add("most", &Spread::most);
  }
  const auto best = grouped.groups.front().cases.front().spread(field);
  columns.push_back(
      column_of(lines, std::string(info.words), "vs best", [&](const TableLine& line) {
        const auto spread = line.shown->spread(field);
        if (!spread || !best) return std::string("-");
        return signed_text(change(best->median, spread->median));
      }));
  append_baselines(grouped, lines, columns);
}

/// Width of the columns as they are, with two blanks between them.
std::size_t natural_width(const std::vector<TextColumn>& columns) {
  std::size_t width = 0;
  for (const TextColumn& column : columns) {
    const bool is_alone = std::count_if(columns.begin(), columns.end(), [&](const auto& other) {
                            return other.group == column.group;
                          }) == 1;
    std::size_t widest =
        std::max(text_width(column.heading), is_alone ? text_width(column.group) : 0);
    for (const std::string& cell : column.cells) widest = std::max(widest, text_width(cell));
    width += widest + 2;
  }
  return width - std::min<std::size_t>(width, 2);
}

/// Without "vs best" where the table is too wide with it and with the baselines of the groups.
void drop_best_if_wide(std::size_t width, std::vector<TextColumn>& columns) {
  const auto best = std::find_if(columns.begin(), columns.end(), [](const TextColumn& column) {
    return column.heading == "vs best";
  });
  const bool has_baselines = best != columns.end() && std::next(best) != columns.end() &&
                             std::next(best)->heading.starts_with("vs ");
  if (has_baselines && natural_width(columns) > width) columns.erase(best);
}

/// Those of the style, or hop-bytes, busiest link and simulated time, and what decides.
std::vector<const RowField*> shown_fields(const GroupedStudy& grouped, const TableStyle& style) {
  std::vector<const RowField*> fields = fields_of_columns(
      style.columns.empty() ? "hop_bytes,max_congestion,makespan" : style.columns);
  std::erase_if(fields, [](const RowField* field) { return field->kind == FieldKind::text; });
  const RowField* best = &row_fields()[grouped.best];
  if (std::find(fields.begin(), fields.end(), best) == fields.end()) fields.push_back(best);
  return fields;
}

std::string shared_line(const Study& study, const TextStyle& style) {
  const std::string shared = shared_settings(study);
  return shared.empty() ? "" : key_line("shared", key_width, shared, style.width);
}

std::string head_of(const Study& study, const GroupedStudy& grouped, const TextStyle& style) {
  std::vector<std::string> names;
  for (const std::size_t s : grouped.group_by) names.push_back(study.settings[s]);
  const bool has_best = std::any_of(grouped.groups.begin(), grouped.groups.end(),
                                    [](const StudyGroup& group) { return group.cases.size() > 1; });
  const std::string star =
      has_best ? fmt::format("; * best of its group by {}", row_fields()[grouped.best].words) : "";
  return key_line("study", key_width,
                  fmt::format("{}, {}{}{}", counted(study.rows.size(), "row"),
                              counted(grouped.groups.size(), "group"),
                              names.empty() ? "" : " by " + join(names, ", "), star),
                  style.width) +
         shared_line(study, style) + '\n';
}

}  // namespace

bool has_changes(const Study& study) {
  return study.settings.front() == change_setting;
}

std::string changes_table(const Study& study, const StudyView& view, const TableStyle& style) {
  const Ink ink{style.colour};
  const auto broken = [&](const std::string& text) { return folded(text, style.width); };
  StudyView by_change = view;
  const std::vector<std::string> changed = changed_settings(study);
  by_change.over.insert(by_change.over.end(), changed.begin(), changed.end());
  const GroupedStudy grouped = group_study(study, by_change);
  const std::vector<std::size_t> settings = case_settings(grouped);
  const std::vector<ChangedCase> cases = changed_cases(grouped, settings);
  if (cases.empty()) return "no scenario without the change has a result\n";
  std::vector<TextColumn> columns;
  for (const std::size_t s : settings) {
    columns.push_back({"", study.settings[s], {}, Align::left});
    for (const ChangedCase& one : cases)
      columns.back().cells.push_back(one.before->draws.front()->settings[s]);
  }
  const bool drawn = grouped.draws > 1;
  if (drawn) {
    columns.push_back({"", "draws", {}});
    for (const ChangedCase& one : cases)
      columns.back().cells.push_back(
          fmt::format("{}", one.after == nullptr ? 0 : one.after->draws.size()));
  }
  const std::vector<const RowField*> fields = fields_of_columns(
      style.columns.empty() ? "hop_bytes,max_congestion,makespan" : style.columns);
  for (const RowField* field : fields)
    if (field->is_compared) append_change(field_index(*field), drawn, cases, columns);
  std::string text = key_line("change", key_width, join(changed, ", "), style.width);
  text += shared_line(study, style) + '\n' + text_table(columns, {style});
  text += ink.dim(broken(
              fmt::format("{}; each side is mapped by itself; {}",
                          drawn ? "with: median over the draws; worst: the draw with the most"
                                : "change: from without to with",
                          legend_of(fields)))) +
          '\n';
  std::size_t failed = 0;
  for (const StudyRow& row : study.rows) failed += row.values.empty() ? std::size_t{1} : 0;
  if (failed > 0)
    text += broken(
        fmt::format("{} failed, such as: {}\n", counted(failed, "scenario"),
                    std::find_if(study.rows.begin(), study.rows.end(), [](const StudyRow& row) {
                      return row.values.empty();
                    })->error));
  return text + '\n' + ink.bold(broken(change_sentence(grouped, cases, drawn))) + '\n';
}

std::string render_study_table(const Study& study, const StudyView& view, const TableStyle& style) {
  if (has_changes(study)) return changes_table(study, view, style);
  const Ink ink{style.colour};
  const auto broken = [&](const std::string& text) { return folded(text, style.width); };
  const GroupedStudy grouped = group_study(study, view);
  const std::vector<TableLine> lines = lines_of(grouped);
  std::vector<TextColumn> columns;
  append_settings(study, grouped, lines, columns);
  const std::vector<const RowField*> fields = shown_fields(grouped, style);
  for (const RowField* field : fields) append_field(grouped, field_index(*field), lines, columns);
  drop_best_if_wide(style.width, columns);
  std::string text = head_of(study, grouped, style) + text_table(columns, {style, 0, 0});
  text += ink.dim(broken(legend_of(fields))) + '\n';
  std::size_t cases = 0;
  for (const StudyGroup& group : grouped.groups) cases += group.cases.size();
  if (cases > lines.size())
    text +=
        ink.dim(fmt::format("{} cases: only the best of each group is shown; CSV has all", cases)) +
        '\n';
  for (const std::string& failure : failures_of(study)) text += broken(failure) + '\n';
  return text + '\n' + ink.bold(broken(study_verdict(study, grouped))) + '\n';
}

}  // namespace vtopo::detail
