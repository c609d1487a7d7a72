#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/study/study.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr double letter_width = 7.5, cell_width = 84, cell_height = 34, pad = 14;
constexpr std::size_t most_columns = 24, most_strips = 40, longest_label = 44;

std::string label_text(const std::string& text) {
  if (text.empty()) return "none";
  return text.size() <= longest_label ? text : text.substr(0, longest_label) + "...";
}

double width_of(const std::vector<std::string>& labels) {
  std::size_t most = 4;
  for (const std::string& label : labels)
    most = std::max(most, std::min(label.size(), longest_label));
  return letter_width * static_cast<double>(most);
}

/// Values of a setting in the order of the rows.
std::vector<std::string> values_of(const Study& study, std::size_t setting) {
  std::vector<std::string> values;
  for (const StudyRow& row : study.rows)
    if (std::find(values.begin(), values.end(), row.settings[setting]) == values.end())
      values.push_back(row.settings[setting]);
  return values;
}

/// The settings of a heat map: rows of cells, and columns if a second one differs.
struct MapAxes {
  std::size_t row;
  std::optional<std::size_t> column;
};

std::optional<MapAxes> axes_of_map(const Study& study, const GroupedStudy& grouped) {
  std::vector<std::size_t> axes = grouped.group_by;
  std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) {
    return values_of(study, a).size() > values_of(study, b).size();
  });
  axes.insert(axes.end(), grouped.shown.begin(), grouped.shown.end());
  if (axes.empty()) return std::nullopt;
  MapAxes chosen{axes[0], std::nullopt};
  for (std::size_t a = 1; a < axes.size() && !chosen.column; ++a)
    if (values_of(study, axes[a]).size() <= most_columns) chosen.column = axes[a];
  return chosen;
}

/// The least median of all cases that have the values of a cell.
std::optional<double> cell_value(const GroupedStudy& grouped, const MapAxes& axes,
                                 const std::string& row, const std::string& column) {
  std::optional<double> least;
  for (const StudyGroup& group : grouped.groups)
    for (const StudyCase& one : group.cases) {
      if (one.draws.empty() || one.draws.front()->settings[axes.row] != row) continue;
      if (axes.column && one.draws.front()->settings[*axes.column] != column) continue;
      if (const auto spread = one.spread(grouped.best))
        least = std::min(spread->median, least.value_or(spread->median));
    }
  return least;
}

struct Strip {
  std::string name;
  const StudyCase* shown;
  Spread spread;
};

std::vector<Strip> strips_of(const Study& study, const GroupedStudy& grouped) {
  std::vector<Strip> strips;
  for (const StudyGroup& group : grouped.groups)
    for (const StudyCase& one : group.cases) {
      const auto spread = one.spread(grouped.best);
      if (!spread || one.draws.size() < 2 || strips.size() == most_strips) continue;
      std::vector<std::string> words = group.names;
      words.insert(words.end(), one.names.begin(), one.names.end());
      std::erase(words, "");
      strips.push_back({words.empty() ? case_name(study, grouped, group, one) : join(words, ", "),
                        &one, *spread});
    }
  return strips;
}

