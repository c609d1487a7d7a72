#include "cli/scenario.hpp"

#include <unistd.h>

#include "cli/schedule_file.hpp"
#include "sim/embedding/embedding.hpp"
#include "topology/error.hpp"
#include "topology/guest_topology.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/text.hpp"
#include "topology/traffic/traffic.hpp"
#include "topology/units_text.hpp"

namespace vtopo {

namespace {

std::string pattern_help() {
  std::string names;
  for (const PatternInfo& info : pattern_infos())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  return "who of the topology sends when, NAME[:key=value,...]: " + names +
         "; several, after a comma or repeated, one after the other. Keys: bytes=8KiB, repeat=10, "
         "algorithm=ring, root=0, sub=1-0 (in each communicator of MPI_Cart_sub), offset=1, "
         "dims=0-1, seed=1. Default: every neighbour at once";
}

void add_guest_options(CLI::App& verb, ScenarioOptions& options) {
  verb.option_defaults()->group("Guest: who communicates with whom");
  auto* topology = verb.add_option("--topology", options.topology,
                                   "virtual topology: cart:8x8x8, cart:8px8p (p: periodic), "
                                   "hypercube:12, stencil:8x8:moore (neumann, moore, component, "
                                   "hops), graph:FILE, dist:FILE, rgg:RANKS:DEGREE:SEED, "
                                   "shuffle:SEED:SPEC");
  auto* bytes =
      verb.add_option("--bytes", options.bytes,
                      "volume per directed edge, or one per dimension: 1MiB,512KiB,64KiB");
  auto* pattern = verb.add_option("--pattern", options.patterns, pattern_help());
  pattern->allow_extra_args(false);
  auto* schedule =
      verb.add_option("--schedule", options.schedule,
                      "JSON file of phases, each a pattern or recorded traffic: {\"phases\": "
                      "[{\"pattern\": \"phased\", \"repeat\": 10}, {\"traffic\": \"a.csv\"}]}");
  auto* traffic =
      verb.add_option("--traffic", options.traffic,
                      "recorded communication matrix: edge-list or dense CSV, a recording "
                      "of vtopo record, a folder of Open MPI .prof files, a "
                      "time-independent trace of SimGrid, .mat .graph .grf .mtx "
                      ".graphml .dot (see vtopo convert)");
  auto* format = verb.add_option("--traffic-format", options.traffic_format,
                                 "edges, dense, mat, prof, record, smpi, metis, scotch, mtx, "
                                 "graphml or dot (default: by extension and first line)");
  auto* kinds = verb.add_option("--prof-kinds", options.prof_kinds,
                                "line kinds of .prof files to add up: E, E,I or E,C");
  auto* record_kinds = verb.add_option("--record-kinds", options.record_kinds,
                                       "of recordings of vtopo record and time-independent "
                                       "traces: p2p, collective or all");
  auto* ranks = verb.add_option("--ranks", options.ranks, "number of ranks of the recording");
  ranks->check(whole_number(std::numeric_limits<int>::max()));
  auto* per_message = verb.add_flag("--per-message", options.per_message,
                                    "divide each recorded volume by its number of messages");
  topology->excludes(traffic);
  for (auto* option : {format, kinds, record_kinds, ranks, per_message}) option->needs(traffic);
  bytes->excludes(traffic);
  for (auto* option : {pattern, schedule}) option->excludes(traffic);
  pattern->needs(topology);
  pattern->excludes(schedule);
}

void add_allocation_options(CLI::App& verb, ScenarioOptions& options) {
  verb.option_defaults()->group("Allocation");
  verb.add_option("--hosts", options.hosts,
                  "hosts of the job: all, first:N, block:START,N, random:N, spaced:N, list:0,5,9, "
                  "slurm:node[1-4], file:FILE; parts of the machine: group:0,2 (dragonfly; "
                  "chassis, router), leaf:0-3 (fat tree; pod), plane:0=2-3 (torus: dimension 0)");
  verb.add_option("--slots", options.slots, "ranks per host, one number or one per host");
  verb.add_option("--seed", options.seed, "of everything random")->check(whole_number());
  verb.add_option(
      "--background", options.background,
      "what other jobs send at the same time: CSV file src_host,dst_host,bytes with "
      "names or numbers of hosts. It counts for links, times and the bound of "
      "congestion, not for hops; mappers do not see it, but for --objective simulated-time");
}

std::vector<Bytes> parse_volumes(const std::string& list) {
  std::vector<Bytes> volumes;
  for (const auto piece : split(list, ',')) volumes.push_back(parse_bytes(piece));
  return volumes;
}

/// Refuses what would fill the memory before an answer: the largest arrays hold one entry per
/// directed link of the network and per edge of the guest.
void check_memory(double links, double edges) {
  constexpr double bytes_per_link = 64, bytes_per_edge = 64;
  const double needed = links * bytes_per_link + edges * bytes_per_edge;
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > present)
    throw InputError(fmt::format(
        "{:.3g} directed links and {:.3g} edges need about {} of memory; this machine has {}",
        links, edges, format_bytes({needed}), format_bytes({present})));
}

std::optional<GuestTopology> read_topology(const ScenarioOptions& options, Scenario& scenario) {
  if (options.topology.empty() && options.traffic.empty() && options.schedule.empty())
    throw UsageError("who communicates with whom is missing: give --topology or --traffic");
  if (options.topology.empty()) return std::nullopt;
  GuestTopology topology = parse_guest_topology(options.topology);
  if (const Cartesian* grid = grid_of(topology)) scenario.grid = *grid;
  return topology;
}

CommGraph recorded_guest(const ScenarioOptions& options) {
  TrafficOptions traffic;
  if (!options.traffic_format.empty())
    traffic.format = parse_traffic_format(options.traffic_format);
  traffic.num_ranks = options.ranks;
  traffic.prof_kinds = parse_prof_kinds(options.prof_kinds);
  traffic.record_kinds = parse_record_kinds(options.record_kinds);
  CommGraph guest = read_traffic(options.traffic, traffic);
  return options.per_message ? per_message(guest) : guest;
}

/// Edges of the phases and of their sum.
double num_edges(const Schedule& schedule) {
  double edges = 0;
  for (const SchedulePhase& phase : schedule.phases)
    edges += 2 * static_cast<double>(phase.traffic.num_edges());
  return edges;
}

Schedule read_schedule(const ScenarioOptions& options,
                       const std::optional<GuestTopology>& topology) {
  const auto volumes = parse_volumes(options.bytes);
  if (!options.schedule.empty()) return read_schedule_file(options.schedule, topology, volumes);
  return make_schedule(parse_patterns(join(options.patterns, ",")), *topology, volumes);
}

/// What the guest is called: its topology with what runs on it, or a file.
std::string guest_name(const ScenarioOptions& options) {
  std::string name = options.topology.empty() ? options.traffic : options.topology;
  const std::string schedule =
      options.schedule.empty() ? join(options.patterns, ",") : options.schedule;
  if (!schedule.empty()) name += (name.empty() ? "" : ", ") + schedule;
  return name;
}

void build_scheduled_guest(const ScenarioOptions& options,
                           const std::optional<GuestTopology>& topology, Scenario& scenario) {
  if (topology) {
    check_fit(num_ranks(*topology), scenario.allocation);
    check_memory(scenario.network->num_links(), most_edges(*topology));
  }
  scenario.schedule = read_schedule(options, topology);
  check_fit(scenario.schedule->phases.front().traffic.num_ranks(), scenario.allocation);
  check_memory(scenario.network->num_links(), num_edges(*scenario.schedule));
  scenario.guest = aggregated(*scenario.schedule);
}

void build_guest(const ScenarioOptions& options, const std::optional<GuestTopology>& topology,
                 Scenario& scenario) {
  if (!options.patterns.empty() || !options.schedule.empty()) {
    build_scheduled_guest(options, topology, scenario);
  } else if (topology) {
    const auto volumes = parse_volumes(options.bytes);
    check_fit(num_ranks(*topology), scenario.allocation);
    check_memory(scenario.network->num_links(), most_edges(*topology));
    scenario.guest = make_comm_graph(*topology, volumes);
  } else {
    scenario.guest = recorded_guest(options);
    scenario.recorded = !options.per_message;
    check_fit(scenario.guest.num_ranks(), scenario.allocation);
    check_memory(scenario.network->num_links(), 0);
  }
  scenario.guest_text = fmt::format("{}: {} ranks, {} directed edges, {}", guest_name(options),
                                    scenario.guest.num_ranks(), scenario.guest.num_edges(),
                                    format_bytes(scenario.guest.total_volume()));
  if (scenario.schedule)
    scenario.guest_text += fmt::format(", {} phases", scenario.schedule->phases.size());
}

void build_host(const ScenarioOptions& options, Scenario& scenario) {
  LoadedNetwork loaded = load_network(options);
  scenario.network = std::move(loaded.network);
  const auto slots = parse_slots(options.slots);
  scenario.allocation = make_allocation(*scenario.network, options.hosts, slots, options.seed);
  scenario.network_text =
      fmt::format("{}: {} hosts, {} directed links; allocated: {} hosts, {} slots", loaded.text,
                  scenario.network->num_hosts(), scenario.network->num_links(),
                  scenario.allocation.num_hosts(), scenario.allocation.num_slots());
}

void read_background(const std::string& path, Scenario& scenario) {
  const auto flows = read_host_flows(path, *scenario.network);
  PlacedTraffic traffic = placed_traffic(flows);
  Metrics alone = evaluate(traffic.guest, *scenario.network, traffic.embedding);
  std::string text =
      fmt::format("{}: {} flows of other jobs, {}, busiest link {}", path, flows.size(),
                  format_bytes(alone.total_volume), format_seconds(alone.max_congestion));
  scenario.background = Background{std::move(traffic), std::move(alone), std::move(text)};
}

}  // namespace

