#include "sim/run/experiment.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/graph/link_graph.hpp"
#include "sim/clock/programs/sent_volumes.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/placement/host_selection.hpp"
#include "sim/run/guest.hpp"
#include "sim/run/job_times.hpp"
#include "sim/run/rows.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "sim/scenario/pieces.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/pattern.hpp"

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
        fmt::format("{:.3g} directed links{} need about {} of memory; this machine has {}", links,
                    edges > 0 ? fmt::format(" and {:.3g} edges", edges) : "",
                    format_bytes({needed}), format_bytes({present})));
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

/// Hosts of the network that are places of its first node, such as GPUs; 1: hosts are nodes.
int places_per_node(const Network& network) {
  if (!network.host_place(HostId{0}).core) return 1;
  int places = 1;
  while (places < network.num_hosts() &&
         network.host_place(HostId{places}).node == network.host_place(HostId{0}).node)
    ++places;
  return places;
}

/// Reads a source of the guest: first what needs no network, then, once it and the allocation are
/// there, the rest.
class GuestBuilder {
 public:
  /// @param raises_slots whether nodes take as many ranks as it needs, where one is too few.
  GuestBuilder(bool raises_slots, const JobHosts& job, Observer& observer, Experiment& experiment)
      : raises_slots_(raises_slots), job_(job), observer_(observer), experiment_(experiment) {}

  void read(const TraceSource& source) {
    const auto work = observer_.begin("reading " + source.path);
    experiment_.trace = std::make_shared<const Trace>(read_trace(source.path, source.options));
    for (const std::string& sentence : experiment_.trace->cuts) observer_.remark(sentence);
  }
  void read(const TopologySource& source) {
    read_topology(source.spec);
    const int ranks = num_ranks(*topology_);
    if (source.ranks && *source.ranks != ranks)
      throw UsageError(
          fmt::format("--ranks {}: {} has {} ranks", *source.ranks, source.spec, ranks));
    if (!source.assumed.empty()) observer_.remark(source.assumed);
    remark_volumes(source.volumes, source.patterns);
  }
  void read(const ScheduleSource& source) {
    if (!source.topology.empty()) read_topology(source.topology);
  }
  void read(const TrafficSource&) {}

  void build(const TraceSource& source) {
    const Trace& trace = *experiment_.trace;
    fit(trace.program.num_ranks());
    check_slots(trace.program.num_ranks());
    experiment_.guest = traffic_of(trace.program);
    experiment_.guest_text = fmt::format("{} ({}{}): {}, {}, {}", source.path, trace.format,
                                         trace.cuts.empty() ? "" : ", up to where it is cut off",
                                         counted(experiment_.guest.num_ranks(), "rank"),
                                         counted(num_messages(trace.program), "message"),
                                         format_bytes(experiment_.guest.total_volume()));
  }

  void build(const TopologySource& source) {
    const std::vector<Bytes> volumes = volumes_on(topology_, source.spec, source.volumes);
    if (const auto* program = std::get_if<ParallelProgram>(&topology_->kind))
      experiment_.assumptions.insert(experiment_.assumptions.end(), program->assumptions.begin(),
                                     program->assumptions.end());
    fit(num_ranks(*topology_));
    check_size(num_ranks(*topology_), max_edges(*topology_));
    if (source.patterns.empty()) {
      experiment_.guest = make_comm_graph(*topology_, volumes);
      return describe(source.spec);
    }
    std::vector<PatternSpec> patterns;
    for (const PatternSpec& spec : source.patterns)
      patterns.push_back(on_nodes(spec, {*experiment_.network, experiment_.allocation}));
    follow(make_schedule(patterns, *topology_, volumes), source.barriers);
    describe(source.spec + ", " + source.patterns_text);
  }

  void build(const ScheduleSource& source) {
    if (topology_) {
      fit(num_ranks(*topology_));
      check_size(num_ranks(*topology_), max_edges(*topology_));
    }
    const std::vector<Bytes> volumes = volumes_on(topology_, source.topology, source.volumes);
    follow(read_schedule_file(source.file, topology_, volumes,
                              {*experiment_.network, experiment_.allocation}, observer_),
           source.barriers);
    describe((source.topology.empty() ? "" : source.topology + ", ") + source.file);
  }

