#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include "sim/draw/document_tables.hpp"
#include "sim/draw/markup.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/research/bench/statistics.hpp"

namespace vtopo::detail {
namespace {

/// Colours that those who confuse some can tell apart (Okabe and Ito), on light and dark ground;
/// after all of them come the same, dashed.
constexpr std::array curve_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#56b4e9", "#e69f00", "#8c8c8c"};
constexpr std::array curve_dashes{"", "7 4", "2 3", "9 3 2 3"};

/// Where the curves are: factors up to `most` on a scale of logarithms, shares from 0 to 1.
struct ProfileFrame {
  static constexpr double left = 64, top = 18, width = 440, height = 280, bottom = top + height;
  static constexpr double legend = left + width + 22, line = 20;
  double most = 2;

  double x(double ratio) const { return left + width * std::log2(ratio) / std::log2(most); }
  static double y(double share) { return bottom - height * share; }
};

ProfileFrame frame_of(const std::vector<PerformanceProfile>& profiles) {
  ProfileFrame frame;
  for (const PerformanceProfile& profile : profiles)
    if (!profile.ratios.empty()) frame.most = std::max(frame.most, profile.ratios.back() * 1.05);
  return frame;
}

/// About six round factors.
std::vector<double> factors_up_to(double most) {
  std::vector<double> factors;
  if (most <= 2.5) {
    const double step = most <= 1.5 ? 0.1 : 0.25;
    for (int i = 0; 1 + i * step <= most; ++i) factors.push_back(1 + i * step);
    return factors;
  }
  if (most <= 20) {
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0})
      if (factor <= most) factors.push_back(factor);
    return factors;
  }
  const double step = std::ceil(std::log2(most) / 6);
  for (int i = 0; i * step <= std::log2(most); ++i) factors.push_back(std::exp2(i * step));
  return factors;
}

void put_profile_axes(SvgElement& svg, const ProfileFrame& frame) {
  using F = ProfileFrame;
  svg.put(R"~(<path class="axis" fill="none" d="M{0:.0f} {1:.0f}V{2:.0f}H{3:.0f}"/>)~", F::left,
          F::top, F::bottom, F::left + F::width);
  for (const int percent : {0, 25, 50, 75, 100}) {
    svg.put(R"~(<path class="axis" d="M{:.0f} {:.1f}h-5"/>)~", F::left, F::y(percent / 100.0));
    svg.put_text(F::left - 9, F::y(percent / 100.0) + 4, fmt::format("{} %", percent),
                 R"~(text-anchor="end")~");
  }
  for (const double factor : factors_up_to(frame.most)) {
    svg.put(R"~(<path class="axis" d="M{:.1f} {:.0f}v5"/>)~", frame.x(factor), F::bottom);
    svg.put_text(frame.x(factor), F::bottom + 20, fmt::format("{:g}", factor),
                 R"~(text-anchor="middle")~");
  }
  svg.put_text(F::left + F::width / 2, F::bottom + 42, "factor of the best of these mappers",
               R"~(text-anchor="middle")~");
  svg.put(R"~(<text transform="translate(14 {:.0f}) rotate(-90)" text-anchor="middle">)~"
          R"~(share of problems</text>)~",
          F::top + F::height / 2);
}

/// Steps to the right: the share holds from its ratio on.
std::string steps_of(const PerformanceProfile& profile, const ProfileFrame& frame) {
  std::string path = fmt::format("M{:.1f} {:.1f}", frame.x(1), ProfileFrame::y(profile.share(1)));
  for (const double ratio : profile.ratios)
    if (ratio > 1)
      path += fmt::format("H{:.1f}V{:.1f}", frame.x(ratio), ProfileFrame::y(profile.share(ratio)));
  return path + fmt::format("H{:.1f}", frame.x(frame.most));
}

/// Colour and dashes of a curve in an SVG file.
std::string svg_line(std::size_t curve) {
  return fmt::format(R"~(fill="none" stroke-width="2" stroke="{}" stroke-dasharray="{}")~",
                     curve_colours[curve % curve_colours.size()],
                     curve_dashes[curve / curve_colours.size() % curve_dashes.size()]);
}

