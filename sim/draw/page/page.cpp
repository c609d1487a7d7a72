#include "sim/draw/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/draw/markup.hpp"
#include "sim/draw/report_figures.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/report/change.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/sensitivity.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_drawn_rows = 6;

/// What the baseline is compared with at first: the best row; if that is the baseline, the next
/// one.
std::size_t compared_row(const Report& report) {
  const std::size_t before = report.verdict.baseline;
  for (const std::size_t row : sorted_rows(report))
    if (row != before) return row;
  return before;
}

/// `hop_bytes 15.8 GiB -> 5.98 GiB, -62 %`: a quantity under the baseline and under another row.
/// @param key of the quantity in the JSON report.
std::string tile(std::string_view name, std::string_view key, PictureUnit unit, double before,
                 double after) {
  return fmt::format(
      "<li data-key=\"{}\" data-name=\"{}\" data-unit=\"{}\">{}<b>{}</b><span class=\"quiet\">{} "
      "\xE2\x86\x92 {}</span></li>\n",
      key, name, unit == PictureUnit::bytes ? "bytes" : "seconds", name,
      signed_text(change(before, after)), value_text(before, unit), value_text(after, unit));
}

std::string tiles(const Report& report) {
  if (report.rows.size() < 2) return "";
  const Row& before = report.rows[report.verdict.baseline];
  const Row& after = report.rows[compared_row(report)];
  std::string text = "<ul class=\"tiles\">\n";
  text += tile("hop-bytes", "hop_bytes", PictureUnit::bytes, before.metrics.hop_bytes.value,
               after.metrics.hop_bytes.value);
  text += tile("time on the busiest link", "max_congestion", PictureUnit::seconds,
               before.metrics.max_congestion.value, after.metrics.max_congestion.value);
  if (before.simulation && after.simulation)
    text += tile("simulated time", "makespan", PictureUnit::seconds,
                 before.simulation->makespan.value, after.simulation->makespan.value);
  return text + "</ul>\n";
}

std::string title(const Report& report) {
  return title_words(report.guest) + " on " + title_words(report.network);
}

/// Lines of a text as parts of a sentence.
std::string in_one_line(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = c == '\n' || c == ' ';
    if (c == '\n' && !result.empty() && result.back() != ':') result += ';';
    if (!is_blank)
      result += c;
    else if (!result.ends_with(' '))
      result += ' ';
  }
  while (result.ends_with(' ') || result.ends_with(';')) result.pop_back();
  return result;
}

std::string header(const Report& report) {
  const std::size_t before = report.verdict.baseline, after = compared_row(report);
  std::string text = fmt::format("<header>\n<h1>{}</h1>\n<p class=\"verdict\">{}</p>\n",
                                 markup_text(title(report)), markup_text(verdict(report)));
  if (report.sensitivity)
    text += fmt::format("<p>{}</p>\n", markup_text(describe(*report.sensitivity)));
  if (report.rows.size() > 1)
    text +=
        fmt::format("<p class=\"quiet pair\">From {} (before) to {} (after):</p>\n",
                    markup_text(row_name(report, before)), markup_text(row_name(report, after)));
  text += tiles(report);
  text += "<dl class=\"facts\">\n";
  for (const auto& [key, value] : head_facts(report)) text += page_fact(key, value);
  text += page_fact("clock", in_one_line(simulation_text(report)));
  if (report.rows.size() > 1)
    text += page_fact("to gain", row_name(report, report.verdict.best) + ": " +
                                     bounds_text(report.rows[report.verdict.best]));
  for (const std::string& assumption : report.assumptions) text += page_fact("assumes", assumption);
  return text + "</dl>\n</header>\n";
}

std::string choice(const Report& report, const ReportFigures& figures, std::string_view id,
                   std::size_t chosen) {
  std::string text = fmt::format("<label>{0} <select id=\"{0}\">", id);
  for (const RowFigures& row : figures.rows)
    text +=
        fmt::format("<option value=\"{}\"{}>{}</option>", row.row,
                    row.row == chosen ? " selected" : "", markup_text(row_name(report, row.row)));
  return text + "</select></label>\n";
}

std::string rank_choice(const Report& report) {
  return fmt::format(
      "<label>rank <input id=\"rank\" type=\"number\" min=\"0\" max=\"{}\" "
      "placeholder=\"none\"></label>\n",
      report.rows.front().ranks - 1);
}

std::string controls(const Report& report, const ReportFigures& figures) {
  if (figures.rows.size() < 2) return "";
  std::string text = "<div class=\"controls\" hidden>\n";
  const std::size_t before = report.verdict.baseline;
  const std::size_t after = compared_row(report);
  text += choice(report, figures, "before", before) + choice(report, figures, "after", after);
  text +=
      "<label>show <select id=\"view\"><option value=\"both\">side by side</option>"
      "<option value=\"difference\">difference, after less before</option></select></label>\n";
  text += rank_choice(report);
  text += "</div>\n";
  if (figures.rows.size() < report.rows.size())
    text += fmt::format("<p class=\"note\">Drawn: {} of {} mappers.</p>\n", figures.rows.size(),
                        report.rows.size());
  return text;
}

