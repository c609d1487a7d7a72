#include "topology/base/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/unit_tables.hpp"

namespace vtopo {

using namespace detail;

namespace {

using Units = std::vector<NamedUnit>;

constexpr std::array<std::string_view, 8> decimal{"k", "M", "G", "T", "P", "E", "Z", "Y"};
constexpr std::array<std::string_view, 8> binary{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};

void add_prefixes(Units& units, std::string_view unit, double factor,
                  const std::array<std::string_view, 8>& prefixes, double base) {
  for (const auto prefix : prefixes) {
    factor *= base;
    units.push_back({std::string(prefix) + std::string(unit), factor});
  }
}

void add_unit(Units& units, std::string_view unit, double factor) {
  units.push_back({std::string(unit), factor});
  add_prefixes(units, unit, factor, decimal, 1000);
  add_prefixes(units, unit, factor, binary, 1024);
}

Units make_byte_units() {
  Units units{{"", 1}, {"KB", 1e3}};
  add_unit(units, "B", 1);
  return units;
}

Units make_bandwidth_units() {
  Units units{{"", 1}};
  add_unit(units, "Bps", 1);
  add_unit(units, "bps", 0.125);
  return units;
}

Units make_speed_units() {
  Units units{{"", 1}, {"f", 1}, {"flops", 1}};
  add_prefixes(units, "f", 1, decimal, 1000);
  constexpr std::array<std::string_view, 8> words{"kilo", "mega", "giga",  "tera",
                                                  "peta", "exa",  "zetta", "yotta"};
  add_prefixes(units, "flops", 1, words, 1000);
  return units;
}

const Units& byte_units() {
  static const Units units = make_byte_units();
  return units;
}

constexpr std::string_view byte_unit_names = "B, kB MB GB TB PB EB ZB YB, KiB MiB to YiB";
constexpr std::string_view bandwidth_unit_names =
    "Bps, kBps MBps GBps TBps PBps EBps ZBps YBps, KiBps MiBps to YiBps, and bps likewise (bits)";
constexpr std::string_view time_unit_names = "s ps ns us ms m h d w";

/// `GB/s` as `GBps`: what reports print can be typed again.
std::string per_second_spelt_ps(std::string_view name) {
  if (!name.ends_with("/s")) return std::string(name);
  return std::string(name.substr(0, name.size() - 2)) + "ps";
}

double parse_quantity(std::string_view what, std::string_view text,
                      std::span<const NamedUnit> units, std::string_view unit_names,
                      std::string_view range, bool (*accepted)(double)) {
  const auto [number, rest] = leading_number(text);
  const std::string_view name = trim(rest);
  if (!number)
    throw UsageError(fmt::format("{} \"{}\" is not a number with a unit; accepted: {}, units {}",
                                 what, text, range, unit_names));
  for (const auto& unit : units) {
    if (unit.name != per_second_spelt_ps(name)) continue;
    const double value = *number * unit.factor;
    if (!accepted(value))
      throw UsageError(fmt::format("{} \"{}\" is out of range; accepted: {}", what, text, range));
    return value;
  }
  throw UsageError(fmt::format("{} \"{}\" has the unknown unit \"{}\"; accepted: {}", what, text,
                               name, unit_names));
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

const std::vector<NamedUnit>& detail::bandwidth_units() {
  static const Units units = make_bandwidth_units();
  return units;
}

const std::vector<NamedUnit>& detail::time_units() {
  static const Units units{{"", 1},      {"s", 1},  {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6},
                           {"ms", 1e-3}, {"m", 60}, {"h", 3600},   {"d", 86400}, {"w", 604800}};
  return units;
}

const std::vector<NamedUnit>& detail::speed_units() {
  static const Units units = make_speed_units();
  return units;
}

Bytes parse_bytes(std::string_view text) {
  return {parse_quantity("volume", text, byte_units(), byte_unit_names, "0 to 1e24 bytes",
                         [](double v) { return v >= 0 && v <= max_volume.value; })};
}

BytesPerSecond parse_bandwidth(std::string_view text) {
  constexpr double no_limit = 1e18;  // more than any link has
  const double value = parse_quantity("bandwidth", text, bandwidth_units(), bandwidth_unit_names,
                                      "0.001 to 1e30 bytes per second, or inf", [](double v) {
                                        return v >= 1e-3 && (v <= 1e30 || std::isinf(v));
                                      });
  return {std::isinf(value) ? value : std::min(value, no_limit)};
}

Seconds parse_seconds(std::string_view text) {
  return {parse_quantity("time", text, time_units(), time_unit_names, "0 to 1e9 seconds",
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
