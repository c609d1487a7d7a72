#include "netmodels/platform/lint/simgrid_units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "netmodels/platform/lint/checks.hpp"

namespace vtopo::detail::lint {

namespace {

using Units = std::vector<std::pair<std::string, double>>;

constexpr std::array<std::string_view, 8> decimal{"k", "M", "G", "T", "P", "E", "Z", "Y"};
constexpr std::array<std::string_view, 8> binary{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"};

void add_prefixes(Units& units, std::string_view unit, double factor,
                  const std::array<std::string_view, 8>& prefixes, double base) {
  for (const auto prefix : prefixes) {
    factor *= base;
    units.emplace_back(std::string(prefix) + std::string(unit), factor);
  }
}

Units bandwidth_units() {
  Units units{{"", 1}, {"Bps", 1}, {"bps", 0.125}};
  for (const auto& [unit, factor] : {std::pair("Bps", 1.0), std::pair("bps", 0.125)}) {
    add_prefixes(units, unit, factor, decimal, 1000);
    add_prefixes(units, unit, factor, binary, 1024);
  }
  return units;
}

Units speed_units() {
  Units units{{"", 1}, {"f", 1}, {"flops", 1}};
  add_prefixes(units, "f", 1, decimal, 1000);
  constexpr std::array<std::string_view, 8> words{"kilo", "mega", "giga",  "tera",
                                                  "peta", "exa",  "zetta", "yotta"};
  add_prefixes(units, "flops", 1, words, 1000);
  return units;
}

const Units& units_of(UnitKind kind) {
  static const Units bandwidth = bandwidth_units();
  static const Units speed = speed_units();
  static const Units time{{"", 1},       {"s", 1},  {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
                          {"ps", 1e-12}, {"m", 60}, {"h", 3600},  {"d", 86400}, {"w", 604800}};
  switch (kind) {
    case UnitKind::bandwidth:
      return bandwidth;
    case UnitKind::time:
      return time;
    case UnitKind::speed:
      break;
  }
  return speed;
}

/// In lower case, without blanks, "/s" and "s" as in "GFlop/s" gone.
std::string plain(std::string_view unit) {
  std::string text;
  for (const char c : lower(unit))
    if (c != ' ' && c != '\t') text += c;
  if (text.ends_with("/s")) text.replace(text.size() - 2, 2, "ps");
  return text;
}

}  // namespace

std::optional<double> unit_factor(UnitKind kind, std::string_view unit) {
  for (const auto& [name, factor] : units_of(kind))
    if (name == unit) return factor;
  return std::nullopt;
}

std::string_view base_unit(UnitKind kind) {
  return kind == UnitKind::bandwidth ? "Bps" : kind == UnitKind::time ? "s" : "f";
}

std::optional<std::string> likely_unit(UnitKind kind, std::string_view unit) {
  constexpr std::size_t longest = 16;
  if (unit.size() > longest || unit.empty()) return std::nullopt;
  std::string text = plain(unit);
  if (kind == UnitKind::speed)
    for (const std::string_view end : {"flops", "flopps", "flop"})
      if (text.size() > end.size() && text.ends_with(end)) {
        text.replace(text.size() - end.size(), end.size(), "f");
        break;
      }
  if (kind == UnitKind::time && (text == "min" || text == "sec"))
    return std::string(text == "min" ? "m" : "s");
  if (kind == UnitKind::time && text == "\xc2\xb5s") return "us";
  const bool bits = kind == UnitKind::bandwidth && unit.find('B') == std::string_view::npos;
  for (const auto& [name, factor] : units_of(kind))
    if (lower(name) == text && !(bits && name.ends_with("Bps")) &&
        !(kind == UnitKind::bandwidth && !bits && name.ends_with("bps")))
      return name;
  return std::nullopt;
}

std::string_view unit_names(UnitKind kind) {
  switch (kind) {
    case UnitKind::bandwidth:
      return "Bps, kBps, MBps, GBps, TBps, KiBps, MiBps, GiBps";
    case UnitKind::time:
      return "s, ms, us, ns, ps, m, h, d, w";
    case UnitKind::speed:
      break;
  }
  return "f, kf, Mf, Gf, Tf, Pf";
}

}  // namespace vtopo::detail::lint
