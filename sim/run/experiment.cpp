#include "sim/run/experiment.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sim/clock/programs/sent_volumes.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/run/guest.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/rows.hpp"
#include "sim/scenario/pieces.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_slots = 1'000'000;  ///< as `--slots`

/// Refuses what would fill the memory before an answer: the largest arrays hold one entry per
/// directed link of the network and per edge of the guest.
void check_memory(double links, double edges) {
  constexpr double bytes_per_link = 64, bytes_per_edge = 64;
  const double needed = links * bytes_per_link + edges * bytes_per_edge;
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > present)
    throw InputError(
        fmt::format("{:.3g} directed links{} need about {} of memory; this machine "
                    "has {}",
                    links, edges > 0 ? fmt::format(" and {:.3g} edges", edges) : "",
                    format_bytes({needed}), format_bytes({present})));
}

/// The guest fits into the allocation, and with the network into the memory.
void check_size(const Experiment& experiment, int ranks, double edges) {
  check_fit(ranks, experiment.allocation);
  check_memory(experiment.network->num_links(), edges);
}

/// @throws UsageError, for a list that says how several are given.
GuestTopology parse_one_topology(const std::string& spec) {
  const auto is_one = [](std::string_view piece) {
    try {
      parse_guest_topology(piece);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  try {
    return parse_guest_topology(spec);
  } catch (const UsageError&) {
    const auto pieces = split(spec, ',');
    if (pieces.size() < 2 || !std::all_of(pieces.begin(), pieces.end(), is_one)) throw;
    throw UsageError(
        fmt::format("topology \"{}\" is a list: vtopo compare takes several, each with "
                    "its own --topology, such as --topology {} --topology {}",
                    spec, pieces[0], pieces[1]));
  }
}

/// The grid that divides a domain, in whatever order its ranks are numbered.
const Cartesian* dividing_grid(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind))
    return stencil->volume_class == VolumeClass::dimension ? &stencil->grid : nullptr;
  const auto* any = std::get_if<VirtualTopology>(&topology.kind);
  return any == nullptr ? nullptr : std::get_if<Cartesian>(any);
}

/// Per directed edge, or one per dimension.
std::vector<Bytes> volumes_on(const std::optional<GuestTopology>& topology, const std::string& spec,
                              const ExchangeVolumes& volumes) {
  const auto* domain = std::get_if<DividedDomain>(&volumes);
  if (domain == nullptr) return std::get<std::vector<Bytes>>(volumes);
  const Cartesian* grid = topology ? dividing_grid(*topology) : nullptr;
  if (grid == nullptr)
    throw UsageError(fmt::format(
        "--domain {}: \"{}\" does not divide it by faces; accepted are cart: and stencils with "
        "neighbours along dimensions",
        domain->text, spec));
  return halo_volumes(*grid, domain->sizes, domain->element);
}

/// Edges of the phases and of their sum.
double num_edges(const Schedule& schedule) {
  double edges = 0;
  for (const SchedulePhase& phase : schedule.phases)
    edges += 2 * static_cast<double>(phase.traffic.num_edges());
  return edges;
}

/// Reads a source of the guest: first what needs no network, then, once it and the allocation are
/// there, the rest.
class GuestBuilder {
 public:
  GuestBuilder(Observer& observer, Experiment& experiment)
      : observer_(observer), experiment_(experiment) {}

  void read(const TraceSource& source) {
    const auto work = observer_.begin("reading " + source.path);
    experiment_.trace = std::make_shared<const Trace>(read_trace(source.path, source.options));
    for (const std::string& sentence : experiment_.trace->cuts) observer_.remark(sentence);
  }
  void read(const TopologySource& source) { read_topology(source.spec); }
  void read(const ScheduleSource& source) {
    if (!source.topology.empty()) read_topology(source.topology);
  }
  void read(const TrafficSource&) {}

  void build(const TraceSource& source) {
    const Trace& trace = *experiment_.trace;
    check_fit(trace.program.num_ranks(), experiment_.allocation);
    experiment_.guest = traffic_of(trace.program);
    experiment_.guest_text = fmt::format("{} ({}{}): {}, {}, {}", source.path, trace.format,
                                         trace.cuts.empty() ? "" : ", up to where it is cut off",
                                         counted(experiment_.guest.num_ranks(), "rank"),
                                         counted(num_messages(trace.program), "message"),
                                         format_bytes(experiment_.guest.total_volume()));
  }

  void build(const TopologySource& source) {
    const std::vector<Bytes> volumes = volumes_on(topology_, source.spec, source.volumes);
    check_size(experiment_, num_ranks(*topology_), max_edges(*topology_));
    if (source.patterns.empty()) {
      experiment_.guest = make_comm_graph(*topology_, volumes);
      return describe(source.spec);
    }
    follow(make_schedule(source.patterns, *topology_, volumes), source.barriers);
    describe(source.spec + ", " + source.patterns_text);
  }

  void build(const ScheduleSource& source) {
    if (topology_) check_size(experiment_, num_ranks(*topology_), max_edges(*topology_));
    const std::vector<Bytes> volumes = volumes_on(topology_, source.topology, source.volumes);
    follow(read_schedule_file(source.file, topology_, volumes, observer_), source.barriers);
    describe((source.topology.empty() ? "" : source.topology + ", ") + source.file);
  }

  void build(const TrafficSource& source) {
    CommGraph recorded = source.graph ? *source.graph : read_traffic(source);
    experiment_.guest = source.per_message ? per_message(recorded) : std::move(recorded);
    experiment_.recorded = !source.per_message;
    check_size(experiment_, experiment_.guest.num_ranks(), 0);
    describe(source.path);
  }

