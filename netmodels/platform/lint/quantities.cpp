#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/platform/lint/checks.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/unit_tables.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::lint {

namespace {

enum class UnitKind { bandwidth, time, speed };

const std::vector<NamedUnit>& units_of(UnitKind kind) {
  return kind == UnitKind::bandwidth ? bandwidth_units()
         : kind == UnitKind::time    ? time_units()
                                     : speed_units();
}

/// In lower case, without blanks, "/s" and "s" as in "GFlop/s" gone.
std::string plain(std::string_view unit) {
  std::string text;
  for (const char c : lower(unit))
    if (c != ' ' && c != '\t') text += c;
  if (text.ends_with("/s")) text.replace(text.size() - 2, 2, "ps");
  return text;
}

/// What SimGrid 3.32 multiplies a number with this unit with; no unit: its base unit.
std::optional<double> unit_factor(UnitKind kind, std::string_view unit) {
  for (const auto& [name, factor] : units_of(kind))
    if (name == unit) return factor;
  return std::nullopt;
}

/// `Bps`, `s` or `f`.
std::string_view base_unit(UnitKind kind) {
  return kind == UnitKind::bandwidth ? "Bps" : kind == UnitKind::time ? "s" : "f";
}

/// The unit that `unit` was probably meant to be: spelt with other cases, blanks or `/s`.
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

/// The units that people write.
std::string_view unit_names(UnitKind kind) {
  switch (kind) {
    case UnitKind::bandwidth:
      return "Bps, kBps, MBps, GBps, TBps ... YBps, KiBps, MiBps, GiBps ... YiBps";
    case UnitKind::time:
      return "s, ms, us, ns, ps, m, h, d, w";
    case UnitKind::speed:
      break;
  }
  return "f, kf, Mf, Gf, Tf, Pf";
}

/// What a quantity is called, and which values are legal and likely.
struct Kind {
  UnitKind unit;
  std::string_view name;
  std::string_view negative;  ///< rules
  std::string_view zero;      ///< empty: 0 is fine
  std::string_view absurd;
  double least_likely;
  double most_likely;
  std::string_view example;
  double unlimited = 0;  ///< from here on the value stands for no limit; 0: none does
};

constexpr Kind bandwidth{UnitKind::bandwidth,
                         "bandwidth",
                         "negative-bandwidth",
                         "zero-bandwidth",
                         "absurd-bandwidth",
                         1e3,
                         1e14,
                         "10GBps",
                         1e18};
constexpr Kind latency{
    UnitKind::time, "latency", "negative-latency", "", "absurd-latency", 1e-11, 1, "100ns"};
constexpr Kind speed{
    UnitKind::speed, "speed", "negative-speed", "zero-speed", "absurd-speed", 1e6, 1e18, "100Gf"};

struct QuantityAttribute {
  std::string_view name;
  const Kind* kind;
};

constexpr std::array<QuantityAttribute, 14> quantity_attributes{{{"bandwidth", &bandwidth},
                                                                 {"bw", &bandwidth},
                                                                 {"bb_bw", &bandwidth},
                                                                 {"loopback_bw", &bandwidth},
                                                                 {"limiter_link", &bandwidth},
                                                                 {"bw_in", &bandwidth},
                                                                 {"bw_out", &bandwidth},
                                                                 {"read_bw", &bandwidth},
                                                                 {"write_bw", &bandwidth},
                                                                 {"latency", &latency},
                                                                 {"lat", &latency},
                                                                 {"bb_lat", &latency},
                                                                 {"loopback_lat", &latency},
                                                                 {"speed", &speed}}};

/// Checks of one number with its unit.
class QuantityCheck {
 public:
  QuantityCheck(Findings& findings, pugi::xml_node element, pugi::xml_attribute attribute,
                const Kind& kind)
      : findings_(findings), element_(element), attribute_(attribute), kind_(kind) {}

  void check(std::string_view text) const {
    const std::string_view start =
        text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
    const auto [number, rest] = leading_number(start);
    if (!number) return report_no_number(text, rest.size() < start.size());
    if (std::isinf(*number)) return report_no_number(text, true);
    const auto factor = unit_factor(kind_.unit, rest);
    if (!factor) return report_unit(text, rest);
    if (rest.empty() && *number != 0)
      add("missing-unit",
          fmt::format("{} has no unit; SimGrid takes it for {}", value_of(text),
                      base_unit(kind_.unit)),
          fmt::format("{}{}, or what was meant, such as {}", text, base_unit(kind_.unit),
                      kind_.example));
    check_range(text, *number * *factor);
    if (kind_.unit == UnitKind::bandwidth && rest.ends_with("bps"))
      report_bits(text, *number * *factor);
  }

 private:
  std::string value_of(std::string_view text) const {
    return fmt::format("{} {}", kind_.name, in_quotes(text));
  }

  void add(std::string_view rule, std::string sentence, std::string instead) const {
    findings_.add(rule, element_, attribute_, std::move(sentence), std::move(instead));
  }

  void report_no_number(std::string_view text, bool too_large) const {
    const std::string start = lower(text.substr(0, 8));
    const bool infinite = too_large || start.find("nan") != std::string::npos ||
                          start.find("inf") != std::string::npos;
    add(infinite ? "not-finite" : "not-a-number",
        fmt::format("{} is {}", value_of(text), infinite ? "not finite" : "not a number"),
        fmt::format("a finite number with its unit, such as {}", kind_.example));
  }

  void report_unit(std::string_view text, std::string_view unit) const {
    const auto meant = likely_unit(kind_.unit, unit);
    const std::string_view number = text.substr(0, text.size() - unit.size());
    add("unknown-unit",
        fmt::format("{} has a unit that SimGrid does not know: {}", value_of(text),
                    in_quotes(unit)),
        meant ? fmt::format("{}{}", shortened(number), *meant)
              : fmt::format("one of the units {}", unit_names(kind_.unit)));
  }

