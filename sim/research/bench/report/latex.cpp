#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "sim/research/bench/statistics/mapper_pairs.hpp"
#include "sim/research/bench/statistics/performance_profile.hpp"
#include "sim/research/bench/report/bench_report.hpp"

namespace vtopo::detail {

namespace {

/// Text with what LaTeX reads as commands escaped.
std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '<' || c == '>')  // others in the default encoding of fonts, OT1
      result += c == '<' ? "\\textless{}" : "\\textgreater{}";
    else if (c == '|')
      result += "\\textbar{}";
    else if (c == '~' || c == '^')
      result += fmt::format("\\{}{{}}", c);
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += fmt::format("\\{}", c);
    else
      result += c;
  }
  return result;
}

std::string latex_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "--";
}

/// Of the next curve: coloured, and told apart in print without colours; 36 different ones.
std::string latex_line(std::size_t curve) {
  static constexpr std::string_view colours[] = {"blue",   "red",    "teal",
                                                 "orange", "violet", "black"};
  static constexpr std::string_view dashes[] = {"",          ",dashed",         ",dotted",
                                                ",dash dot", ",densely dashed", ",densely dotted"};
  constexpr std::size_t count = std::size(colours);
  static_assert(count == std::size(dashes));
  return fmt::format("{}{}", colours[curve % count], dashes[(curve + curve / count) % count]);
}

std::string p_cell(const BenchReport& report, const std::vector<MapperPair>& pairs,
                   const std::string& mapper) {
  for (const MapperPair& pair : pairs)
    if (pair.first == report.league.front().mapper && pair.second == mapper && pair.instances > 0)
      return fmt::format("{:.2g}", pair.adjusted_p);
  return "--";
}

}  // namespace

std::string render_league_latex(const BenchReport& report) {
  const std::vector<MapperPair> pairs = compare_mappers(report.tables, report.league);
  std::string text =
      "% Value / best known as a geometric mean and at most; p: Wilcoxon's signed-rank test "
      "against\n"
      "% the first mapper, two-sided, adjusted for all pairs (Holm).\n"
      "\\begin{tabular}{lrrrrrrr}\n\\hline\n"
      "mapper & mean & worst & at best & solved & failed & not applicable & $p$ \\\\\n"
      "\\hline\n";
  for (const LeagueRow& row : report.league)
    text +=
        fmt::format("{} & {} & {} & {} & {} & {} & {} & {} \\\\\n", latex_text(row.mapper),
                    latex_number(row.mean_ratio), latex_number(row.worst_ratio), row.best,
                    row.solved, row.failed, row.not_applicable, p_cell(report, pairs, row.mapper));
  return text + "\\hline\n\\end{tabular}\n";
}

std::string render_profiles_latex(const BenchReport& report) {
  const auto profiles = performance_profiles(report.tables, report.league);
  double most = 1;
  for (const PerformanceProfile& profile : profiles)
    if (!profile.ratios.empty()) most = std::max(most, profile.ratios.back());
  const double end = most * 1.05;
  std::string text =
      "% Performance profiles (Dolan, More 2002); needs\n"
      "% \\usepackage{pgfplots}\\pgfplotsset{compat=1.16}.\n"
      "\\begin{tikzpicture}\n\\begin{axis}[xmode=log, log basis x=2, xmin=1, " +
      fmt::format("xmax={:.6g}", end) +
      ", ymin=0, ymax=1.02,\n"
      "  xlabel={factor $t$ of the best of these mappers}, ylabel={share of problems within $t$},\n"
      "  log ticks with fixed point, legend pos=outer north east, legend cell align=left]\n";
  std::size_t curve = 0;
  for (const PerformanceProfile& profile : profiles) {
    text += fmt::format("\\addplot[const plot, thick, {}] coordinates {{(1,{:.6g})",
                        latex_line(curve++), profile.share(1));
    for (std::size_t i = 0; i < profile.ratios.size(); ++i)
      if (profile.ratios[i] > 1 &&
          (i + 1 == profile.ratios.size() || profile.ratios[i + 1] > profile.ratios[i]))
        text +=
            fmt::format(" ({:.6g},{:.6g})", profile.ratios[i], profile.share(profile.ratios[i]));
    text += fmt::format(" ({:.6g},{:.6g})}};\n\\addlegendentry{{{}}}\n", end, profile.share(end),
                        latex_text(profile.mapper));
  }
  return text + "\\end{axis}\n\\end{tikzpicture}\n";
}

std::vector<PaperFile> bench_files(const BenchReport& report) {
  return {{"bench.json", render_bench_json(report)},
          {"league.csv", render_league_csv(report)},
          {"league.tex", render_league_latex(report)},
          {"pairs.csv", render_pairs_csv(report)},
          {"profiles.csv", render_profiles_csv(report)},
          {"profiles.svg", render_profiles_svg(report)},
          {"profiles.tex", render_profiles_latex(report)},
          {"rows.csv", render_bench_csv(report)}};
}

}  // namespace vtopo::detail