/// SVG element: the least of the best field over the two axes with the most values, a cell for each
/// pair; of one axis a row of cells. Empty where nothing differs.
std::string study_heat_map(const Study& study, const GroupedStudy& grouped) {
  const auto axes = axes_of_map(study, grouped);
  if (!axes) return "";
  const RowField& field = row_fields()[grouped.best];
  const std::vector<std::string> rows = values_of(study, axes->row);
  const std::vector<std::string> columns =
      axes->column ? values_of(study, *axes->column) : std::vector<std::string>{""};
  std::vector<std::optional<double>> cells;
  std::vector<double> values;
  for (const std::string& row : rows)
    for (const std::string& column : columns) {
      cells.push_back(cell_value(grouped, *axes, row, column));
      values.push_back(cells.back().value_or(0));
    }
  const ValueScale scale = ValueScale::spread(values, unit_of(field));
  std::vector<std::string> words = rows;
  words.push_back(study.settings[axes->row]);
  const double left = pad + width_of(words), count = static_cast<double>(columns.size());
  const double column_room = axes->column ? 0.7 * width_of(columns) + 40 : 24;
  const double top = pad + column_room, right = left + cell_width * count;
  const double bottom = top + cell_height * static_cast<double>(rows.size());
  SvgElement svg(std::max(right + 0.7 * column_room, left + 320) + pad,
                 bottom + 20 + legend_height + pad,
                 fmt::format("{} over {}", field.name, study.settings[axes->row]));
  svg.put_text(left - 8, top - 8, study.settings[axes->row],
               R"~(text-anchor="end" font-weight="bold")~");
  if (axes->column)
    svg.put_text(left, pad + 4, study.settings[*axes->column], R"~(font-weight="bold")~");
  for (std::size_t c = 0; axes->column && c < columns.size(); ++c) {
    const double x = left + cell_width * (static_cast<double>(c) + 0.4);
    svg.put_text(x, top - 8, label_text(columns[c]),
                 fmt::format(R"~(transform="rotate(-35 {:.1f} {:.1f})")~", x, top - 8));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double y = top + cell_height * static_cast<double>(r);
    svg.put_text(left - 8, y + cell_height / 2 + 4, label_text(rows[r]), R"~(text-anchor="end")~");
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& value = cells[r * columns.size() + c];
      if (!value) continue;
      const double x = left + cell_width * static_cast<double>(c);
      svg.put(R"~(<g class="cells"><rect class="l{}" x="{:.1f}" y="{:.1f}" width="{}" )~"
              R"~(height="{}"/></g>)~",
              scale.level(*value), x, y, cell_width - 1, cell_height - 1);
      svg.put_text(x + cell_width / 2, y + cell_height / 2 + 4, value_text(*value, unit_of(field)),
                   R"~(text-anchor="middle" class="value")~");
    }
  }
  put_legend(svg, scale, left, bottom + 20);
  return std::move(svg).text();
}

/// SVG element: for the best cases of each group the values of the best field over the draws, a
/// point each, with the median. Empty where no case has several draws.
std::string study_spreads(const Study& study, const GroupedStudy& grouped) {
  const std::vector<Strip> strips = strips_of(study, grouped);
  if (strips.empty()) return "";
  const RowField& field = row_fields()[grouped.best];
  std::vector<std::string> names;
  double most = 0;
  for (const Strip& strip : strips) {
    names.push_back(strip.name);
    most = std::max(most, strip.spread.most);
  }
  constexpr double wide = 460, pitch = 26;
  const double left = pad + width_of(names) + 8;
  const double bottom = pad + pitch * static_cast<double>(strips.size());
  SvgElement svg(left + wide + 60, bottom + 50, fmt::format("{} over draws", field.name));
  const auto x_of = [&](double value) { return left + (most > 0 ? wide * value / most : 0); };
  for (const double tick : round_ticks(most, unit_of(field), 4)) {
    svg.put(R"~(<path class="axis" stroke-width="0.5" d="M{:.1f} {:.1f}V{:.1f}"/>)~", x_of(tick),
            pad, bottom + 4);
    svg.put_text(x_of(tick), bottom + 20, value_text(tick, unit_of(field)),
                 R"~(text-anchor="middle")~");
  }
  svg.put_text(left + wide / 2, bottom + 40, field.name, R"~(text-anchor="middle")~");
  for (std::size_t s = 0; s < strips.size(); ++s) {
    const double y = pad + pitch * (static_cast<double>(s) + 0.5);
    svg.put_text(left - 8, y + 4, label_text(strips[s].name), R"~(text-anchor="end")~");
    svg.put(R"~(<path class="axis" d="M{:.1f} {:.1f}H{:.1f}"/>)~", x_of(strips[s].spread.least), y,
            x_of(strips[s].spread.most));
    for (const StudyRow* row : strips[s].shown->draws)
      svg.put(R"~(<circle class="draw" r="3.5" cx="{:.1f}" cy="{:.1f}"/>)~",
              x_of(number_of(row->values[grouped.best]).value_or(0)), y);
    svg.put(R"~(<path class="median" d="M{:.1f} {:.1f}v16"/>)~", x_of(strips[s].spread.median),
            y - 8);
  }
  return std::move(svg).text();
}