void put_curve(SvgElement& svg, const ProfileFrame& frame, const PerformanceProfile& profile,
               std::size_t number) {
  using F = ProfileFrame;
  const std::string look = svg_line(number);
  svg.put(R"~(<path {} d="{}"><title>{}</title></path>)~", look, steps_of(profile, frame),
          markup_text(profile.mapper));
  const double y = F::top + 6 + F::line * static_cast<double>(number);
  svg.put(R"~(<path {} d="M{:.0f} {:.0f}h26"/>)~", look, F::legend, y);
  svg.put_text(F::legend + 34, y + 4, profile.mapper);
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

/// Where curves over budgets are: these on a scale of logarithms, ratios on a linear one.
struct BudgetFrame {
  double first = 1, last = 1;  ///< budgets
  double low = 1, high = 1;    ///< ratios

  double x(double budget) const {
    const double share = last > first ? std::log(budget / first) / std::log(last / first) : 0.5;
    return ProfileFrame::left + ProfileFrame::width * share;
  }
  double y(double ratio) const {
    return ProfileFrame::bottom - ProfileFrame::height * (ratio - low) / (high - low);
  }
};

BudgetFrame frame_of(const std::vector<QualityCurve>& curves, const BenchBudgets& budgets) {
  BudgetFrame frame{budgets.values.front(), budgets.values.back(), 0, 0};
  bool any = false;
  for (const QualityCurve& curve : curves)
    for (const CurvePoint& point : curve.points) {
      frame.low = any ? std::min(frame.low, point.least) : point.least;
      frame.high = any ? std::max(frame.high, point.most) : point.most;
      any = true;
    }
  const double margin = std::max(0.05 * (frame.high - frame.low), 1e-3);
  frame.low -= margin;
  frame.high += margin;
  return frame;
}

void put_budget_axes(SvgElement& svg, const BudgetFrame& frame, const BenchBudgets& budgets) {
  using F = ProfileFrame;
  constexpr int ticks = 5;
  svg.put(R"~(<path class="axis" fill="none" d="M{0:.0f} {1:.0f}V{2:.0f}H{3:.0f}"/>)~", F::left,
          F::top, F::bottom, F::left + F::width);
  for (int tick = 0; tick <= ticks; ++tick) {
    const double ratio = frame.low + (frame.high - frame.low) * tick / ticks;
    svg.put(R"~(<path class="axis" d="M{:.0f} {:.1f}h-5"/>)~", F::left, frame.y(ratio));
    svg.put_text(F::left - 9, frame.y(ratio) + 4, fmt::format("{:.3f}", ratio),
                 R"~(text-anchor="end")~");
  }
  for (const double budget : budgets.values) {
    svg.put(R"~(<path class="axis" d="M{:.1f} {:.0f}v5"/>)~", frame.x(budget), F::bottom);
    svg.put_text(frame.x(budget), F::bottom + 20, fmt::format("{}", budget),
                 R"~(text-anchor="middle")~");
  }
  svg.put_text(F::left + F::width / 2, F::bottom + 42, budgets.unit(), R"~(text-anchor="middle")~");
  svg.put(R"~(<text transform="translate(14 {:.0f}) rotate(-90)" text-anchor="middle">)~"
          R"~(value / best</text>)~",
          F::top + F::height / 2);
}

/// The means as a line, the spread of the seeds as a band around it.
void put_budget_curve(SvgElement& svg, const BudgetFrame& frame, const QualityCurve& curve,
                      std::size_t number) {
  using F = ProfileFrame;
  std::string line, band, back;
  for (const CurvePoint& point : curve.points) {
    const double x = frame.x(point.budget);
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? 'M' : 'L', x, frame.y(point.mean));
    band += fmt::format("{}{:.1f} {:.1f}", band.empty() ? 'M' : 'L', x, frame.y(point.most));
    back = fmt::format("L{:.1f} {:.1f}", x, frame.y(point.least)) + back;
  }
  if (curve.seeds > 1)
    svg.put(R"~(<path fill="{}" fill-opacity="0.15" d="{}{}Z"/>)~",
            curve_colours[number % curve_colours.size()], band, back);
  const std::string look = svg_line(number);
  if (!line.empty())
    svg.put(R"~(<path {} d="{}"><title>{}</title></path>)~", look, line, markup_text(curve.mapper));
  const double y = F::top + 6 + F::line * static_cast<double>(number);
  svg.put(R"~(<path {} d="M{:.0f} {:.0f}h26"/>)~", look, F::legend, y);
  svg.put_text(F::legend + 34, y + 4, curve.mapper);
}

