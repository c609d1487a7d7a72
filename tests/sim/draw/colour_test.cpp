#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "sim/draw/value_scale.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

using Rgb = std::array<double, 3>;

/// Linear light of `#rrggbb` (IEC 61966-2-1).
Rgb linear(const std::string& colour) {
  Rgb result{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double x = std::stoi(colour.substr(1 + 2 * c, 2), nullptr, 16) / 255.0;
    result[c] = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  }
  return result;
}

double luminance(const Rgb& c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

/// Severe protanomaly and deuteranomaly: G. Machado et al., "A Physiologically-based Model for
/// Simulation of Color Vision Deficiency" (2009), table of severity 1.0.
constexpr std::array<std::array<Rgb, 3>, 2> deficiencies{{{{{0.152286, 1.052583, -0.204868},
                                                            {0.114503, 0.786281, 0.099216},
                                                            {-0.003882, -0.048116, 1.051998}}},
                                                          {{{0.367322, 0.860646, -0.227968},
                                                            {0.280085, 0.672501, 0.047413},
                                                            {-0.011820, 0.042940, 0.968881}}}}};

Rgb seen(const std::array<Rgb, 3>& matrix, const Rgb& c) {
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = matrix[i][0] * c[0] + matrix[i][1] * c[1] + matrix[i][2] * c[2];
  return result;
}

}  // namespace

TEST_CASE("the ramp grows lighter step by step, also without red-green vision",
          "[report][colour]") {
  for (int step = 1; step <= colour_levels; ++step) {
    const Rgb below = linear(ramp_colour((step - 1.0) / colour_levels));
    const Rgb above = linear(ramp_colour(double(step) / colour_levels));
    CHECK(luminance(below) < luminance(above));
    for (const auto& matrix : deficiencies)
      CHECK(luminance(seen(matrix, below)) < luminance(seen(matrix, above)));
  }
}

TEST_CASE("the ramp has a colour of its own for each level", "[report][colour]") {
  std::set<std::string> colours;
  for (int level = 0; level <= colour_levels; ++level)
    colours.insert(ramp_colour(double(level) / colour_levels));
  CHECK(colours.size() == colour_levels + 1);
  CHECK(ramp_colour(-1) == ramp_colour(0));
  CHECK(ramp_colour(2) == ramp_colour(1));
}

TEST_CASE("levels are linear from 0 to the most", "[report][colour]") {
  const std::vector<double> values{0, 10, 320};
  const ValueScale scale(values, PictureUnit::bytes);
  CHECK(scale.most() == 320);
  CHECK(scale.level(0) == 0);
  CHECK(scale.level(1e-9) == 1);
  CHECK(scale.level(10) == 1);  // 320 in 32 levels: 10 each
  CHECK(scale.level(10.1) == 2);
  CHECK(scale.level(320) == 32);
  CHECK(scale.value_of(16) == 160);
}

TEST_CASE("levels of values far apart are logarithmic", "[report][colour]") {
  const std::vector<double> near{1, 100}, far{0, 1, 65536};
  CHECK_FALSE(ValueScale::spread(near, PictureUnit::bytes).is_logarithmic());
  const ValueScale scale = ValueScale::spread(far, PictureUnit::bytes);
  CHECK(scale.is_logarithmic());
  CHECK(scale.level(1) == 1);
  CHECK(scale.level(256) == 16);  // the square root of the most is the middle
  CHECK(scale.level(65536) == 32);
}

TEST_CASE("nothing has no level", "[report][colour]") {
  const ValueScale scale({}, PictureUnit::seconds);
  CHECK(scale.level(0) == 0);
  CHECK(scale.most() == 0);
}
