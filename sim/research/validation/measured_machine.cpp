#include "sim/research/validation/measured_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/host_names.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/placement/host_selection.hpp"
#include "sim/research/validation/job_layout.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/library_rules.hpp"

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

double last(const std::vector<double>& times) {
  return *std::max_element(times.begin(), times.end());
}

}  // namespace

MachineParameters parameters_of(const PlatformProperties& properties) {
  MachineParameters parameters;
  const std::string& process = properties.process_interfaces;
  for (const std::string_view piece :
       split(process.empty() ? properties.interfaces : process, ',')) {
    if (piece.empty()) continue;
    const auto equals = piece.find('=');
    take_interface(piece.substr(0, equals), piece.substr(equals + 1), parameters);
  }
  const EndpointProperties& endpoint = properties.endpoint;
  if (endpoint.overhead) parameters.overhead = *endpoint.overhead;
  parameters.noise = endpoint.noise;
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
  costs.handshake = parameters.overhead * 2.0;
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
  if (parameters.noise) add("noise", fmt::format("{:.2g}", *parameters.noise));
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

namespace {

/// `BINE-B_CONT-UTOFU-65536-4`: partners, how much they exchange, bytes of a segment, ports.
std::string utofu_options(const MeasuredPoint& point) {
  const auto words = split(point.algorithm, '-');
  const std::string_view of = "utofu";
  if (point.library != of || point.collective != "allreduce" || words.size() != 5 ||
      words[2] != "UTOFU")
    return {};
  const auto segment = parse_integer(words[3]), ports = parse_integer(words[4]);
  const bool is_bine = words[0] == "BINE", is_halving = words[1] == "B_CONT";
  if ((!is_bine && words[0] != "RECDOUB") || (!is_halving && words[1] != "L") || !segment ||
      *segment < 0 || (!is_halving && *segment > 0) || !ports || *ports < 1 || *ports > max_ports)
    return {};
  return fmt::format("algorithm=torus_{},order={},shape={},ports={}{}",
                     is_halving ? "halving" : "doubling", is_bine ? "bine" : "xor",
                     parse_integer(point.nodes) ? std::to_string(point.ranks) : point.nodes, *ports,
                     *segment > 0 ? fmt::format(",segment={}", *segment) : "");
}

/// The pattern; all messages of an alltoall at once go in parts of so many that a step fits into
/// memory.
PatternSpec in_memory(PatternSpec spec, int ranks) {
  constexpr int most_messages = 1 << 22;
  const auto algorithm = spec.options.find("algorithm");
  if (spec.name == "alltoall" && algorithm != spec.options.end() && algorithm->second == "linear" &&
      most_messages / ranks < ranks - 1)
    spec.options.try_emplace("window", std::to_string(std::max(most_messages / ranks, 1)));
  return spec;
}

/// How many interfaces of a node a rank uses at once: those of Fugaku have one for each port.
double interfaces_of(const PatternSpec& spec) {
  constexpr double most = 6;
  const auto ports = spec.options.find("ports");
  if (ports == spec.options.end()) return 1;
  return std::min(most, static_cast<double>(parse_integer(ports->second).value()));
}

}  // namespace

std::string pattern_options(const MeasuredPoint& point) {
  if (const std::string options = utofu_options(point); !options.empty()) return options;
  const LibraryAlgorithm* row =
      find_library_algorithm(library_of(point.library), point.collective, point.algorithm);
  return row == nullptr ? std::string() : std::string(row->options);
}

Bytes call_volume(const MeasuredPoint& point) {
  constexpr std::array<std::string_view, 3> whole{"allreduce", "bcast", "reduce"};
  const bool is_whole = std::find(whole.begin(), whole.end(), point.collective) != whole.end();
  return is_whole ? point.bytes : Bytes{point.bytes.value / point.ranks};
}

MeasuredMachine::MeasuredMachine(std::string folder, std::string platform)
    : folder_(std::move(folder)),
      platform_(std::move(platform)),
      properties_(read_platform_properties(platform_)),
      parameters_(parameters_of(properties_)) {
  if (properties_.network.empty())
    throw InputError(
        fmt::format("\"{}\" has no property vtopo-network; a measured machine needs its network as "
                    "a property, so that its interfaces can be set beside it",
                    platform_));
}

std::shared_ptr<const Network> MeasuredMachine::whole_network(Routing rule,
                                                              const std::string& interfaces) const {
  const auto load = [&](Routing one) {
    PlatformOptions options;
    options.routing = one;
    options.interfaces = interfaces;
    return load_platform(platform_, options);
  };
  return depends_on_traffic(rule) ? make_traffic_routing(rule, load) : load(rule);
}

std::shared_ptr<const Network> MeasuredMachine::job_network(const MeasuredPoint& point,
                                                            Routing rule,
                                                            const std::string& interfaces) const {
  if (properties_.job_network.empty())
    throw UsageError(fmt::format(
        "\"{}\": nodes {} of {} are a shape; the property vtopo-job-network of the file must say "
        "what a job of a shape sees, such as hyperx:{{}}",
        platform_, point.nodes, point.machine));
  PlatformOptions options;
  options.interfaces = "";
  const LinkProperties link = load_platform(platform_, options)->link(LinkId{0});
  NetworkDefaults defaults;
  defaults.bandwidth = link.bandwidth;
  defaults.latency = link.latency;
  return make_network(lay_out_job(properties_.job_network, point.nodes).network + interfaces,
                      defaults, {rule});
}

std::shared_ptr<const Network> MeasuredMachine::network_of(const MeasuredPoint& point, Routing rule,
                                                           const std::string& interfaces) const {
  return parse_integer(point.nodes) ? whole_network(rule, interfaces)
                                    : job_network(point, rule, interfaces);
}

MeasuredMachine::Place& MeasuredMachine::place_of(const MeasuredPoint& point,
                                                  const std::string& interfaces) {
  Place& place = places_[place_key(point) + interfaces];
  if (place.network) return place;
  place.network = network_of(point, rule(), interfaces);
  const std::vector<HostId> hosts = hosts_of(point, *place.network);
  place.clock = std::make_unique<StepClock>(*place.network, hosts);
  place.contention_free = std::make_unique<StepClock>(*place.network, hosts, NetworkSharing::alone);
  return place;
}

RunPlaces MeasuredMachine::places(const MeasuredPoint& point) const {
  RunPlaces places{network_of(point, Routing::simgrid, interface_keys(parameters_)), {}};
  places.hosts = hosts_of(point, *places.network);
  return places;
}

std::vector<HostId> MeasuredMachine::hosts_of_shape(const MeasuredPoint& point,
                                                    const Network& network) const {
  std::vector<HostId> nodes = lay_out_job(properties_.job_network, point.nodes).hosts;
  if (nodes.empty()) nodes = working_hosts(network);
  std::vector<HostId> hosts;
  for (const HostId node : nodes) hosts.insert(hosts.end(), index(point.tasks_per_node), node);
  return hosts;
}

std::vector<HostId> MeasuredMachine::hosts_of(const MeasuredPoint& point,
                                              const Network& network) const {
  const bool is_shape = !parse_integer(point.nodes);
  const std::string file = is_shape ? platform_ : allocation_file(folder_, point);
  std::vector<HostId> hosts =
      is_shape ? hosts_of_shape(point, network) : read_hosts_of_ranks(file, network);
  std::set<std::string> nodes;
  for (const HostId host : hosts) nodes.insert(network.host_place(host).node);
  if (int_size(hosts) == point.ranks && int_size(nodes) == point.num_nodes()) return hosts;
  throw input_error(
      {file},
      fmt::format(
          "{} on {} for the run \"{}\" of {}, which has {} on {}; expected {}",
          counted(hosts.size(), "rank"), counted(nodes.size(), "node"), point.run, point.machine,
          counted(point.ranks, "rank"), counted(point.num_nodes(), "node"),
          is_shape ? "a node of the job network for each of the shape" : "a line per rank"));
}

void MeasuredMachine::check(const std::vector<MeasuredPoint>& points) const {
  std::set<std::string> known;
  std::shared_ptr<const Network> whole;
  const std::string interfaces = interface_keys(parameters_);
  for (const MeasuredPoint& point : points) {
    if (!known.insert(place_key(point)).second) continue;
    const bool is_shape = !parse_integer(point.nodes);
    if (!is_shape && !whole) whole = whole_network(rule(), interfaces);
    hosts_of(point, is_shape ? *job_network(point, rule(), interfaces) : *whole);
  }
}

Prediction MeasuredMachine::predict(const MeasuredPoint& point) {
  const std::string_view library = library_of(point.library);
  const std::string options = pattern_options(point);
  if (options.empty()) {
    const LibraryAlgorithm* row =
        find_library_algorithm(library, point.collective, point.algorithm);
    if (row != nullptr) return {{}, {}, std::string(row->note)};
    return {{}, {}, fmt::format("no algorithm \"{}\" of {} is known", point.algorithm, library)};
  }
  const Bytes volume = call_volume(point);
  const auto spec = parse_patterns(fmt::format("{}:{}", point.collective, options)).front();
  CommunicationSteps steps;
  try {
    const auto chosen = in_memory(with_algorithm(spec, point.ranks, volume), point.ranks);
    steps = collective_steps(chosen, point.ranks, volume);
  } catch (const UsageError& error) {
    return {{}, {}, error.what()};
  }
  MachineParameters machine = parameters_;
  EndpointCosts costs = costs_of(machine);
  if (point.library == "utofu") {  // puts into known buffers, by as many interfaces as ports
    costs.eager_limit = Bytes{std::numeric_limits<double>::infinity()};
    machine.injection.value *= interfaces_of(spec);
  }
  Place& place = place_of(point, interface_keys(machine));
  return {Seconds{last(place.clock->finish_times(steps, volume, costs))},
          Seconds{last(place.contention_free->finish_times(steps, volume, costs))},
          {}};
}

}  // namespace vtopo::detail