/// Room for a legend with these names.
template <class Curves>
SvgElement picture_of(const Curves& curves, std::string_view label) {
  std::size_t longest = 0;
  for (const auto& curve : curves) longest = std::max(longest, curve.mapper.size());
  return {ProfileFrame::legend + 50 + 7.5 * static_cast<double>(longest),
          std::max(ProfileFrame::bottom + 56, 40 + ProfileFrame::line * double(curves.size())),
          label};
}

}  // namespace

std::string render_profiles_svg(const BenchReport& report) {
  const auto profiles = performance_profiles(report.tables, report.league);
  const ProfileFrame frame = frame_of(profiles);
  SvgElement svg =
      picture_of(profiles, "Performance profiles: share of problems within a factor of the best");
  put_profile_axes(svg, frame);
  for (std::size_t i = 0; i < profiles.size(); ++i) put_curve(svg, frame, profiles[i], i);
  return svg_file(std::move(svg).text());
}

std::string render_curves_svg(const BenchReport& report) {
  const auto curves = quality_curves(report.tables, report.league);
  const std::string label =
      fmt::format("Quality against {}: value / best, geometric mean and spread of the seeds",
                  report.budgets.unit());
  SvgElement svg = picture_of(curves, label);
  const BudgetFrame frame = frame_of(curves, report.budgets);
  put_budget_axes(svg, frame, report.budgets);
  for (std::size_t i = 0; i < curves.size(); ++i) put_budget_curve(svg, frame, curves[i], i);
  return svg_file(std::move(svg).text());
}

std::string render_curves_latex(const BenchReport& report) {
  std::string text = fmt::format(
      "% Value / best against {0}: geometric means over instances and seeds, bars from the least "
      "to the\n"
      "% most of a seed; needs \\usepackage{{pgfplots}}\\pgfplotsset{{compat=1.16}}.\n"
      "\\begin{{tikzpicture}}\n\\begin{{axis}}[xmode=log, xlabel={{{0}}}, ylabel={{value / "
      "best}},\n"
      "  xtick={{",
      report.budgets.unit());
  const char* separator = "";
  for (const double budget : report.budgets.values) {
    text += fmt::format("{}{}", separator, budget);
    separator = ",";
  }
  text += "}, log ticks with fixed point, legend pos=outer north east, legend cell align=left]\n";
  std::size_t number = 0;
  for (const QualityCurve& curve : quality_curves(report.tables, report.league)) {
    text +=
        fmt::format("\\addplot[thick, {}, error bars/.cd, y dir=both, y explicit] coordinates {{",
                    latex_line(number++));
    for (const CurvePoint& point : curve.points)
      text += fmt::format("\n  ({},{:.6g}) += (0,{:.6g}) -= (0,{:.6g})", point.budget, point.mean,
                          point.most - point.mean, point.mean - point.least);
    text += fmt::format("}};\n\\addlegendentry{{{}}}\n", latex_text(curve.mapper));
  }
  return text + "\\end{axis}\n\\end{tikzpicture}\n";
}

std::string render_league_latex(const BenchReport& report) {
  const std::string reason = reason_not_tested(report);
  if (!reason.empty())
    return "% Value / best known as a geometric mean and at most; no test: " + reason + ".\n" +
           latex_table(league_columns(report, {}, false));
  return "% Value / best known as a geometric mean and at most; p: Wilcoxon's signed-rank test "
         "against\n"
         "% the first mapper, two-sided, adjusted for all pairs (Holm); effect: rank-biserial.\n" +
         latex_table(league_columns(
             report, compare_mappers(report.tables, report.league, report.against), false));
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
  std::vector<PaperFile> files{{"bench.json", render_bench_json(report)},
                               {"league.csv", render_league_csv(report)},
                               {"league.tex", render_league_latex(report)},
                               {"pairs.csv", render_pairs_csv(report)},
                               {"profiles.csv", render_profiles_csv(report)},
                               {"profiles.svg", render_profiles_svg(report)},
                               {"profiles.tex", render_profiles_latex(report)},
                               {"rows.csv", render_bench_csv(report)}};
  if (report.budgets.values.empty()) return files;
  files.push_back({"curves.csv", render_curves_csv(report)});
  files.push_back({"curves.svg", render_curves_svg(report)});
  files.push_back({"curves.tex", render_curves_latex(report)});
  return files;
}

}  // namespace vtopo::detail
