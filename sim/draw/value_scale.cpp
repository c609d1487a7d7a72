#include "sim/draw/value_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "topology/base/units.hpp"

namespace vtopo::detail {

std::string value_text(double value, PictureUnit unit) {
  if (unit == PictureUnit::bytes) return format_bytes({value});
  if (unit == PictureUnit::seconds) return format_seconds({value});
  return fmt::format("{}", value);
}

ValueScale::ValueScale(std::span<const double> values, PictureUnit unit) : unit_(unit) {
  for (const double value : values) {
    if (!(value > 0)) continue;
    least_ = least_ == 0 ? value : std::min(least_, value);
    most_ = std::max(most_, value);
  }
}

ValueScale ValueScale::spread(std::span<const double> values, PictureUnit unit) {
  constexpr double wide = 100;
  ValueScale scale(values, unit);
  scale.logarithmic_ = scale.least_ > 0 && scale.most_ / scale.least_ > wide;
  return scale;
}

int ValueScale::level(double value) const {
  if (!(value > 0) || most_ <= 0) return 0;
  const double share =
      logarithmic_ ? std::log(value / least_) / std::log(most_ / least_) : value / most_;
  // Rounding of sums must not move a value that fills its level into the next one.
  const double level = std::ceil(share * colour_levels - 1e-9);
  return static_cast<int>(std::clamp(level, 1.0, double(colour_levels)));
}

double ValueScale::value_of(int level) const {
  const double share = double(level) / colour_levels;
  return logarithmic_ ? least_ * std::pow(most_ / least_, share) : most_ * share;
}

namespace {

using LinearRgb = std::array<double, 3>;

/// OKLCH to linear sRGB with Ottosson's matrices.
LinearRgb linear_rgb(double lightness, double chroma, double degrees) {
  const double hue = degrees * std::numbers::pi / 180;
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool is_displayable(const LinearRgb& colour) {
  return std::all_of(colour.begin(), colour.end(), [](double x) { return x >= 0 && x <= 1; });
}

int byte_of(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(encoded * 255));
}

std::string rules(double first, double last) {
  std::string text;
  for (int level = 1; level <= colour_levels; ++level) {
    const double share = (level - 1.0) / (colour_levels - 1);
    text += fmt::format(".cells .l{0}{{fill:{1}}}.cables .l{0}{{stroke:{1}}}", level,
                        ramp_colour(first + (last - first) * share));
  }
  return text;
}

}  // namespace

std::string ramp_colour(double share) {
  const double t = std::clamp(share, 0.0, 1.0);
  const double lightness = 0.27 + 0.63 * t, hue = 300 - 195 * t;
  double chroma = 0.16;
  LinearRgb colour = linear_rgb(lightness, chroma, hue);
  while (!is_displayable(colour) && chroma > 0)
    colour = linear_rgb(lightness, chroma -= 0.002, hue);
  return fmt::format("#{:02x}{:02x}{:02x}", byte_of(colour[0]), byte_of(colour[1]),
                     byte_of(colour[2]));
}

std::string ramp_css() {
  return fmt::format("{}\n@media screen and (prefers-color-scheme:dark){{{}}}\n", rules(0.97, 0),
                     rules(0.12, 1));
}

void put_legend(SvgElement& svg, const ValueScale& scale, double x, double y, double size) {
  const double step = 9 * size / 13, height = size;
  svg.put(R"~(<g class="cells" shape-rendering="crispEdges">)~");
  for (int level = 1; level <= colour_levels; ++level)
    svg.put(R"~(<rect class="l{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)~", level,
            x + step * (level - 1), y, step, height);
  svg.put("</g>");
  const double baseline = y + height + 1.25 * size, end = x + step * colour_levels;
  const std::string letters = fmt::format(R"~(font-size="{:.1f}")~", size);
  svg.put_text(x, baseline, value_text(scale.value_of(0), scale.unit()), letters);
  svg.put_text((x + end) / 2, baseline, value_text(scale.value_of(colour_levels / 2), scale.unit()),
               letters + R"~( text-anchor="middle")~");
  svg.put_text(end, baseline, value_text(scale.most(), scale.unit()),
               letters + R"~( text-anchor="end")~");
}

}  // namespace vtopo::detail