  void build(const TrafficSource& source) {
    CommGraph recorded = source.graph ? *source.graph : read_traffic(source);
    experiment_.guest = source.per_message ? per_message(recorded) : std::move(recorded);
    experiment_.recorded = !source.per_message;
    fit(experiment_.guest.num_ranks());
    check_size(experiment_.guest.num_ranks(), 0);
    describe(source.path);
  }

 private:
  /// Nodes of a machine have many cores: without a number of ranks per node they take enough.
  void fit(int ranks) {
    std::vector<int>& slots = experiment_.allocation.slots;
    const int hosts = experiment_.allocation.num_hosts();
    const bool one_each = std::all_of(slots.begin(), slots.end(), [](int n) { return n == 1; });
    if (!raises_slots_ || !one_each || ranks <= hosts) return;
    const int each = (ranks - 1) / hosts + 1;
    if (const int places = places_per_node(*experiment_.network); places > 1)
      throw UsageError(fmt::format(
          "{} on {}: a host of this machine is one of {} places of a node (a GPU, a socket); "
          "--hosts node:0-{} takes all places of {}, --slots {} puts {} ranks on each place",
          counted(ranks, "rank"), counted(hosts, "host"), places, (ranks - 1) / places,
          counted((ranks - 1) / places + 1, "node"), each, each));
    slots.assign(slots.size(), each);
    observer_.remark(fmt::format("{} on {}: up to {} on each; --ranks-per-node changes that",
                                 counted(ranks, "rank"), counted(hosts, "node"), each));
  }

  /// The ranks fit into the allocation, perhaps with the slots of an embedding's file.
  void check_slots(int ranks) {
    Allocation& allocation = experiment_.allocation;
    if (job_.file_format != nullptr && ranks > allocation.num_slots()) {
      allocation.slots.assign(allocation.slots.size(), max_slots);
      std::vector<int> on_host(index(experiment_.network->num_hosts()));
      const Embedding placed =
          read_embedding(*job_.file_format, job_.file, ranks, *experiment_.network, allocation);
      for (const HostId host : placed.hosts()) ++on_host[index(host)];
      for (std::size_t h = 0; h < allocation.hosts.size(); ++h)
        allocation.slots[h] = std::max(1, on_host[index(allocation.hosts[h])]);
      observer_.remark(
          fmt::format("ranks per host as in the embedding's file: up to {}",
                      *std::max_element(allocation.slots.begin(), allocation.slots.end())));
    }
    check_fit(ranks, allocation);
  }

  /// And with the network into the memory.
  void check_size(int ranks, double edges) {
    check_slots(ranks);
    check_memory(experiment_.network->num_links(), edges);
  }

  /// Says which axes of a program, or patterns on it, send as much as a default that nobody has
  /// written.
  void remark_volumes(const ExchangeVolumes& volumes, const std::vector<PatternSpec>& patterns) {
    const auto* program = std::get_if<ParallelProgram>(&topology_->kind);
    const auto* each = std::get_if<std::vector<Bytes>>(&volumes);
    if (program == nullptr || each == nullptr || *each != *Scenario().bytes) return;
    std::vector<std::string> names;
    for (const PatternSpec& pattern : patterns)
      if (!pattern.options.contains("bytes")) names.push_back(pattern.name);
    if (!names.empty())
      observer_.remark(
          fmt::format("no volume of pattern {}: {}; PATTERN:bytes=SIZE or --bytes sets it",
                      join(names, ", "), Scenario().bytes.text()));
    if (!patterns.empty()) return;
    for (const ParallelAxis& axis : program->axes)
      if (!axis.volume && axis.size > 1 && axis.exchange != AxisExchange::none)
        names.push_back(axis.name);
    if (names.empty()) return;
    observer_.remark(fmt::format(
        "no volume of {} {}: {} each; AXIS=SIZE:EXCHANGE:BYTES or --bytes sets it, and the keys of "
        "a model (layers=, hidden=, ...) those of tp, cp, ep, dp, pp",
        names.size() == 1 ? "axis" : "axes", join(names, ", "), Scenario().bytes.text()));
  }

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
    check_size(schedule.phases.front().traffic.num_ranks(), num_edges(schedule));
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

