#include "sim/research/validation/measured_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "netmodels/host_names.hpp"
#include "sim/placement/host_selection.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/library_rules.hpp"
#include "topology/patterns/collectives.hpp"

namespace vtopo::detail {

namespace {

double last(const std::vector<double>& times) {
  return *std::max_element(times.begin(), times.end());
}

}  // namespace

std::string_view pattern_options(const MeasuredPoint& point) {
  const LibraryAlgorithm* row =
      find_library_algorithm(library_of(point.library), point.collective, point.algorithm);
  return row == nullptr ? std::string_view() : row->options;
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

std::shared_ptr<const Network> MeasuredMachine::whole_network(Routing rule) const {
  const auto load = [&](Routing one) {
    PlatformOptions options;
    options.routing = one;
    options.interfaces = interface_keys(parameters_);
    return load_platform(platform_, options);
  };
  return depends_on_traffic(rule) ? make_traffic_routing(rule, load) : load(rule);
}

std::shared_ptr<const Network> MeasuredMachine::job_network(const MeasuredPoint& point,
                                                            Routing rule) const {
  const std::string& job = properties_.job_network;
  const auto place = job.find("{}");
  if (place == std::string::npos)
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
  return make_network(
      job.substr(0, place) + point.nodes + job.substr(place + 2) + interface_keys(parameters_),
      defaults, {rule});
}

std::shared_ptr<const Network> MeasuredMachine::network_of(const MeasuredPoint& point,
                                                           Routing rule) const {
  return parse_integer(point.nodes) ? whole_network(rule) : job_network(point, rule);
}

MeasuredMachine::Place& MeasuredMachine::place_of(const MeasuredPoint& point) {
  Place& place = places_[place_key(point) + interface_keys(parameters_)];
  if (place.network) return place;
  place.network = network_of(point, rule());
  const std::vector<HostId> hosts = hosts_of(point, *place.network);
  place.clock = std::make_unique<StepClock>(*place.network, hosts);
  place.contention_free = std::make_unique<StepClock>(*place.network, hosts, NetworkSharing::alone);
  return place;
}

RunPlaces MeasuredMachine::places(const MeasuredPoint& point) const {
  RunPlaces places{network_of(point, Routing::simgrid), {}};
  places.hosts = hosts_of(point, *places.network);
  return places;
}

std::vector<HostId> MeasuredMachine::hosts_of(const MeasuredPoint& point,
                                              const Network& network) const {
  const bool is_shape = !parse_integer(point.nodes);
  const std::string file = is_shape ? platform_ : allocation_file(folder_, point);
  std::vector<HostId> hosts =
      is_shape ? working_hosts(network) : read_hosts_of_ranks(file, network);
  std::set<std::string> nodes;
  for (const HostId host : hosts) nodes.insert(network.host_place(host).node);
  if (int_size(hosts) == point.ranks && int_size(nodes) == point.num_nodes()) return hosts;
  throw input_error(
      {file},
      fmt::format("{} on {} for the run \"{}\" of {}, which has {} on {}; expected {}",
                  counted(hosts.size(), "rank"), counted(nodes.size(), "node"), point.run,
                  point.machine, counted(point.ranks, "rank"), counted(point.num_nodes(), "node"),
                  is_shape ? "one rank per node of a shape" : "a line per rank"));
}

void MeasuredMachine::check(const std::vector<MeasuredPoint>& points) const {
  std::set<std::string> known;
  std::shared_ptr<const Network> whole;
  for (const MeasuredPoint& point : points) {
    if (!known.insert(place_key(point)).second) continue;
    const bool is_shape = !parse_integer(point.nodes);
    if (!is_shape && !whole) whole = whole_network(rule());
    hosts_of(point, is_shape ? *job_network(point, rule()) : *whole);
  }
}

Prediction MeasuredMachine::predict(const MeasuredPoint& point) {
  const std::string_view library = library_of(point.library);
  const LibraryAlgorithm* row = find_library_algorithm(library, point.collective, point.algorithm);
  if (row == nullptr)
    return {{}, {}, fmt::format("no algorithm \"{}\" of {} is known", point.algorithm, library)};
  if (row->options.empty()) return {{}, {}, std::string(row->note)};
  const Bytes volume = call_volume(point);
  const auto spec = parse_patterns(fmt::format("{}:{}", point.collective, row->options)).front();
  CommunicationSteps steps;
  try {
    steps = collective_steps(with_algorithm(spec, point.ranks, volume), point.ranks, volume);
  } catch (const UsageError& error) {
    return {{}, {}, error.what()};
  }
  Place& place = place_of(point);
  const EndpointCosts costs = costs_of(parameters_);
  return {Seconds{last(place.clock->finish_times(steps, volume, costs))},
          Seconds{last(place.contention_free->finish_times(steps, volume, costs))},
          {}};
}

}  // namespace vtopo::detail
