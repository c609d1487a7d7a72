#include "netmodels/torus/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "topology/text.hpp"

namespace vtopo {

namespace {

using Unit = std::pair<std::string_view, double>;

/// In the largest unit that is not larger than the value and in which 15 digits give it back when
/// they are read, but for the last bit.
std::string exact_text(double value, std::span<const Unit> units) {
  for (const auto& [name, factor] : units) {
    const std::string number = fmt::format("{:.15g}", value / factor);
    const double read = parse_number(number).value_or(0);
    if (read >= 1 && std::abs(read * factor - value) <= value * 0x1p-52)
      return fmt::format("{}{}", number, name);
  }
  return fmt::format("{}{}", value, units.back().first);
}

std::string text(BytesPerSecond bandwidth) {
  constexpr std::array<Unit, 5> units{
      {{"TBps", 1e12}, {"GBps", 1e9}, {"MBps", 1e6}, {"kBps", 1e3}, {"Bps", 1}}};
  return exact_text(bandwidth.value, units);
}

std::string text(Seconds latency) {
  constexpr std::array<Unit, 5> units{
      {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"s", 1}}};
  return exact_text(latency.value, units);
}

/// `,key=a/b/c` with one value per dimension, if any dimension has one of its own.
template <class Value>
std::string per_dimension(const TorusSpec& spec, std::string_view key,
                          std::optional<Value> LinkRates::*rate, Value otherwise) {
  const auto has_own = [&](const TorusDimension& dimension) {
    return (dimension.rates.*rate).has_value();
  };
  if (std::none_of(spec.dimensions.begin(), spec.dimensions.end(), has_own)) return {};
  std::string list;
  for (const TorusDimension& dimension : spec.dimensions)
    list += fmt::format("{}{}", list.empty() ? "" : "/",
                        text((dimension.rates.*rate).value_or(otherwise)));
  return fmt::format(",{}={}", key, list);
}

}  // namespace

std::string describe(const TorusSpec& spec) {
  std::string result = "torus:";
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d)
    result += fmt::format("{}{}{}", d == 0 ? "" : "x", spec.dimensions[d].size,
                          spec.dimensions[d].wraps ? "" : "m");
  if (spec.hosts_per_router > 1) result += fmt::format(",per_router={}", spec.hosts_per_router);
  result += per_dimension(spec, "bandwidth", &LinkRates::bandwidth, spec.defaults.bandwidth);
  result += per_dimension(spec, "latency", &LinkRates::latency, spec.defaults.latency);
  if (spec.hosts_per_router == 1) return result;
  if (spec.host_rates.bandwidth)
    result += fmt::format(",host_bandwidth={}", text(*spec.host_rates.bandwidth));
  if (spec.host_rates.latency)
    result += fmt::format(",host_latency={}", text(*spec.host_rates.latency));
  return result;
}

}  // namespace vtopo
