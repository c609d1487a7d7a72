#include "sim/research/validation/machine_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

void take_interface(std::string_view key, std::string_view value, MachineParameters& parameters) {
  const auto slash = value.find('/');
  const BytesPerSecond bandwidth = parse_bandwidth(value.substr(0, slash));
  if (key == "injection") {
    parameters.injection = bandwidth;
    if (slash != std::string_view::npos)
      parameters.latency = parse_seconds(value.substr(slash + 1));
  } else if (key == "extraction") {
    parameters.limits_extraction = std::isfinite(bandwidth.value);
  } else {
    throw UsageError(fmt::format(
        "vtopo-{}={}: measured runs have one interface per host; accepted are vtopo-injection and "
        "vtopo-extraction",
        key, value));
  }
}

/// Three digits, of which more would be a pretence.
std::string rounded(double value) {
  return fmt::format("{}", std::stod(fmt::format("{:.2e}", value)));
}

}  // namespace

MachineParameters parameters_of(const PlatformProperties& properties) {
  MachineParameters parameters;
  for (const std::string_view piece : split(properties.interfaces, ',')) {
    if (piece.empty()) continue;
    const auto equals = piece.find('=');
    take_interface(piece.substr(0, equals), piece.substr(equals + 1), parameters);
  }
  const EndpointProperties& endpoint = properties.endpoint;
  if (endpoint.overhead) parameters.overhead = *endpoint.overhead;
  parameters.gap = endpoint.gap;
  if (endpoint.eager_limit) parameters.eager_limit = *endpoint.eager_limit;
  if (endpoint.reduction_bandwidth) parameters.reduction_bandwidth = *endpoint.reduction_bandwidth;
  if (endpoint.memory_bandwidth) parameters.memory_bandwidth = *endpoint.memory_bandwidth;
  return parameters;
}

std::string interface_keys(const MachineParameters& parameters) {
  const double bandwidth = parameters.injection.value;
  return fmt::format(",injection={}Bps/{}s,extraction={}", bandwidth, parameters.latency.value,
                     parameters.limits_extraction ? fmt::format("{}Bps", bandwidth) : "inf");
}

EndpointCosts costs_of(const MachineParameters& parameters) {
  EndpointCosts costs;
  costs.overhead = parameters.overhead;
  costs.gap = parameters.gap.value_or(costs.gap);
  costs.eager_limit = parameters.eager_limit;
  costs.handshake = (parameters.overhead + parameters.latency) * 2.0;
  costs.memory_bandwidth = parameters.memory_bandwidth;
  costs.reduction_bandwidth = parameters.reduction_bandwidth;
  return costs;
}

std::string property_lines(const MachineParameters& parameters) {
  std::string text;
  const auto add = [&](std::string_view id, const std::string& value) {
    text += fmt::format("    <prop id=\"vtopo-{}\" value=\"{}\"/>\n", id, value);
  };
  const std::string injection = rounded(parameters.injection.value / 1e9) + "GBps";
  add("injection", injection + "/" + rounded(parameters.latency.value * 1e9) + "ns");
  add("extraction", parameters.limits_extraction ? injection : "inf");
  add("overhead", rounded(parameters.overhead.value * 1e9) + "ns");
  if (parameters.gap) add("gap", rounded(parameters.gap->value * 1e9) + "ns");
  std::string limit = format_bytes(parameters.eager_limit);
  limit.erase(std::remove(limit.begin(), limit.end(), ' '), limit.end());
  add("eager-limit", limit);
  add("handshake", rounded(costs_of(parameters).handshake.value * 1e9) + "ns");
  add("reduction-bandwidth", rounded(parameters.reduction_bandwidth.value / 1e9) + "GBps");
  add("memory-bandwidth", rounded(parameters.memory_bandwidth.value / 1e9) + "GBps");
  return text;
}

const std::array<NamedParameter, 5>& named_parameters() {
  using Of = MachineParameters;
  static const std::array<NamedParameter, 5> all{
      {{"overhead_s", [](Of& of) -> double& { return of.overhead.value; }},
       {"latency_s", [](Of& of) -> double& { return of.latency.value; }},
       {"injection_Bps", [](Of& of) -> double& { return of.injection.value; }},
       {"reduction_Bps", [](Of& of) -> double& { return of.reduction_bandwidth.value; }},
       {"memory_Bps", [](Of& of) -> double& { return of.memory_bandwidth.value; }}}};
  return all;
}

}  // namespace vtopo::detail