  void check_range(std::string_view text, double value) const {
    const std::string example = fmt::format("a number > 0, such as {}", kind_.example);
    if (!std::isfinite(value))
      add("not-finite", value_of(text) + " is not finite", example);
    else if (value < 0)
      add(kind_.negative, value_of(text) + " is negative; SimGrid computes with it", example);
    else if (value == 0 && !kind_.zero.empty())
      report_zero(text, example);
    else if (value != 0 && !(kind_.unlimited > 0 && value >= kind_.unlimited) &&
             (value < kind_.least_likely || value > kind_.most_likely))
      add(kind_.absurd, fmt::format("{} is {}: no machine has that", value_of(text), words(value)),
          fmt::format("check the unit{}; likely is something like {}",
                      kind_.unit == UnitKind::time ? " (m is minutes, ms milliseconds)" : "",
                      kind_.example));
  }

  void report_zero(std::string_view text, const std::string& example) const {
    if (kind_.unit == UnitKind::speed)
      add(kind_.zero,
          value_of(text) +
              " is zero: the host stores or is off, and what computes there never ends",
          example + ", if programs run there");
    else
      add(kind_.zero, value_of(text) + " is zero; SimGrid computes with it", example);
  }

  std::string words(double value) const {
    if (kind_.unit == UnitKind::bandwidth) return fmt::format("{:.3g} bytes per second", value);
    if (kind_.unit == UnitKind::time) return fmt::format("{:.3g} seconds", value);
    return fmt::format("{:.3g} flop per second", value);
  }

  void report_bits(std::string_view text, double value) const {
    const std::string bytes = std::string(text.substr(0, text.size() - 3)) + "Bps";
    add("bits-per-second",
        fmt::format("{} counts bits: {}, an eighth of {}", value_of(text),
                    format_bandwidth({value}), in_quotes(bytes)),
        fmt::format("{:.12g}Bps if bits are meant, {} if bytes are", value, shortened(bytes)));
  }

  Findings& findings_;
  pugi::xml_node element_;
  pugi::xml_attribute attribute_;
  const Kind& kind_;
};

void check_integers(Findings& findings, pugi::xml_node element) {
  const auto speeds = int_size(split(element.attribute("speed").value(), ','));
  const auto core = element.attribute("core");
  const auto cores = parse_integer(core.value());
  if (core && (!cores || *cores < 1 || *cores > max_id))
    findings.add("bad-core", element, core,
                 fmt::format("core={} is not a number of cores", in_quotes(core.value())),
                 "a whole number >= 1");
  const auto pstate = element.attribute("pstate");
  const auto state = parse_integer(pstate.value());
  if (pstate && (!state || *state < 0 || *state >= speeds))
    findings.add("bad-pstate", element, pstate,
                 fmt::format("pstate={} is not the index of one of {} speeds",
                             in_quotes(pstate.value()), speeds),
                 fmt::format("a whole number in 0..{}", speeds - 1));
}

void check_coordinates(Findings& findings, pugi::xml_node element) {
  const auto attribute = element.attribute("coordinates");
  const bool needed = lower(shortened(element.parent().attribute("routing").value())) == "vivaldi";
  const std::string_view name = element.name();
  if (!attribute && !(needed && (name == "host" || name == "peer"))) return;
  if (name == "host" && trim(attribute.value()).empty())
    return findings.add("missing-coordinates", element, element.attribute("id").value(),
                        "a <host> of a Vivaldi zone without coordinates: SimGrid aborts on every "
                        "message from or to it",
                        "coordinates=\"x y height\", three numbers in milliseconds");
  int numbers = 0;
  bool good = true;
  for (const auto piece : split(attribute.value(), ' ')) {
    if (piece.empty()) continue;
    const auto number = parse_number(piece);
    good = good && number && std::isfinite(*number);
    ++numbers;
  }
  if (good && (numbers == 3 || (numbers == 0 && !needed))) return;
  const std::string sentence =
      attribute ? fmt::format("coordinates={} are not three numbers", in_quotes(attribute.value()))
                : fmt::format("a <{}> of a Vivaldi zone without coordinates", name);
  const std::string instead = "coordinates=\"x y height\", three numbers in milliseconds";
  if (attribute)
    findings.add("bad-coordinates", element, attribute, sentence, instead);
  else
    findings.add("bad-coordinates", element, "", sentence, instead);
}

}  // namespace

void check_quantities(Findings& findings, pugi::xml_node element) {
  // Later values of a list: states in which a host does nothing, stations far away.
  const auto check_list = [](std::string_view text, const QuantityCheck& quantity) {
    const auto pieces = split(text, ',');
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (i == 0 || leading_number(trim(pieces[i])).value != 0.0) quantity.check(trim(pieces[i]));
  };
  for (const auto& [name, kind] : quantity_attributes) {
    const auto attribute = element.attribute(std::string(name).c_str());
    if (!attribute) continue;
    const std::string_view text = attribute.value();
    const QuantityCheck quantity(findings, element, attribute, *kind);
    if (text.find(',') == std::string_view::npos)
      quantity.check(text);
    else if (kind == &speed || is_air(element))
      check_list(text, quantity);
    else
      findings.add("bandwidth-list", element, attribute,
                   fmt::format("{}={}: SimGrid takes one value for all", name, in_quotes(text)),
                   "one value; <link> and <route> for links that differ");
  }
  check_integers(findings, element);
  check_coordinates(findings, element);
}

}  // namespace vtopo::detail::lint
