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

std::string_view unit_name(PictureUnit unit) {
  return unit == PictureUnit::bytes ? "bytes" : unit == PictureUnit::seconds ? "seconds" : "number";
}

std::vector<double> round_ticks(double most, PictureUnit unit, int count) {
  if (!(most > 0)) return {0};
  const double wish = most / count, ten = std::pow(10, std::floor(std::log10(wish)));
  double step = std::exp2(std::ceil(std::log2(wish) - 1e-9));
  if (unit != PictureUnit::bytes)
    for (const double digit : {10, 5, 2, 1})
      if (digit * ten >= wish * (1 - 1e-9)) step = digit * ten;
  if (unit == PictureUnit::number) step = std::max(step, 1.0);
  std::vector<double> ticks;
  for (double i = 0; i * step <= most * (1 + 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> round_ticks(double least, double most, PictureUnit unit) {
  const double base = unit == PictureUnit::bytes ? 32 : 10;
  constexpr double most_ticks = 5;
  const double first = std::ceil(std::log(least) / std::log(base) - 1e-9);
  const double last = std::floor(std::log(most) / std::log(base) + 1e-9);
  if (last <= first) return {least, most};
  std::vector<double> ticks;
  const double every = std::ceil((last - first + 1) / most_ticks);
  for (double power = first; power <= last; power += every) ticks.push_back(std::pow(base, power));
  return ticks;
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
  const double step = 9 * size / 13, width = step * colour_levels;
  svg.put(R"~(<g class="legend" data-x="{:.1f}" data-y="{:.1f}" data-width="{:.1f}" )~"
          R"~(font-size="{:.1f}"><g class="cells" shape-rendering="crispEdges">)~",
          x, y, width, size);
  for (int level = 1; level <= colour_levels; ++level)
    svg.put(R"~(<rect class="l{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)~", level,
            x + step * (level - 1), y, step, size);
  svg.put(R"~(</g><g class="ticks" text-anchor="middle">)~");
  const double least = scale.least(), most = scale.most();
  if (most > 0)
    for (const double tick : scale.is_logarithmic() ? round_ticks(least, most, scale.unit())
                                                    : round_ticks(most, scale.unit(), 5)) {
      const double share =
          scale.is_logarithmic() ? std::log(tick / least) / std::log(most / least) : tick / most;
      svg.put_text(x + share * width, y + 2.25 * size, value_text(tick, scale.unit()));
    }
  svg.put("</g></g>");
}

}  // namespace vtopo::detail
