#include "netmodels/dragonfly/spec.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "topology/error.hpp"

namespace vtopo {

namespace {

void check_routing(const DragonflySpec& spec) {
  const Routing rule = spec.routing.rule;
  if (rule == Routing::positive || rule == Routing::split)
    throw UsageError(
        fmt::format("routing {} is a rule for ties on tori; a dragonfly accepts simgrid, ecmp, "
                    "valiant",
                    to_string(rule)));
  if (!spec.routing.simgrid_compatible) return;
  const auto refuse = [](const std::string& why) {
    throw UsageError("SimGrid 3.32 has no routes for a dragonfly with " + why);
  };
  if (rule != Routing::simgrid)
    refuse(fmt::format("routing {}; accepted: simgrid", to_string(rule)));
  if (spec.groups > spec.blades)
    refuse(fmt::format("more groups ({}) than blades per chassis ({})", spec.groups, spec.blades));
  if (spec.arrangement != GlobalArrangement::simgrid)
    refuse(fmt::format("arrangement {}; accepted: simgrid", arrangement_name(spec.arrangement)));
  if (spec.cables_per_pair != 1)
    refuse(fmt::format("{} cables between two groups; accepted: 1", spec.cables_per_pair));
}

void check_rates(const DragonflySpec& spec) {
  for (const LinkRates& rates :
       {spec.host_rates, spec.green_rates, spec.black_rates, spec.blue_rates}) {
    const double bandwidth = rates.bandwidth.value_or(spec.defaults.bandwidth).value;
    if (!std::isfinite(bandwidth) || bandwidth <= 0)
      throw UsageError(
          fmt::format("dragonfly bandwidth {}: accepted is a finite number > 0 in "
                      "bytes per second",
                      bandwidth));
    const double latency = rates.latency.value_or(spec.defaults.latency).value;
    if (!std::isfinite(latency) || latency < 0)
      throw UsageError(fmt::format(
          "dragonfly latency {}: accepted is a finite number >= 0 in seconds", latency));
  }
}

constexpr std::array<LinkRates DragonflySpec::*, 4> rates_of_colours{
    &DragonflySpec::host_rates, &DragonflySpec::green_rates, &DragonflySpec::black_rates,
    &DragonflySpec::blue_rates};

/// One cable of a colour.
LinkProperties cable(const DragonflySpec& spec, std::size_t colour) {
  const LinkRates& rates = spec.*rates_of_colours[colour];
  return {rates.bandwidth.value_or(spec.defaults.bandwidth),
          rates.latency.value_or(spec.defaults.latency)};
}

/// `value` in the unit that is `factor`, or as it is where reading that back would change it.
std::string in_unit(double value, double factor, const char* unit) {
  const std::string scaled = fmt::format("{:.15g}", value / factor);
  return std::stod(scaled) * factor == value ? scaled + unit : fmt::format("{}", value);
}

std::string description_of_rates(const DragonflySpec& spec) {
  std::array<std::string, 4> bandwidths, latencies;
  bool own_bandwidth = false, own_latency = false;
  for (std::size_t i = 0; i < 4; ++i) {
    const LinkRates& rates = spec.*rates_of_colours[i];
    own_bandwidth = own_bandwidth || rates.bandwidth;
    own_latency = own_latency || rates.latency;
    const LinkProperties one = cable(spec, i);
    bandwidths[i] = in_unit(one.bandwidth.value, 1e9, "GBps");
    latencies[i] = in_unit(one.latency.value, 1e-9, "ns");
  }
  std::string text;
  if (own_bandwidth) text += fmt::format(",bandwidth={}", fmt::join(bandwidths, "/"));
  if (own_latency) text += fmt::format(",latency={}", fmt::join(latencies, "/"));
  return text;
}

}  // namespace

const DragonflySpec& checked_dragonfly(const DragonflySpec& spec) {
  check_routing(spec);
  check_rates(spec);
  return spec;
}

LinkProperties dragonfly_link(const DragonflySpec& spec, DragonflyColour colour) {
  const std::array<int, 4> cables{1, spec.green_links, spec.black_links, spec.blue_links};
  LinkProperties properties = cable(spec, static_cast<std::size_t>(colour));
  properties.bandwidth = properties.bandwidth * cables[static_cast<std::size_t>(colour)];
  return properties;
}

std::string dragonfly_description(const DragonflySpec& spec) {
  std::string text =
      fmt::format("dragonfly:{},{};{},{};{},{};{}", spec.groups, spec.blue_links, spec.chassis,
                  spec.black_links, spec.blades, spec.green_links, spec.hosts_per_blade);
  if (spec.arrangement != GlobalArrangement::simgrid)
    text += fmt::format(",arrangement={}", arrangement_name(spec.arrangement));
  if (spec.cables_per_pair != 1) text += fmt::format(",pair_links={}", spec.cables_per_pair);
  return text + description_of_rates(spec);
}

}  // namespace vtopo
