#include "sim/draw/paper/paper_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "sim/draw/markup.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/run/ranking.hpp"

namespace vtopo::detail {
namespace {

constexpr std::string_view head =
    "# Draws the numbers of this folder: gnuplot figures.gp\n"
    "set datafile separator comma\n"
    "set terminal svg size 560,380 background '#ffffff'\n"
    "set key outside top center horizontal\n"
    "set style fill solid 0.8\n";

/// The ramp, dark for much as in pictures on light ground.
std::string palette() {
  std::string steps;
  for (int i = 0; i <= 8; ++i)
    steps += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", i, ramp_colour(0.97 * (8 - i) / 8));
  return fmt::format("set palette defined ({})\n", steps);
}

/// What holds for each chart.
std::string preamble() {
  return std::string(head.substr(head.find('\n') + 1)) + palette();
}

/// One chart with all rows that have the figure.
std::string joint_chart(const ReportFigures& figures, const std::vector<std::string>& names,
                        std::string_view figure, std::string_view settings,
                        std::string_view using_text, std::string_view style) {
  std::string plots;
  for (const RowFigures& row : figures.rows)
    for (const Figure& one : row.figures)
      if (one.name == figure)
        plots += fmt::format("{}'{}-{}.csv' skip 1 using {} with {} title '{}' noenhanced",
                             plots.empty() ? "" : ", \\\n  ", figure, names[row.row], using_text,
                             style, names[row.row]);
  if (plots.empty()) return "";
  return fmt::format("\nset output 'gnuplot-{}.svg'\n{}plot {}\nreset\n{}", figure, settings, plots,
                     preamble());
}

/// A heat map of a CSV file of cells.
std::string heat_map(const std::string& name) {
  return fmt::format(
      "\nset output 'gnuplot-{0}.svg'\nset xlabel 'receiver'\nset ylabel 'sender'\n"
      "set yrange [*:*] reverse\nset cblabel 'bytes'\nset cbrange [0:*]\nset size ratio -1\n"
      "plot '{0}.csv' skip 1 using 3:2:4 with points pointtype 5 pointsize 0.3 palette notitle\n"
      "reset\n{1}",
      name, preamble());
}

constexpr std::size_t max_drawn_rows = 12;

void add_figure(const Figure& figure, const std::string& name, std::vector<PaperFile>& files) {
  files.push_back({name + ".svg", svg_file(figure.svg)});
  files.push_back({name + ".csv", figure.csv});
}

/// `mapper` of a row with what files cannot be called replaced.
std::string file_name(std::string_view mapper) {
  constexpr std::size_t longest = 60;
  std::string name;
  for (const char c : mapper.substr(0, longest)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (plain)
      name += c;
    else if (!name.ends_with('-'))
      name += '-';
  }
  return name;
}

/// Width or height of an element of `SvgElement`.
double extent(const std::string& svg, std::string_view attribute) {
  const std::size_t at = svg.find(attribute);
  return std::stod(svg.substr(at + attribute.size()));
}

}  // namespace

std::string gnuplot_script(const ReportFigures& figures, const std::vector<std::string>& names) {
  std::string text = std::string(head) + palette();
  text += joint_chart(figures, names, "hops",
                      "set xlabel 'hops'\nset ylabel 'edges'\nset style data linespoints\n", "0:2",
                      "linespoints");
  text += joint_chart(
      figures, names, "loads",
      "set xlabel 'share of links'\nset ylabel 'load'\nset format y '%.1s %cs'\nset yrange [0:*]\n",
      "1:2", "steps");
  text += joint_chart(figures, names, "ranks",
                      "set xlabel 'rank'\nset ylabel 'simulated finish'\nset format y '%.1s "
                      "%cs'\nset yrange [0:*]\n",
                      "0:2", "points pointtype 7 pointsize 0.4");
  text += heat_map("traffic-by-rank");
  for (const RowFigures& row : figures.rows) text += heat_map("traffic-by-host-" + names[row.row]);
  return text;
}

std::vector<std::string> file_names(const Report& report) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    const std::string wish = file_name(row_name(report, row));
    std::string name = wish;
    for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", wish, n);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<PaperFile> paper_files(const Report& report, const PictureSource& source) {
  const ReportFigures figures = draw_report(report, source, max_drawn_rows);
  const std::vector<std::string> names = file_names(report);
  std::vector<PaperFile> files;
  add_figure(figures.traffic_by_rank, figures.traffic_by_rank.name, files);
  for (const RowFigures& row : figures.rows)
    for (const Figure& figure : row.figures)
      add_figure(figure, fmt::format("{}-{}", figure.name, names[row.row]), files);
  files.push_back({"figures.gp", gnuplot_script(figures, names)});
  files.push_back({"report.csv", render_csv(report)});
  files.push_back({"report.json", render_json(report)});
  files.push_back({"report.html", render_page(report, source)});
  return files;
}

std::string paper_overview(const Report& report, const PictureSource& source) {
  constexpr double gap = 30, wide = 800;
  const ReportFigures figures = draw_report(report, source, 2);
  const std::set<std::size_t> wanted{report.verdict.baseline, report.verdict.best};
  double x = 0, y = 0, width = 0, height = 0;
  std::string inner;
  for (const RowFigures& row : figures.rows) {
    if (!wanted.contains(row.row)) continue;
    const std::string& svg = row.figures.front().svg;
    const double own_width = extent(svg, "width=\""), own_height = extent(svg, "height=\"");
    const double size = std::max(16.0, own_width / 44);
    inner += fmt::format(
        R"~(<text x="{:.0f}" y="{:.0f}" font-size="{:.1f}" font-weight="bold">{}</text>)~", x + 8,
        y + 1.2 * size, size, markup_text(row_name(report, row.row)));
    inner += fmt::format("\n<svg x=\"{:.0f}\" y=\"{:.0f}\"{}", x, y + 2 * size, svg.substr(4));
    width = std::max(width, x + own_width);
    height = std::max(height, y + 2 * size + own_height);
    (own_width > wide ? y : x) += own_width > wide ? height + gap - y : own_width + gap;
  }
  SvgElement whole(width, height, verdict(report));
  whole.put("{}", inner);
  return svg_file(std::move(whole).text());
}

}  // namespace vtopo::detail
