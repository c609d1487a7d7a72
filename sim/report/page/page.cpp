#include "sim/report/page/page.hpp"

#include <fmt/format.h>

#include "sim/report/change.hpp"
#include "sim/report/page/embedded.hpp"
#include "sim/report/pictures/colour_ramp.hpp"
#include "sim/report/pictures/markup.hpp"
#include "sim/report/pictures/report_figures.hpp"
#include "sim/report/ranking.hpp"
#include "sim/report/table_parts.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

constexpr std::size_t max_drawn_rows = 6;

std::string fact(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, markup_text(value));
}

/// `hop-bytes 15.8 GiB -> 5.98 GiB, -62 %`: a quantity under the baseline and under the best row.
std::string tile(std::string_view name, double before, double after, const std::string& before_text,
                 const std::string& after_text) {
  return fmt::format("<li>{}<b>{}</b><span class=\"quiet\">{} \xE2\x86\x92 {}</span></li>\n", name,
                     signed_text(change(before, after)), before_text, after_text);
}

std::string tiles(const Report& report) {
  if (report.rows.size() < 2) return "";
  const Row& before = report.rows[baseline_row(report)];
  const Row& after = report.rows[best_row(report)];
  if (&before == &after) return "";
  std::string text = "<ul class=\"tiles\">\n";
  const auto times = [&](std::string_view name, Seconds a, Seconds b) {
    text += tile(name, a.value, b.value, format_seconds(a), format_seconds(b));
  };
  text += tile("hop-bytes", before.metrics.hop_bytes.value, after.metrics.hop_bytes.value,
               format_bytes(before.metrics.hop_bytes), format_bytes(after.metrics.hop_bytes));
  times("busiest link", before.metrics.max_congestion, after.metrics.max_congestion);
  if (before.simulation && after.simulation)
    times("simulated time", before.simulation->makespan, after.simulation->makespan);
  return text + "</ul>\n";
}

std::string beside(const Report& report) {
  if (report.background.empty()) return "";
  return fact("beside",
              report.background + "; counted for links and the bound of congestion, not for hops");
}

std::string header(const Report& report) {
  const std::size_t before = baseline_row(report), after = best_row(report);
  std::string text =
      fmt::format("<header>\n<h1>{}</h1>\n<p class=\"verdict\">{}</p>\n",
                  report.rows.size() > 1 ? "What placement changes" : "What this placement costs",
                  markup_text(verdict(report)));
  if (before != after)
    text +=
        fmt::format("<p class=\"quiet\">From {} (before) to {} (after):</p>\n",
                    markup_text(row_name(report, before)), markup_text(row_name(report, after)));
  text += tiles(report);
  text += "<dl class=\"facts\">\n" + fact("guest", report.guest) + fact("network", report.network) +
          beside(report) + fact("routing", to_string(report.rows.front().routing)) +
          fact("clock", simulation_text(report));
  return text + "</dl>\n</header>\n";
}

/// A picture, and its data for the script under the same id.
std::string figure_text(const Figure& figure, const std::string& id, std::string& data) {
  data += fmt::format("{}\"{}\":{{\"kind\":\"{}\",\"data\":{}}}", data.empty() ? "" : ",\n", id,
                      figure.kind, script_json(figure.data));
  return fmt::format(
      "<figure id=\"{}\"><figcaption>{}</figcaption>\n<div class=\"picture\" tabindex=\"0\" "
      "role=\"group\" aria-label=\"{}; arrow keys move through it\">\n{}</div><output></output>\n"
      "{}</figure>\n",
      id, markup_text(figure.title), markup_text(figure.title), figure.svg,
      figure.caption.empty()
          ? ""
          : fmt::format("<p class=\"note\">{}</p>\n", markup_text(figure.caption)));
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

std::string controls(const Report& report, const ReportFigures& figures) {
  if (figures.rows.size() < 2) return "";
  std::string text = "<div class=\"controls\" hidden>\n";
  const std::size_t before = baseline_row(report);
  std::size_t after = best_row(report);
  if (after == before) after = figures.rows[before == figures.rows.front().row ? 1 : 0].row;
  text += choice(report, figures, "before", before) + choice(report, figures, "after", after);
  text += "</div>\n";
  if (figures.rows.size() < report.rows.size())
    text += fmt::format("<p class=\"note\">Drawn: {} of {} mappers.</p>\n", figures.rows.size(),
                        report.rows.size());
  return text;
}

std::string pictures_text(const Report& report, const PictureSource& source,
                          const ReportFigures& figures, std::string& data) {
  std::string text =
      "<h2>Pictures</h2>\n<p class=\"note hint\">Pictures of one kind have the same "
      "scale. Point at them, or move through them by the arrow keys.</p>\n" +
      controls(report, figures) + "<div id=\"rows\">\n";
  for (const RowFigures& row : figures.rows) {
    text += fmt::format("<section class=\"row\" data-row=\"{}\">\n<h3>{}</h3>\n", row.row,
                        markup_text(row_name(report, row.row)));
    for (std::size_t f = 0; f < row.figures.size(); ++f)
      text +=
          figure_text(row.figures[f], fmt::format("row-{}-{}", row.row, row.figures[f].name), data);
    text += page_links(source.rows()[row.row].top_links) + "</section>\n";
  }
  return text + "</div>\n<h2>Traffic before mapping</h2>\n" +
         figure_text(figures.traffic_by_rank, "traffic-by-rank", data);
}

std::string head(const Report& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"generator\" content=\"vtopo\">\n<title>{}</title>\n<style>\n{}{}</style>\n"
      "</head>\n<body>\n",
      markup_text("vtopo: " + report.guest), page_css, ramp_css());
}

}  // namespace

std::string render_page(const Report& report, const PictureSource& source) {
  const ReportFigures figures = draw_report(report, source, max_drawn_rows);
  std::string data;
  std::string text = head(report) + header(report) + "<main>\n<h2>Mappers</h2>\n" +
                     page_table(report) + page_phases(report) +
                     pictures_text(report, source, figures, data);
  text += fmt::format(
      "<h2>Again</h2>\n<pre>{}</pre>\n<p class=\"note\">Or <code>vtopo report THIS.html -o "
      "NEW.html</code>: the page holds its scenario.</p>\n</main>\n",
      markup_text(command_line(report)));
  text += "<script type=\"application/json\" id=\"report\">\n" + script_json(render_json(report)) +
          "</script>\n<script type=\"application/json\" id=\"pictures\">{\n" + data +
          "\n}</script>\n<script>\n" + std::string(page_js) + "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace vtopo