  bool raises_slots_;
  const JobHosts& job_;
  Observer& observer_;
  Experiment& experiment_;
  std::optional<GuestTopology> topology_;
};

void build_host(const NetworkSource& source, const JobHosts& job, Observer& observer,
                Experiment& experiment) {
  LoadedNetwork loaded = load_network(source, observer);
  experiment.network = std::move(loaded.network);
  experiment.endpoint = loaded.endpoint;
  experiment.noise = loaded.noise;
  check_memory(experiment.network->num_links(), 0);  // before all hosts are listed
  experiment.network_text = loaded.text;
  experiment.assumptions = std::move(loaded.assumptions);
  experiment.knows_host_names = loaded.knows_host_names;
  const auto* slots = std::get_if<std::vector<int>>(&job.slots);
  Allocation& allocation = experiment.allocation;
  std::string remark;
  allocation = make_allocation(*experiment.network, job.hosts,
                               slots != nullptr ? *slots : std::vector<int>{1}, job.seed, &remark);
  if (!remark.empty()) observer.remark(remark);
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

/// What `--background PATTERN:hosts=random:256,bytes=64MiB` says.
struct BackgroundPattern {
  std::string patterns;  ///< as `--pattern`
  std::string hosts;     ///< as `--hosts`; empty: all that the job does not have
};

BackgroundPattern parse_background(const std::string& text) {
  constexpr std::string_view key = "hosts=";
  BackgroundPattern result;
  const std::size_t colon = std::min(text.find(':'), text.size());
  std::string options;
  bool is_hosts = false;
  for (const auto piece :
       split(std::string_view(text).substr(std::min(colon + 1, text.size())), ',')) {
    if (piece.empty()) continue;
    const bool goes_on = piece.find('=') == piece.npos;
    is_hosts = goes_on ? is_hosts : piece.starts_with(key);
    std::string& value = is_hosts ? result.hosts : options;
    if (!value.empty()) value += ',';
    value += is_hosts && !goes_on ? piece.substr(key.size()) : piece;
  }
  result.patterns = text.substr(0, colon) + (options.empty() ? "" : ':' + options);
  return result;
}

/// Hosts that are up and not the job's, ascending.
std::vector<HostId> other_hosts(const Experiment& experiment) {
  std::vector<bool> taken(index(experiment.network->num_hosts()));
  for (const HostId host : experiment.allocation.hosts) taken[index(host)] = true;
  std::vector<HostId> hosts;
  for (const HostId host : whole_machine(*experiment.network).hosts)
    if (!taken[index(host)]) hosts.push_back(host);
  return hosts;
}

/// A number of hosts is one of those that the job does not have; what names hosts may name its own.
std::vector<HostId> background_hosts(const std::string& spec, std::uint64_t seed,
                                     const Experiment& experiment) {
  constexpr std::string_view first = "first:", any = "random:";
  const bool is_number = parse_integer(spec).has_value();
  const bool is_random = spec.starts_with(any);
  if (!spec.empty() && !is_number && !is_random && !spec.starts_with(first))
    return make_allocation(*experiment.network, spec, std::vector<int>{1}, seed).hosts;
  std::vector<HostId> hosts = other_hosts(experiment);
  if (hosts.size() < 2)
    throw UsageError(
        fmt::format("--background: {} left by the job, which has {}; a pattern takes two or more: "
                    "give the job fewer with --hosts",
                    counted(hosts.size(), "host"), experiment.allocation.num_hosts()));
  if (spec.empty()) return hosts;
  auto parts = split(spec, ':');
  if (!is_number) parts.erase(parts.begin());
  constexpr std::string_view own_seed = "seed=";
  if (is_random && parts.size() == 2 && parts[1].starts_with(own_seed))
    if (const auto value = parse_integer(parts[1].substr(own_seed.size())); value && *value >= 0)
      seed = static_cast<std::uint64_t>(*value), parts.pop_back();
  const auto count = parse_integer(parts[0]);
  if (parts.size() != 1 || !count || *count < 1 || *count > std::ssize(hosts))
    throw UsageError(
        fmt::format("--background: hosts={}: accepted are 1 to {}, the hosts that the job does not "
                    "have, or a list of hosts such as hosts=list:0,5",
                    spec, hosts.size()));
  const auto size = static_cast<std::size_t>(*count);
  Random random(seed);
  if (is_random)
    for (std::size_t i = 0; i < size; ++i)
      std::swap(hosts[i], hosts[i + random.below(hosts.size() - i)]);
  hosts.resize(size);
  return hosts;
}

/// Flows of a pattern among hosts, one rank each, on a grid of three dimensions.
std::vector<HostFlow> pattern_flows(const std::string& text, std::uint64_t seed,
                                    const Experiment& experiment) {
  const BackgroundPattern background = parse_background(text);
  const auto patterns = parse_patterns(background.patterns);
  const auto hosts = background_hosts(background.hosts, seed, experiment);
  if (hosts.size() < 2)
    throw UsageError(fmt::format("--background {}: {}; a pattern takes two or more", text,
                                 counted(hosts.size(), "host")));
  const GuestTopology grid = parse_guest_topology(cubic_grid(int_size(hosts)));
  const CommGraph sent = aggregated(make_schedule(patterns, grid, *Scenario().bytes));
  std::vector<HostFlow> flows;
  sent.for_each_edge([&](Rank source, const CommEdge& edge) {
    flows.push_back({hosts[index(source)], hosts[index(edge.destination)], edge.volume});
  });
  return flows;
}

void read_background(const JobHosts& job, Experiment& experiment) {
  const std::string& text = job.background;
  const std::string name = text.substr(0, text.find(':'));
  std::vector<std::string> names;
  for (const PatternInfo& pattern : pattern_infos()) names.emplace_back(pattern.name);
  std::error_code none;
  const bool is_file = std::filesystem::exists(text, none);
  const bool is_pattern = !is_file && std::find(names.begin(), names.end(), name) != names.end();
  if (!is_file && !is_pattern && name.size() < text.size())
    throw UsageError(fmt::format("--background {}: neither a file nor a pattern{}; patterns are {}",
                                 text, suggestion(name, names), join(names, ", ")));
  const auto flows = is_pattern ? pattern_flows(text, job.seed, experiment)
                                : read_host_flows(text, *experiment.network);
  PlacedTraffic traffic = placed_traffic(flows);
  const Metrics alone = evaluate(traffic.guest, *experiment.network, traffic.embedding);
  std::string sentence =
      fmt::format("{}: {} of other jobs, {}, busiest link {}", text, counted(flows.size(), "flow"),
                  format_bytes(alone.total_volume), format_seconds(alone.max_congestion));
  experiment.background = Background{std::move(traffic), std::move(sentence)};
}

/// Where hosts are places of nodes, several ranks on each are seldom meant.
void remark_places(const Experiment& experiment, Observer& observer) {
  const int each = experiment.allocation.slots.front();
  const int places = places_per_node(*experiment.network);
  if (places > 1 && each > 1)
    observer.remark(fmt::format(
        "a host of this network is one of {} places of a node (a GPU, a socket): with {} ranks on "
        "each host a node has {}; N nodes with a rank on each place are --hosts of {} times N",
        places, each, places * each, places));
}

Experiment build(const GuestSource& guest, const NetworkSource& network, const JobHosts& job,
                 Observer& observer) {
  Experiment experiment;
  const bool raises_slots = std::holds_alternative<MachineFile>(network.from) &&
                            std::holds_alternative<std::vector<int>>(job.slots);
  GuestBuilder builder(raises_slots, job, observer, experiment);
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
  remark_places(experiment, observer);
  if (!job.background.empty()) read_background(job, experiment);
  return experiment;
}

/// Links that the baseline's placement loads and that may fail, ascending.
std::vector<std::size_t> used_links(const Experiment& experiment) {
  const Embedding block = run_mapper({mapper_of(MapperRole::baseline).name, {}},
                                     {.guest = experiment.guest,
                                      .network = *experiment.network,
                                      .allocation = experiment.allocation},
                                     {});
  const Metrics metrics = evaluate(experiment.guest, *experiment.network, block);
  std::vector<std::size_t> used;
  for (const std::size_t link : links_that_may_fail(*experiment.network))
    if (metrics.links[link].flows > 0) used.push_back(link);
  return used;
}

/// Whether every host of the job still reaches every other one without these links; true where it
/// is not known where links lead.
bool stays_connected(const Experiment& experiment, const std::vector<bool>& without) {
  const auto graph = LinkGraph::of(*experiment.network, without);
  if (graph == nullptr) return true;
  const int first = number(experiment.allocation.hosts.front());
  const std::vector<int> there = graph->distances_from(first), back = graph->distances_to(first);
  return std::all_of(experiment.allocation.hosts.begin(), experiment.allocation.hosts.end(),
                     [&](HostId host) {
                       return there[index(host)] != LinkGraph::unreachable &&
                              back[index(host)] != LinkGraph::unreachable;
                     });
}

/// Draws `count` of the links `used`, which it removes there; none whose failure cuts off a host.
std::vector<LinkId> drawn_links(std::int64_t count, const Experiment& experiment, Random& random,
                                std::vector<bool>& failed, std::vector<std::size_t>& used) {
  std::vector<LinkId> drawn;
  const auto draw = [&] {
    const std::size_t at = random.below(used.size());
    drawn.push_back(id_at<LinkId>(used[at]));
    used.erase(used.begin() + static_cast<std::ptrdiff_t>(at));
  };
  while (std::ssize(drawn) < count) draw();
  for (const LinkId link : drawn) failed[index(link)] = true;
  if (stays_connected(experiment, failed)) return drawn;
  for (const LinkId link : drawn) failed[index(link)] = false;
  std::vector<LinkId> kept;  // one at a time
  for (std::size_t next = 0; std::ssize(kept) < count; ++next) {
    if (next == drawn.size() && used.empty())
      throw UsageError(fmt::format(
          "--fail-link {}: of the links that the baseline's placement uses {} can fail without "
          "cutting off a host",
          count, kept.size()));
    if (next == drawn.size()) draw();
    failed[index(drawn[next])] = true;
    if (stays_connected(experiment, failed))
      kept.push_back(drawn[next]);
    else
      failed[index(drawn[next])] = false;
  }
  return kept;
}

/// Whether the network's rule, which a file states, sees only the whole traffic, and what is to be
/// simulated needs the route of each message.
bool needs_other_rule(const NetworkSource& source, const Experiment& experiment) {
  if (source.routing.rule != Routing::automatic || experiment.network->routed({}) == nullptr)
    return false;
  return has_costs_between_hosts(source.endpoint) || follows_messages(experiment);
}

}  // namespace

