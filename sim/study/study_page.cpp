#include <fmt/format.h>

#include "sim/draw/page/embedded.hpp"
#include "sim/draw/colour_ramp.hpp"
#include "sim/draw/markup.hpp"
#include "sim/study/study_changes.hpp"
#include "sim/study/study_pictures.hpp"
#include "sim/study/study_report.hpp"
#include "sim/study/study_values.hpp"
#include "topology/base/counted.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view own_style =
    "svg { max-width: 100%; height: auto } svg text { fill: var(--text, #1d1f23); "
    "font: 13px system-ui, sans-serif } "
    "svg .value { paint-order: stroke; stroke: var(--ground, #fff); stroke-width: 4px } "
    ".axis { stroke: var(--quiet, #5b6068); fill: none } "
    ".draw { fill: var(--bar, #0072b2); opacity: .6 } "
    ".median { stroke: var(--other, #c24e00); stroke-width: 2.5 }\n";

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'\">\n<meta name=\"generator\" content=\"vtopo\">\n"
      "<title>{}</title>\n<style>\n{}{}{}</style>\n</head>\n<body>\n",
      markup_text(title), page_css, ramp_css(), own_style);
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
                        markup_text(changes_table(study, view, false)));
  text += "<h2>Pictures</h2>\n" +
          figure_of(fmt::format("{}: the best of each pair of settings", metric),
                    study_heat_map(study, grouped)) +
          figure_of(fmt::format("{} over draws: each a point, the median a bar", metric),
                    study_spreads(study, grouped));
  return text + "<script type=\"application/json\" id=\"study\">\n" +
         script_json(render_study_json(study, view)) + "</script>\n</main>\n</body>\n</html>\n";
}

}  // namespace vtopo::detail
