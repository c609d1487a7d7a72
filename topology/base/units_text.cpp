#include "topology/base/units.hpp"

#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 11> byte_units{{{"", 1},
                                           {"B", 1},
                                           {"kB", 1e3},
                                           {"KB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"TB", 1e12},
                                           {"KiB", 1024.0},
                                           {"MiB", 1048576.0},
                                           {"GiB", 1073741824.0},
                                           {"TiB", 1099511627776.0}}};

constexpr std::array<Unit, 19> bandwidth_units{{{"", 1},
                                                {"Bps", 1},
                                                {"kBps", 1e3},
                                                {"MBps", 1e6},
                                                {"GBps", 1e9},
                                                {"TBps", 1e12},
                                                {"KiBps", 1024.0},
                                                {"MiBps", 1048576.0},
                                                {"GiBps", 1073741824.0},
                                                {"TiBps", 1099511627776.0},
                                                {"bps", 0.125},
                                                {"kbps", 125.0},
                                                {"Mbps", 125e3},
                                                {"Gbps", 125e6},
                                                {"Tbps", 125e9},
                                                {"Kibps", 128.0},
                                                {"Mibps", 131072.0},
                                                {"Gibps", 134217728.0},
                                                {"Tibps", 137438953472.0}}};

constexpr std::array<Unit, 10> time_units{{{"", 1},
                                           {"s", 1},
                                           {"ps", 1e-12},
                                           {"ns", 1e-9},
                                           {"us", 1e-6},
                                           {"ms", 1e-3},
                                           {"m", 60},
                                           {"h", 3600},
                                           {"d", 86400},
                                           {"w", 604800}}};

std::string names_of(std::span<const Unit> units) {
  std::string text;
  for (const auto& unit : units.subspan(1)) {
    if (!text.empty()) text += ' ';
    text += unit.name;
  }
  return text;
}

/// `GB/s` as `GBps`: what reports print can be typed again.
std::string per_second_spelt_ps(std::string_view name) {
  if (!name.ends_with("/s")) return std::string(name);
  return std::string(name.substr(0, name.size() - 2)) + "ps";
}

double parse_quantity(std::string_view what, std::string_view text, std::span<const Unit> units,
                      std::string_view range, bool (*accepted)(double)) {
  const auto [number, rest] = leading_number(text);
  const std::string_view name = trim(rest);
  if (!number)
    throw UsageError(fmt::format("{} \"{}\" is not a number with a unit; accepted: {}, units {}",
                                 what, text, range, names_of(units)));
  for (const auto& unit : units) {
    if (unit.name != per_second_spelt_ps(name)) continue;
    const double value = *number * unit.factor;
    if (!accepted(value))
      throw UsageError(fmt::format("{} \"{}\" is out of range; accepted: {}", what, text, range));
    return value;
  }
  throw UsageError(fmt::format("{} \"{}\" has the unknown unit \"{}\"; accepted: {}", what, text,
                               name, names_of(units)));
}

std::string with_prefix(double value, double base, std::span<const std::string_view> prefixes) {
  std::size_t step = 0;
  while (step + 1 < prefixes.size() && std::abs(value) >= base * 0.9995) {
    value /= base;
    ++step;
  }
  if (std::abs(value) >= 999.5) return fmt::format("{:.0f} {}", value, prefixes[step]);
  return fmt::format("{:.3g} {}", value, prefixes[step]);
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  return {parse_quantity("volume", text, byte_units, "0 to 1e24 bytes",
                         [](double v) { return v >= 0 && v <= max_volume.value; })};
}

BytesPerSecond parse_bandwidth(std::string_view text) {
  return {parse_quantity("bandwidth", text, bandwidth_units,
                         "0.001 to 1e18 bytes per second, or inf",
                         [](double v) { return v >= 1e-3 && (v <= 1e18 || std::isinf(v)); })};
}

Seconds parse_seconds(std::string_view text) {
  return {parse_quantity("time", text, time_units, "0 to 1e9 seconds",
                         [](double v) { return v >= 0 && v <= 1e9; })};
}

std::string format_bytes(Bytes volume) {
  constexpr std::array<std::string_view, 7> prefixes{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  return with_prefix(volume.value, 1024, prefixes);
}

std::string format_bandwidth(BytesPerSecond bandwidth) {
  constexpr double unlimited = 1e18;  // what links without a limit have
  if (bandwidth.value >= unlimited) return "inf";
  constexpr std::array<std::string_view, 5> prefixes{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  return with_prefix(bandwidth.value, 1000, prefixes);
}

std::string format_seconds(Seconds time) {
  if (time.value == 0) return "0 s";
  if (std::abs(time.value) >= 0.9995) return fmt::format("{:.3g} s", time.value);
  constexpr std::array<std::string_view, 4> prefixes{"ps", "ns", "us", "ms"};
  return with_prefix(time.value * 1e12, 1000, prefixes);
}

}  // namespace vtopo