NetworkSource with_named_failures(const GuestSource& guest, const NetworkSource& network,
                                  const JobHosts& job) {
  const auto is_count = [](const std::string& text) { return parse_integer(text).has_value(); };
  const std::vector<std::string>& given = network.edits.failed_links;
  if (std::none_of(given.begin(), given.end(), is_count)) return network;
  NetworkSource result = network;
  std::erase_if(result.edits.failed_links, is_count);
  Observer nobody;  // what it remarks is said when the experiment itself is built
  const Experiment before = build(guest, result, job, nobody);
  std::vector<std::size_t> used = used_links(before);
  Random random(job.seed);
  std::vector<bool> failed = before.network->facts().down_links;
  failed.resize(index(before.network->num_links()));
  for (const std::string& text : given) {
    if (!is_count(text)) continue;
    if (has_link_named(*before.network, text)) {
      result.edits.failed_links.push_back(text);
      continue;
    }
    const std::int64_t count = *parse_integer(text);
    if (count < 1 || count > std::ssize(used))
      throw UsageError(fmt::format(
          "--fail-link {}: accepted are the name of a link, and 1 to {}, the number of links that "
          "the baseline's placement uses",
          text, used.size()));
    for (const LinkId link : drawn_links(count, before, random, failed, used))
      result.edits.failed_links.push_back(before.network->link_name(link));
  }
  return result;
}

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
  const GuestSource guest = guest_source(scenario);
  const JobHosts job = job_of(scenario);
  return build_experiment(guest, with_named_failures(guest, network_source(scenario), job), job,
                          observer);
}

}  // namespace vtopo
