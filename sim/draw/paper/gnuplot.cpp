#include <fmt/format.h>

#include "sim/draw/paper/paper_files.hpp"
#include "sim/draw/colour_ramp.hpp"

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

}  // namespace vtopo::detail