 private:
  void read_topology(const std::string& spec) {
    topology_ = parse_one_topology(with_model(spec));
    if (const Cartesian* grid = grid_of(*topology_)) experiment_.grid = *grid;
  }

  CommGraph read_traffic(const TrafficSource& source) const {
    RecordedTraffic recorded = read_recorded_traffic(source.path, source.options);
    for (const std::string& sentence : recorded.remarks) observer_.remark(sentence);
    return std::move(recorded.graph);
  }

  void follow(Schedule schedule, bool barriers) {
    if (barriers) schedule.barriers = true;
    check_size(experiment_, schedule.phases.front().traffic.num_ranks(), num_edges(schedule));
    experiment_.guest = aggregated(schedule);
    experiment_.schedule = std::move(schedule);
  }

  void describe(const std::string& name) {
    experiment_.guest_text =
        fmt::format("{}: {}, {}, {}", name, counted(experiment_.guest.num_ranks(), "rank"),
                    counted(experiment_.guest.num_edges(), "directed edge"),
                    format_bytes(experiment_.guest.total_volume()));
    if (experiment_.schedule)
      experiment_.guest_text += ", " + counted(experiment_.schedule->phases.size(), "phase");
  }

  Observer& observer_;
  Experiment& experiment_;
  std::optional<GuestTopology> topology_;
};

void build_host(const NetworkSource& source, const JobHosts& job, Observer& observer,
                Experiment& experiment) {
  LoadedNetwork loaded = load_network(source, observer);
  experiment.network = std::move(loaded.network);
  experiment.endpoint = loaded.endpoint;
  check_memory(experiment.network->num_links(), 0);  // before all hosts are listed
  experiment.network_text = loaded.text;
  const auto* slots = std::get_if<std::vector<int>>(&job.slots);
  Allocation& allocation = experiment.allocation;
  allocation = make_allocation(*experiment.network, job.hosts,
                               slots != nullptr ? *slots : std::vector<int>{1}, job.seed);
  // Any number of ranks fits until they are counted.
  if (slots == nullptr) std::fill(allocation.slots.begin(), allocation.slots.end(), max_slots);
}

/// By ranks per host, or by their weights where the traffic has any.
void balance(const GuestSource& source, double imbalance, Experiment& experiment) {
  Allocation& allocation = experiment.allocation;
  const int ranks = experiment.guest.num_ranks(), hosts = allocation.num_hosts();
  if (const auto* traffic = std::get_if<TrafficSource>(&source))
    experiment.balance = rank_balance(*traffic, imbalance, hosts);
  std::fill(allocation.slots.begin(), allocation.slots.end(),
            experiment.balance ? experiment.balance->most_ranks()
                               : balanced_slots(ranks, hosts, imbalance));
}

void read_background(const std::string& path, Experiment& experiment) {
  const auto flows = read_host_flows(path, *experiment.network);
  PlacedTraffic traffic = placed_traffic(flows);
  Metrics alone = evaluate(traffic.guest, *experiment.network, traffic.embedding);
  std::string text =
      fmt::format("{}: {} of other jobs, {}, busiest link {}", path, counted(flows.size(), "flow"),
                  format_bytes(alone.total_volume), format_seconds(alone.max_congestion));
  experiment.background = Background{std::move(traffic), std::move(alone), std::move(text)};
}

Experiment build(const GuestSource& guest, const NetworkSource& network, const JobHosts& job,
                 Observer& observer) {
  Experiment experiment;
  GuestBuilder builder(observer, experiment);
  std::visit([&](const auto& source) { builder.read(source); }, guest);
  build_host(network, job, observer, experiment);
  std::visit([&](const auto& source) { builder.build(source); }, guest);
  if (const auto* imbalance = std::get_if<double>(&job.slots))
    balance(guest, *imbalance, experiment);
  experiment.network_text +=
      fmt::format(": {}, {}; allocated: {}, {}", counted(experiment.network->num_hosts(), "host"),
                  counted(experiment.network->num_links(), "directed link"),
                  counted(experiment.allocation.num_hosts(), "host"),
                  counted(experiment.allocation.num_slots(), "slot"));
  if (!job.background.empty()) read_background(job.background, experiment);
  return experiment;
}

/// Whether the network's rule, which a file states, sees only the whole traffic, and what is to be
/// simulated needs the route of each message.
bool needs_other_rule(const NetworkSource& source, const Experiment& experiment) {
  if (source.routing.rule != Routing::automatic || experiment.network->routed({}) == nullptr)
    return false;
  return has_costs_between_hosts(source.endpoint) || follows_messages(experiment);
}

}  // namespace

Experiment build_experiment(const GuestSource& guest, const NetworkSource& network,
                            const JobHosts& job, Observer& observer) {
  Experiment experiment = build(guest, network, job, observer);
  if (!needs_other_rule(network, experiment)) return experiment;
  observer.remark(fmt::format(
      "routing simgrid instead of {}, which \"{}\" states: it follows from a whole traffic, not "
      "from single messages",
      to_string(experiment.network->routing()), std::get<MachineFile>(network.from).path));
  NetworkSource by_message = network;
  by_message.routing.rule = Routing::simgrid;
  return build(guest, by_message, job, observer);
}

}  // namespace vtopo::detail

namespace vtopo {

using namespace detail;

Experiment build_experiment(const Scenario& scenario, Observer& observer) {
  return build_experiment(guest_source(scenario), network_source(scenario), job_of(scenario),
                          observer);
}

}  // namespace vtopo
