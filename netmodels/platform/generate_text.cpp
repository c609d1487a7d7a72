#include <cmath>
#include <span>
#include <utility>

#include "netmodels/platform/generate_forms.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Units = std::span<const std::pair<std::string_view, double>>;

/// The first unit in which a short number is exactly the value again after SimGrid's (and vtopo's)
/// multiplication; the last unit is 1.
std::string exact_quantity(double value, Units units) {
  for (const auto& [name, factor] : units) {
    const double number = std::stod(fmt::format("{:.12g}", value / factor));
    if (std::abs(number) >= 1 && number * factor == value) return fmt::format("{}{}", number, name);
  }
  return fmt::format("{}{}", value, units.back().first);
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else if (const auto code = static_cast<unsigned char>(c); code < 0x20)
      escaped += fmt::format("&#{};", code);
    else
      escaped += c;
  }
  return escaped;
}

std::string xml_bandwidth(BytesPerSecond bandwidth) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"GBps", 1e9}, {"MBps", 1e6}, {"kBps", 1e3}, {"Bps", 1}};
  return exact_quantity(bandwidth.value, units);
}

std::string xml_latency(Seconds latency) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {"s", 1}};
  return exact_quantity(latency.value, units);
}

}  // namespace vtopo::detail