constexpr std::string_view own_style =
    "svg text { font: 13px system-ui, sans-serif } "
    "svg .value { paint-order: stroke; stroke: var(--ground, #fff); stroke-width: 4px } "
    ".draw { fill: var(--bar, #0072b2); opacity: .6 } "
    ".median { stroke: var(--other, #c24e00); stroke-width: 2.5 }\n";

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n<meta name=\"generator\" content=\"vtopo\">\n"
      "<title>{}</title>\n<style>\n{}{}{}{}</style>\n</head>\n<body>\n",
      markup_text(title), picture_css(), page_css, ramp_css(), own_style);
}

std::string cell_of(std::string_view element, const std::string& text) {
  return fmt::format("<{0}>{1}</{0}>", element, markup_text(text));
}

std::string heading_of(std::string_view name) {
  return fmt::format("<th><span>{}</span></th>", markup_text(name));
}

/// The best case of each group, the best group first.
std::string best_table(const Study& study, const GroupedStudy& grouped) {
  std::vector<std::size_t> settings = grouped.group_by;
  settings.insert(settings.end(), grouped.shown.begin(), grouped.shown.end());
  std::string text = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const std::size_t s : settings) text += heading_of(study.settings[s]);
  constexpr const char* shown[] = {"max_dilation", "hop_bytes", "max_congestion", "makespan"};
  for (const char* name : shown) text += heading_of(name);
  text += "</tr></thead>\n<tbody>\n";
  for (const StudyGroup& group : grouped.groups) {
    const StudyCase& best = group.cases.front();
    text += "<tr>";
    for (const std::string& name : group.names) text += cell_of("td", name);
    for (const std::string& name : best.names) text += cell_of("td", name);
    for (const char* name : shown) {
      const RowField& field = numeric_field(name, "");
      const auto spread = best.spread(field_index(field));
      text += cell_of("td", spread ? spread_text(*spread, field) : "-");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

/// What failed, a line each; empty where nothing did.
std::string failures_list(const Study& study) {
  std::string items;
  for (const std::string& failure : failures_of(study)) items += cell_of("li", failure) + '\n';
  return items.empty() ? items : "<h2>Failed</h2>\n<ul>\n" + items + "</ul>\n";
}

std::string figure_of(std::string_view caption, const std::string& svg) {
  if (svg.empty()) return "";
  return fmt::format(
      "<figure><figcaption>{}</figcaption>\n<div class=\"picture\">{}</div></figure>\n", caption,
      svg);
}

}  // namespace

std::string render_study_page(const Study& study, const StudyView& view) {
  const GroupedStudy grouped = group_study(study, view);
  const std::string_view metric = row_fields()[grouped.best].name;
  const std::string shared = shared_settings(study);
  std::string text = page_head("vtopo: study of " + counted(study.rows.size(), "row"));
  text += fmt::format("<header>\n<h1>Study: {}, {}</h1>\n<p class=\"verdict\">{}</p>\n",
                      counted(study.rows.size(), "row"), counted(grouped.groups.size(), "group"),
                      markup_text(study_verdict(study, grouped)));
  if (!shared.empty()) text += fmt::format("<p class=\"quiet\">{}</p>\n", markup_text(shared));
  text += "</header>\n<main>\n<h2>Best of each group</h2>\n" + best_table(study, grouped) +
          failures_list(study);
  if (has_changes(study))
    text += fmt::format("<h2>Without and with</h2>\n<pre>{}</pre>\n",
                        markup_text(changes_table(study, view)));
  text += "<h2>Pictures</h2>\n" +
          figure_of(fmt::format("{}: the best of each pair of settings", metric),
                    study_heat_map(study, grouped)) +
          figure_of(fmt::format("{} over draws: each a point, the median a bar", metric),
                    study_spreads(study, grouped));
  return text + "<script type=\"application/json\" id=\"study\">\n" +
         script_json(render_study_json(study, view)) + "</script>\n</main>\n</body>\n</html>\n";
}

}  // namespace vtopo::detail
