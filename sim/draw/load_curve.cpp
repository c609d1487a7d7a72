#include "sim/draw/load_curve.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/draw/chart_frame.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;
using Frame = ChartFrame;

constexpr std::size_t max_points = 257;

/// Steps: a point stands for the links around it.
std::string path_of(const std::vector<double>& quantiles, double most) {
  const double pitch = Frame::width / double(quantiles.size());
  std::string path;
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const double y = Frame::bottom - (most > 0 ? quantiles[i] / most : 0) * Frame::height;
    path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", i == 0 ? "M" : "L",
                        Frame::left + pitch * double(i), y, Frame::left + pitch * double(i + 1));
  }
  return path;
}

std::string svg_of(const std::vector<double>& quantiles, const std::vector<double>& other,
                   const std::string& other_name, double most) {
  SvgElement svg(Frame::whole_width, Frame::whole_height, "Load of links, lightest to heaviest");
  put_axes(svg, most, PictureUnit::seconds, "share of links");
  for (const int percent : {0, 25, 50, 75, 100})
    svg.put_text(Frame::left + Frame::width * percent / 100, Frame::bottom + 18,
                 fmt::format("{} %", percent), R"~(text-anchor="middle")~");
  if (!other.empty()) {
    svg.put(
        R"~(<path class="other" fill="none" stroke-width="1.5" stroke-dasharray="5 4" d="{}"/>)~",
        path_of(other, most));
    svg.put(
        R"~(<path class="other" stroke-width="1.5" stroke-dasharray="5 4" d="M{0:.0f} 30h30"/>)~",
        Frame::left + 10);
    svg.put_text(Frame::left + 46, 34, other_name);
  }
  svg.put(R"~(<path class="line" fill="none" stroke-width="2" d="{}"/>)~",
          path_of(quantiles, most));
  return std::move(svg).text();
}

std::string csv_of(const std::vector<double>& quantiles) {
  std::string text = "share_of_links,seconds\n";
  for (std::size_t i = 0; i < quantiles.size(); ++i)
    text += fmt::format("{},{}\n", double(i + 1) / double(quantiles.size()), quantiles[i]);
  return text;
}

}  // namespace

std::vector<double> load_quantiles(std::span<const LinkLoad> links) {
  std::vector<double> loads;
  loads.reserve(links.size());
  for (const LinkLoad& load : links) loads.push_back(load.congestion.value);
  std::sort(loads.begin(), loads.end());
  if (loads.size() <= max_points) return loads;
  std::vector<double> quantiles;
  for (std::size_t i = 0; i < max_points; ++i)
    quantiles.push_back(loads[i * (loads.size() - 1) / (max_points - 1)]);
  return quantiles;
}

Figure draw_load_curve(const std::vector<double>& quantiles, const std::vector<double>& other,
                       const std::string& other_name, double most) {
  const Json data = {{"unit", "seconds"},     {"left", Frame::left},     {"top", Frame::top},
                     {"width", Frame::width}, {"height", Frame::height}, {"most", most},
                     {"values", quantiles}};
  return {"loads",          "Load of links, lightest to heaviest",      "",
          "curve",          svg_of(quantiles, other, other_name, most), data.dump(),
          csv_of(quantiles)};
}

}  // namespace vtopo::detail