std::vector<int> parse_slots(const std::string& list) {
  std::vector<int> slots;
  for (const auto piece : split(list, ',')) {
    const auto value = parse_integer(piece);
    if (!value || *value < 1 || *value > 1'000'000)
      throw UsageError(
          fmt::format("slots \"{}\" in \"{}\": accepted are 1 to 1000000", piece, list));
    slots.push_back(static_cast<int>(*value));
  }
  return slots;
}

CLI::Validator whole_number(std::int64_t largest) {
  return CLI::Validator(
      [largest](const std::string& text) {
        const auto value = parse_integer(text);
        if (value && *value >= 0 && *value <= largest) return std::string();
        return fmt::format("\"{}\" is not a whole number from 0 to {}", text, largest);
      },
      "");
}

void add_scenario_options(CLI::App& verb, ScenarioOptions& options) {
  verb.option_defaults()->group("Scenario from a file");
  verb.add_option("--scenario", options.scenario_file,
                  "JSON file with any of the options below but those of the output, or a JSON "
                  "report: what it was made of. Other options on the command line win");
  add_guest_options(verb, options);
  add_network_options(verb, options);
  add_allocation_options(verb, options);
}

std::vector<std::pair<std::string, std::string>> described(const ScenarioOptions& options) {
  std::vector<std::pair<std::string, std::string>> result;
  auto add = [&](const std::string& name, const std::string& value) {
    result.emplace_back(name, value);
  };
  if (!options.topology.empty()) add("topology", options.topology);
  if (!options.topology.empty() || !options.schedule.empty()) {
    add("bytes", options.bytes);
    for (const std::string& pattern : options.patterns) add("pattern", pattern);
    if (!options.schedule.empty()) add("schedule", options.schedule);
  } else {
    add("traffic", options.traffic);
    if (!options.traffic_format.empty()) add("traffic-format", options.traffic_format);
    add("prof-kinds", options.prof_kinds);
    if (options.record_kinds != ScenarioOptions().record_kinds)
      add("record-kinds", options.record_kinds);
    if (options.ranks) add("ranks", std::to_string(*options.ranks));
    if (options.per_message) add("per-message", "true");
  }
  for (auto& [name, value] : described(static_cast<const NetworkOptions&>(options)))
    add(name, value);
  add("hosts", options.hosts);
  add("slots", options.slots);
  add("seed", std::to_string(options.seed));
  if (!options.background.empty()) add("background", options.background);
  return result;
}

Scenario build_scenario(const ScenarioOptions& options) {
  if (!options.background.empty() && (!options.patterns.empty() || !options.schedule.empty()))
    throw UsageError(fmt::format(
        "--background {} runs beside one phase of traffic; accepted: without --pattern and "
        "--schedule",
        options.background));
  Scenario scenario;
  const auto topology = read_topology(options, scenario);
  build_host(options, scenario);
  build_guest(options, topology, scenario);
  if (!options.background.empty()) read_background(options.background, scenario);
  return scenario;
}

}  // namespace vtopo