/// Why a schedule or a trace has no timeline of ranks; nothing if it has one.
std::string no_timeline(const Report& report, const PictureSource& source) {
  const auto& rows = report.rows;
  const auto simulated = std::find_if(rows.begin(), rows.end(),
                                      [](const Row& row) { return row.simulation.has_value(); });
  if (simulated == rows.end() || simulated->clock == "burst") return "";
  for (const RowPictures& row : source.rows())
    if (!row.timeline.is_empty()) return "";
  return fmt::format("<p class=\"note\">No timeline of ranks: {}.</p>\n",
                     simulated->solver == "simgrid"
                         ? "the clock of SimGrid does not report one, that of --solver fast does"
                         : "there are too many messages to follow each");
}

std::string pictures_text(const Report& report, const PictureSource& source,
                          const ReportFigures& figures, std::string& data) {
  std::string text =
      "<h2>Pictures</h2>\n<p class=\"note hint\">Pictures of one kind have one scale. Point at "
      "them, or move through them by the arrow keys; click a link or a "
      "rank, or press Enter, to see what belongs to it everywhere. Double-click or press + to "
      "zoom, then drag.</p>\n" +
      controls(report, figures) + no_timeline(report, source) +
      "<section id=\"picked\" aria-live=\"polite\" hidden></section>\n<div id=\"rows\">\n";
  for (const RowFigures& row : figures.rows) {
    text +=
        fmt::format("<section class=\"row\" data-row=\"{0}\" data-name=\"{1}\">\n<h3>{1}</h3>\n",
                    row.row, markup_text(row_name(report, row.row)));
    for (const Figure& figure : row.figures)
      text += page_figure(figure, fmt::format("row-{}-{}", row.row, figure.name), data);
    text += page_links(source.rows()[row.row].top_links) + "</section>\n";
  }
  if (figures.rows.size() > 1)
    text +=
        "<section id=\"difference\" hidden>\n<h3>Difference: after less before</h3>\n</section>\n";
  return text + "</div>\n<h2>Traffic before mapping</h2>\n" +
         page_figure(figures.traffic_by_rank, "traffic-by-rank", data);
}

}  // namespace

std::string page_fact(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, markup_text(value));
}

std::string page_figure(const Figure& figure, const std::string& id, std::string& data) {
  data += fmt::format("{}\"{}\":{{\"kind\":\"{}\",\"data\":{}}}", data.empty() ? "" : ",\n", id,
                      figure.kind, script_json(figure.data));
  return fmt::format(
      "<figure id=\"{0}\" data-kind=\"{1}\"><figcaption>{2}</figcaption>\n"
      "<div class=\"picture\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"{2}; arrow keys move through it, plus, minus and 0 zoom\">\n{3}</div>"
      "<output></output>\n{4}</figure>\n",
      id, figure.kind, markup_text(figure.title), figure.svg,
      figure.caption.empty()
          ? ""
          : fmt::format("<p class=\"note\">{}</p>\n", markup_text(figure.caption)));
}

std::string page_end(std::string_view report, std::string_view network, std::string_view pictures) {
  std::string text;
  for (const auto& [id, json] :
       {std::pair("report", report), {"network", network}, {"pictures", pictures}})
    text += fmt::format("<script type=\"application/json\" id=\"{}\">\n{}</script>\n", id, json);
  return text + fmt::format("<script>\n{}</script>\n</body>\n</html>\n", page_js);
}

std::string title_words(std::string_view description) {
  std::string_view words = description.substr(0, description.find(": "));
  words = words.substr(0, std::min({words.find(" at "), words.find(", "), words.find(" = ")}));
  const bool is_path = words.find('/') != words.npos || words.ends_with(".xml") ||
                       words.ends_with(".csv") || words.ends_with(".json");
  if (!is_path) return std::string(words);
  while (words.ends_with('/')) words.remove_suffix(1);
  words = words.substr(words.rfind('/') + 1);
  return std::string(words.substr(0, words.rfind('.')));
}

std::string page_head(std::string_view title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"generator\" content=\"vtopo\">\n<title>{}</title>\n<style>\n{}{}{}</style>\n"
      "</head>\n<body>\n",
      markup_text(title) + " - vtopo", picture_css(), page_css, ramp_css());
}

std::string render_page(const Report& report, const PictureSource& source,
                        std::string_view command) {
  const ReportFigures figures = draw_report(report, source, max_drawn_rows);
  std::string data;
  std::string text = page_head(title(report)) + header(report) + "<main>\n<h2>Mappers</h2>\n" +
                     page_table(report) + page_phases(report) +
                     pictures_text(report, source, figures, data);
  text += fmt::format("<h2>The command that makes this report</h2>\n<pre>{}</pre>\n",
                      markup_text(command.empty() ? command_line(report) : std::string(command)));
  if (command.empty())
    text +=
        "<p class=\"note\">Or <code>vtopo report THIS.html -o NEW.html</code>: the page holds its "
        "scenario.</p>\n";
  text += "</main>\n";
  return text + page_end(script_json(render_json(report)), script_json(figures.network),
                         "{\n" + data + "\n}");
}

}  // namespace vtopo::detail
