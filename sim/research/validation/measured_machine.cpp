#include "sim/research/validation/measured_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "netmodels/host_names.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/host_selection.hpp"
#include "sim/research/validation/job_layout.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
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
  parameters.handshake = endpoint.handshake;
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
  costs.handshake = parameters.handshake.value_or(parameters.overhead * 2.0);
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

/// Steps and rounds that are timed for all of a collective of thousands of ranks.
struct SampledSteps {
  CommunicationSteps steps;
  double each = 1;    ///< steps that one of these stands for
  double rounds = 1;  ///< rounds that one stands for
};

/// One of so many, spread by the golden ratio so that no size of a network is a multiple of their
/// distance.
std::int64_t spread(std::int64_t k, double distance) {
  constexpr double golden = 0.6180339887498949;
  const double at = static_cast<double>(k + 1) * golden;
  return static_cast<std::int64_t>((static_cast<double>(k) + at - std::floor(at)) * distance);
}

constexpr std::int64_t most_messages = 1 << 20;

/// Of many steps of as many messages each (alltoall, neighbor exchange) some stand for all.
void sample_steps(SampledSteps& sample) {
  const StepSequence all = sample.steps.steps;
  const auto messages = std::max<std::int64_t>(std::ssize(all[0].messages), 1);
  if (all.size() * messages <= most_messages) return;
  const std::int64_t count = std::clamp<std::int64_t>(most_messages / messages, 1, all.size());
  sample.each = static_cast<double>(all.size()) / static_cast<double>(count);
  sample.steps.steps = {};
  sample.steps.steps.append(
      count, [all, each = sample.each](std::int64_t k) { return all[spread(k, each)]; });
}

/// All messages of an alltoall at once: those to some distances in rank stand for all of them.
bool is_at_once(const PatternSpec& spec, const MeasuredPoint& point) {
  const auto algorithm = spec.options.find("algorithm");
  return point.collective == "alltoall" && algorithm != spec.options.end() &&
         algorithm->second == "linear" && spec.options.count("window") == 0 &&
         std::int64_t{point.ranks} * point.ranks > most_messages;
}

SampledSteps sampled_at_once(CommunicationSteps all, int ranks) {
  const std::int64_t count = std::max<std::int64_t>(most_messages / ranks, 1);
  SampledSteps sample{std::move(all), (ranks - 1.0) / static_cast<double>(count)};
  sample.steps.steps = {};
  CommunicationStep step;
  for (int source = 0; source < ranks; ++source)
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t shift = 1 + spread(k, sample.each);
      step.messages.push_back({source, static_cast<int>((source + shift) % ranks), 1});
    }
  sample.steps.steps.push_back(std::move(step));
  return sample;
}

/// Of the many rounds of a ring the first ones, in all of its steps as many.
void sample_rounds(SampledSteps& sample) {
  constexpr std::int64_t most_in_rounds = 2 * most_messages, fewest_rounds = 64;
  const StepSequence all = sample.steps.steps;
  const CommunicationStep first = all[0];
  const std::int64_t messages = std::max<std::int64_t>(std::ssize(first.messages), 1);
  const std::int64_t rounds = std::max(most_in_rounds / messages, fewest_rounds);
  if (rounds >= first.rounds) return;
  for (std::int64_t k = 0; k < all.size(); ++k)
    if (all[k].rounds != first.rounds) return;
  sample.rounds = static_cast<double>(first.rounds) / static_cast<double>(rounds);
  sample.steps.steps = {};
  sample.steps.steps.append(all.size(), [all, rounds](std::int64_t k) {
    CommunicationStep step = all[k];
    step.rounds = rounds;
    return step;
  });
}

SampledSteps sampled(CommunicationSteps all, const MeasuredPoint& point) {
  SampledSteps sample{std::move(all)};
  const bool is_even = point.collective == "alltoall" || point.collective == "allgather";
  if (sample.steps.steps.empty()) return sample;
  if (sample.steps.steps.size() <= 2) sample_rounds(sample);
  if (is_even) sample_steps(sample);
  return sample;
}

/// When the last rank has ended all steps. Rounds that were not timed take as long as those of
/// the second half of them.
Seconds end_of(StepClock& clock, const SampledSteps& sample, Bytes volume,
               const EndpointCosts& costs) {
  const double copies = (sample.steps.copied(volume) / costs.memory_bandwidth).value;
  double time = last(clock.finish_times(sample.steps, volume, costs)) - copies;
  if (sample.rounds > 1) {
    CommunicationSteps half = sample.steps;
    half.steps = {};
    half.steps.append(sample.steps.steps.size(), [&sample](std::int64_t k) {
      CommunicationStep step = sample.steps.steps[k];
      step.rounds /= 2;
      return step;
    });
    const double second = time + copies - last(clock.finish_times(half, volume, costs));
    time += 2 * second * (sample.rounds - 1);
  }
  return Seconds{copies + time * sample.each};
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
  SampledSteps sample;
  try {
    const auto chosen = with_algorithm(spec, point.ranks, volume);
    auto steps = collective_steps(chosen, point.ranks, volume);
    sample = is_at_once(chosen, point) ? sampled_at_once(std::move(steps), point.ranks)
                                       : sampled(std::move(steps), point);
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
  return {end_of(*place.clock, sample, volume, costs),
          end_of(*place.contention_free, sample, volume, costs),
          sample.each * sample.rounds > 1
              ? fmt::format("one in {:.3g} of its steps was timed", sample.each * sample.rounds)
              : std::string()};
}

}  // namespace vtopo::detail
