#include "sim/scenario/scenario_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/host_selection.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/patterns/library_rules.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

namespace {

using Kind = ScenarioOption::Kind;
using Texts = std::vector<std::string>;

constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
constexpr int max_threads = 1024;
constexpr int largest_int = std::numeric_limits<int>::max();

/// A number, and one that may be absent.
template <class Value>
struct NumberIn {
  using Type = Value;
};
template <class Number>
struct NumberIn<std::optional<Number>> {
  using Type = Number;
};

template <class Number>
Number whole_number(const std::string& text) {
  constexpr std::int64_t largest = std::is_same_v<Number, int> ? largest_int : largest_integer;
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > largest)
    throw UsageError(fmt::format("\"{}\" is not a whole number from 0 to {}", text, largest));
  return static_cast<Number>(*value);
}

/// Reads a member from the text of its option, or the next one of several.
template <class Value>
void assign(Value& value, const std::string& text) {
  if constexpr (std::is_same_v<Value, bool>)
    value = true;
  else if constexpr (std::is_integral_v<typename NumberIn<Value>::Type>)
    value = whole_number<typename NumberIn<Value>::Type>(text);
  else if constexpr (requires { value.emplace_back(text); })
    value.emplace_back(text);
  else
    value = text;
}

/// The texts that give a member its value.
template <class Value>
Texts written(const Value& value) {
  if constexpr (std::is_same_v<Value, Texts>)
    return value;
  else if constexpr (std::is_same_v<Value, std::string>)
    return value.empty() ? Texts() : Texts{value};
  else if constexpr (std::is_same_v<Value, bool>)
    return value ? Texts{"true"} : Texts();
  else if constexpr (std::is_integral_v<Value>)
    return {std::to_string(value)};
  else if constexpr (requires { value.text(); })
    return {value.text()};
  else if constexpr (requires { value.has_value(); })
    return value ? written(*value) : Texts();
  else {
    Texts texts;
    for (const auto& one : value) texts.push_back(one.text());
    return texts;
  }
}

/// Option of a member of the scenario.
template <auto member>
ScenarioOption option(std::string_view name, Kind kind, std::string_view group, std::string help) {
  return {name,
          kind,
          group,
          std::move(help),
          [](Scenario& scenario, const std::string& text) { assign(scenario.*member, text); },
          [](const Scenario& scenario) { return written(scenario.*member); }};
}

bool always(const Scenario&) {
  return true;
}
bool has_topology(const Scenario& scenario) {
  const bool halo = scenario.ranks && scenario.traffic.empty() && scenario.trace.empty();
  return halo || !scenario.topology.empty() || !scenario.schedule.empty();
}
bool has_traffic(const Scenario& scenario) {
  return !has_topology(scenario) && scenario.trace.empty();
}
/// Of a specification links have these rates; files have their own unless options say otherwise.
template <auto member>
bool has_network_or_differs(const Scenario& scenario) {
  return !scenario.network.empty() || !(scenario.*member == Scenario().*member);
}
bool simulates(const Scenario& scenario) {
  return scenario.simulate.value_or(true);
}
bool never(const Scenario&) {
  return false;
}

/// Files are read by the run.
void check_topology(const std::string& spec) {
  const bool names_file = spec.find("graph:") != std::string::npos ||
                          spec.find("dist:") != std::string::npos ||
                          spec.find("model=") != std::string::npos;
  if (!names_file && spec != auto_grid) parse_guest_topology(spec);
}

/// A bare grid is one.
void set_topology(Scenario& scenario, const std::string& text) {
  scenario.topology = is_bare_grid(text) ? "cart:" + text : text;
}

/// A bare number is one of hosts. What needs no network to have its kind gets it here, so that
/// all who read a scenario, or its report, see the same kinds.
void set_hosts(Scenario& scenario, const std::string& text) {
  scenario.hosts = parse_integer(text) ? "first:" + text : with_plain_kind(text);
}

void check_network(const std::string& spec) {
  make_network(spec, {});
}

/// Plugins are loaded by the run.
void check_mappers(const std::string& list) {
  parse_mappers(list);
}

std::string pattern_help() {
  Texts names;
  for (const PatternInfo& info : pattern_infos()) names.emplace_back(info.name);
  return "phases such as halo:repeat=10 or allreduce:algorithm=ring,bytes=1MiB (default: every "
         "neighbour at once). NAME[:key=value,...]: " +
         join(names, ", ") +
         "; several, after a comma or repeated, one after the other. Keys: bytes=8KiB, repeat=10, "
         "name=a and with=a (at the same time as the phases of that name), "
         "algorithm=ring (or auto with library=openmpi|mpich|nccl), order=distance_doubling, "
         "segment=64KiB "
         "or segments=4, radix=4, window=8, children=together, root=0, sub=1-0 or, of parallel:, "
         "sub=dp (in each communicator of MPI_Cart_sub), offset=1, dims=0-1, seed=1";
}

Texts host_words() {
  Texts words{"all", "block:", "file:", "first:", "list:", "random:", "slurm:", "spaced:"};
  for (const std::string& kind : host_part_kinds()) words.push_back(kind + ':');
  return words;
}

Texts network_words() {
  Texts words;
  for (const std::string& name : network_names()) words.push_back(name + ':');
  return words;
}

Texts mapper_words() {
  Texts names{"all"};
  for (const MapperInfo& mapper : all_mappers()) names.push_back(mapper.name);
  return names;
}

/// Takes the options of a group one after the other.
class Group {
 public:
  Group(std::string_view heading, std::vector<ScenarioOption>& options)
      : heading_(heading), options_(options) {}

  template <auto member>
  ScenarioOption& add(std::string_view name, std::string help, Kind kind = Kind::text) {
    return options_.emplace_back(option<member>(name, kind, heading_, std::move(help)));
  }

  template <auto member>
  ScenarioOption& add_number(std::string_view name, std::string help, std::int64_t most,
                             std::string argument = "INT") {
    ScenarioOption& added = add<member>(name, std::move(help));
    added.most = most;
    added.argument = std::move(argument);
    return added;
  }

 private:
  std::string_view heading_;
  std::vector<ScenarioOption>& options_;
};

/// Of recorded traffic.
constexpr std::array<std::string_view, 6> recording_options{
    "traffic-format", "prof-kinds", "record-kinds", "weights", "ranks", "per-message"};
constexpr std::array<std::string_view, 6> trace_options{
    "trace", "trace-format", "compute-scale", "collectives", "library", "prefix"};

void add_guest(std::vector<ScenarioOption>& options) {
  Group group(guest_group, options);
  ScenarioOption::Names recording(recording_options.begin(), recording_options.end());
  ScenarioOption::Names traffic_and_recording{"traffic"};
  traffic_and_recording.insert(traffic_and_recording.end(), recording.begin(), recording.end());
  ScenarioOption::Names all_recordings = traffic_and_recording;
  all_recordings.insert(all_recordings.end(), trace_options.begin(), trace_options.end());
  auto& topology = group.add<&Scenario::topology>(
      "topology",
      "virtual topology: 8x8x8, 8px8p (p: periodic), hypercube:12, graph:FILE, dist:FILE, "
      "stencil:8x8:moore (neumann, moore, component, hops), rgg:RANKS:DEGREE:SEED, "
      "parallel:tp=8,dp=4:allreduce:64MiB (axes of a parallel program, fastest first), "
      "shuffle:SEED:SPEC, cart:auto (every balanced grid of --ranks)");
  topology.set = set_topology;
  topology.check = check_topology;
  topology.words = {
      "cart:", "dist:", "graph:", "hypercube:", "parallel:", "rgg:", "shuffle:", "stencil:"};
  topology.replaces = all_recordings;
  topology.excludes = {"traffic"};
  auto& bytes = group.add<&Scenario::bytes>(
      "bytes",
      "volume per directed edge, or per dimension: 1MiB,512KiB,64KiB; (stencil:8x8x8:moore: of "
      "faces, edges, corners)",
      Kind::list);
  bytes.reported = [](const Scenario& scenario) {
    return has_topology(scenario) && !scenario.domain;
  };
  bytes.replaces = {"domain", "element"};
  bytes.excludes = {"traffic", "domain"};
  auto& domain = group.add<&Scenario::domain>(
      "domain",
      "elements, such as 1024x1024x512, that the grid divides: neighbours exchange faces of "
      "blocks. Those of the largest block, instead of --bytes; dimensions behind those "
      "of the grid are not divided");
  domain.replaces = {"bytes"};
  domain.excludes = {"traffic"};
  auto& element = group.add<&Scenario::element>(
      "element", "bytes per element of --domain, times the depth of the halo");
  element.needs = {"domain"};
  element.reported = [](const Scenario& scenario) { return scenario.domain.has_value(); };
  auto& pattern = group.add<&Scenario::patterns>("pattern", pattern_help(), Kind::many);
  pattern.replaces = {"schedule"};
  pattern.excludes = {"traffic", "schedule"};
  auto& schedule = group.add<&Scenario::schedule>(
      "schedule",
      "JSON file of phases, each a pattern or recorded traffic; {\"phases\": [{\"pattern\": "
      "\"phased\", \"repeat\": 10}, {\"traffic\": \"a.csv\"}]}");
  schedule.replaces = {"pattern"};
  schedule.replaces.insert(schedule.replaces.end(), all_recordings.begin(), all_recordings.end());
  schedule.excludes = {"traffic"};
  group.add<&Scenario::barriers>("barriers",
                                 "each step starts when the one before has ended on every rank "
                                 "(default: on each rank when its own messages have ended)",
                                 Kind::flag);
  auto& traffic = group.add<&Scenario::traffic>(
      "traffic",
      "recorded communication matrix: edge-list or dense CSV, a recording of vtopo record, a "
      "folder of Open MPI .prof files, a time-independent trace of SimGrid, .mat .graph .grf .mtx "
      ".graphml .dot (see vtopo convert)");
  traffic.replaces = {"topology", "bytes", "domain", "element", "pattern", "schedule"};
  traffic.replaces.insert(traffic.replaces.end(), trace_options.begin(), trace_options.end());
  group.add<&Scenario::traffic_format>("traffic-format",
                                       "edges, dense, mat, prof, record, smpi, metis, scotch, mtx, "
                                       "graphml or dot (default: by extension and first line)");
  group
      .add<&Scenario::prof_kinds>("prof-kinds",
                                  "line kinds of .prof files to add up: E, E,I or E,C", Kind::list)
      .reported = has_traffic;
  group
      .add<&Scenario::record_kinds>("record-kinds",
                                    "of recordings of vtopo record and time-independent traces: "
                                    "p2p, collective or all")
      .words = {"all", "collective", "p2p"};
  group
      .add<&Scenario::weights>(
          "weights",
          "what an entry of a matrix counts: value (bytes), abs (negative ones "
          "too) or pattern (a byte each)")
      .words = {"abs", "pattern", "value"};
  group.add_number<&Scenario::ranks>(
      "ranks",
      "number of ranks. With cart:auto of its grids; of a recording that does not say; alone: a "
      "halo exchange on a grid of three dimensions",
      largest_int);
  group.add<&Scenario::per_message>(
      "per-message", "divide each recorded volume by its number of messages", Kind::flag);
  for (ScenarioOption& added : options)
    if (added.name != "ranks" &&
        std::find(recording.begin(), recording.end(), added.name) != recording.end())
      added.needs = {"traffic"};
}

Texts trace_format_words() {
  Texts words;
  for (const TraceFormat& format : trace_formats()) words.emplace_back(format.name);
  return words;
}

void add_trace(std::vector<ScenarioOption>& options) {
  Group group(trace_group, options);
  auto& trace = group.add<&Scenario::trace>(
      "trace",
      "trace of a run: folder of VTOPO_RECORD_TRACE, list of smpirun -trace-ti, or GOAL; its "
      "messages and its local work are replayed under the mapper");
  trace.replaces = {"topology", "bytes", "pattern", "schedule", "barriers", "traffic"};
  for (const auto name : recording_options) trace.replaces.push_back(name);
  group
      .add<&Scenario::trace_format>("trace-format", "format of the trace (default: by its content)")
      .words = trace_format_words();
  group.add<&Scenario::compute_scale>(
      "compute-scale", "factor of recorded local work; flops of SMPI's traces take 1 ns");
  group.add<&Scenario::collectives>("collectives",
                                    "algorithms of the trace's collectives, such as "
                                    "allreduce:algorithm=ring,bcast:algorithm=chain,segment=64KiB",
                                    Kind::list);
  auto& library =
      group.add<&Scenario::library>("library", "whose rules choose the algorithms of the others");
  library.words.assign(ruled_libraries().begin(), ruled_libraries().end());
  group.add<&Scenario::prefix>(
      "prefix", "of a trace that is cut off, as by a kill, replay what all ranks have reached",
      Kind::flag);
  for (ScenarioOption& added : options)
    if (added.group == trace_group && added.name != "trace") added.needs = {"trace"};
}

void add_network(std::vector<ScenarioOption>& options) {
  Group group(network_group, options);
  auto& network = group.add<&Scenario::network>(
      "network",
      "specification such as torus:8x8x8 or fat-tree:2;4,4;1,2;1,2 (see vtopo networks)");
  network.check = check_network;
  network.words = network_words();
  network.replaces = {"platform", "platform-format", "taper"};
  network.excludes = {"platform"};
  group.add<&Scenario::bandwidth>("bandwidth", "of every link, per direction").reported =
      has_network_or_differs<&Scenario::bandwidth>;
  group.add<&Scenario::latency>("latency", "of every link").reported =
      has_network_or_differs<&Scenario::latency>;
  group.add<&Scenario::host_names>(
      "host-names",
      "names of the hosts in the order of their ids: a list of Slurm such as node[001-128], or "
      "file:FILE with a name per line, or map:FILE with the place of each node: lines such as "
      "nid001000 x1000c0s0b0n0 (HPE Cray EX), or Slurm's topology.conf (default: those of the "
      "machine file, or host-0, host-1, ...)");
  group
      .add<&Scenario::platform>("platform",
                                "machine of vtopo machines, or file that describes one: SimGrid "
                                "platform (XML), Slurm's topology.conf or topology.yaml, output of "
                                "ibnetdiscover")
      .replaces = {"network", "bandwidth", "latency", "host-names"};
  group
      .add<&Scenario::platform_format>("platform-format",
                                       "simgrid, slurm, slurm-yaml or ibnetdiscover (default: by "
                                       "extension and content)")
      .needs = {"platform"};
  group.add<&Scenario::taper>("taper",
                              "of Slurm's trees: what a switch has below over what it has above; a "
                              "network has keys for that (vtopo networks)");
  group.add<&Scenario::simgrid_compatible>(
      "simgrid-compatible",
      "take SimGrid's own routes also for its clusters in platform files, and of dragonflies also "
      "where they are wrong",
      Kind::flag);
  auto& routing = group.add<&Scenario::routing>(
      "routing",
      "which route a flow takes: adaptive, auto, ecmp, ideal, positive, simgrid, split, valiant; "
      "auto: one route per flow, as simgrid, but at half a ring of a torus by the parity of the "
      "source's coordinate, even: positive, odd: negative; of a machine file its own rule; "
      "simgrid: the one route of SimGrid; positive: the positive direction at half a ring; split: "
      "half of a flow in each direction there; ecmp: at each vertex evenly over the next links of "
      "shortest routes; valiant: over a random intermediate; adaptive: each flow by one of these "
      "two, as the loads of all flows suggest, on fat trees, trees and files among its shortest "
      "routes; ideal: so that the busiest link has the least");
  routing.reported = always;
  routing.words = {"adaptive", "auto", "ecmp", "ideal", "positive", "simgrid", "split", "valiant"};
}

void add_edits(std::vector<ScenarioOption>& options) {
  Group group(edit_group, options);
  group
      .add<&Scenario::fail_links>(
          "fail-link",
          "failed links, one direction each: a number of those that are used, a name, or random:3. "
          "A "
          "number: random ones that the baseline's placement uses, the same for all rows; a name, "
          "a pattern with *, or random:3:seed=7: of any links",
          Kind::many)
      .argument = "N|NAME";
  group
      .add<&Scenario::fail_hosts>(
          "fail-host",
          "failed hosts, with all their links. A name, a pattern with *, or random:3:seed=7",
          Kind::many)
      .argument = "NAME";
  group
      .add<&Scenario::scale_bandwidth>("scale-bandwidth",
                                       "multiply the bandwidth of all links, such as 0.5, or of "
                                       "those whose names fit a pattern: PATTERN=0.5",
                                       Kind::many)
      .argument = "FACTOR";
}

void add_allocation(std::vector<ScenarioOption>& options) {
  Group group(allocation_group, options);
  auto& hosts = group.add<&Scenario::hosts>(
      "hosts",
      "hosts of the job: a number, all, random:N, file:FILE, slurm:node[1-4], ...; first:N, "
      "block:START,N, random:N[:seed=S], spaced:N, list:0,5,9, "
      "slurm:node[1-4], file:FILE; all places of nodes with node=: node:0-3; parts of the machine: "
      "group:0,2 (dragonfly; chassis, router), "
      "leaf:0-3 (fat tree; pod), plane:0=2-3 (torus: dimension 0)");
  hosts.set = set_hosts;
  hosts.also = "nodes";
  hosts.reported = always;
  hosts.words = host_words();
  auto& slots = group.add<&Scenario::slots>(
      "slots",
      "ranks per host, one number or one per host: 4,4,3, or as Slurm says 4(x2),3; one number is "
      "for hosts of which file:FILE says none",
      Kind::list);
  slots.also = "ranks-per-node";
  slots.reported = always;
  group.add_number<&Scenario::seed>("seed", "of everything random", largest_integer, "UINT")
      .reported = always;
  group.add<&Scenario::background>(
      "background",
      "what other jobs send: alltoall:hosts=random:256,bytes=64MiB, or a CSV file; a pattern on "
      "hosts that the job does not have, unless hosts= names them, or a CSV file "
      "src_host,dst_host,bytes. It counts for links, times and the bound of congestion, not for "
      "hops; mappers do not see it, but for objectives that begin with time");
}

void add_mapping(std::vector<ScenarioOption>& options) {
  Group group(mapping_group, options);
  auto& mapper = group.add<&Scenario::mappers>(
      "mapper", "comma list of NAME[:option=value], or all (see vtopo mappers)", Kind::list);
  mapper.check = check_mappers;
  mapper.reported = always;
  mapper.words = mapper_words();
  mapper.comma_list = true;
  group.add<&Scenario::plugins>("plugin",
                                "shared library with more mappers (see examples/plugin); may be "
                                "repeated",
                                Kind::many);
  group.add_number<&Scenario::steps>(
      "steps", "most exchanges that refining mappers try (tabu: make; default: by size)",
      largest_integer);
  auto& objective = group.add<&Scenario::objective>(
      "objective",
      objective_help() +
          "; a comma decides ties, 2*A+B weighs. time asks vtopo's solver; simulated-time, in "
          "front, asks the one of --solver: portfolio does, others minimise a proxy",
      Kind::list);
  objective.words = objective_names();
  objective.comma_list = true;
  group.add<&Scenario::time_limit>(
      "time-limit",
      "of the search, such as 10s. Each refining mapper then returns the best that it has; so does "
      "the first Ctrl-C");
  auto& threads = group.add_number<&Scenario::threads>(
      "threads",
      "of this command (0: as many as the hardware runs); they change no result, but for how far a "
      "mapper gets under --time-limit",
      max_threads);
  threads.reported = never;
  threads.of_machine = true;
}

void add_choice(std::vector<ScenarioOption>& options) {
  Group(choice_group, options)
      .add<&Scenario::min_gain>(
          "min-gain",
          "keep the order given unless the mapper's takes less time by this share; under another "
          "objective it must also lower that by as much. auto: 1 %, or half of the machine's noise "
          "where that is more. none: the mapper's is written whatever it costs")
      .argument = "PERCENT";
  Group(choice_group, options)
      .add<&Scenario::imbalance>(
          "imbalance",
          "instead of --slots: every host takes up to ranks / hosts, rounded up, and this share "
          "more, rounded down, as partitioners count; 0%: perfect balance")
      .argument = "PERCENT";
}

/// Named as the properties `vtopo-NAME` of platform files, which they override.
void add_endpoint_costs(Group& group) {
  group.add<&Scenario::overhead>(
      "overhead", "of the processor per message, at its sender and at its receiver, such as 1us");
  group.add<&Scenario::gap>(
      "gap",
      "instead of --overhead, of each further message that a rank has under way, such as 300ns");
  group.add<&Scenario::eager_limit>(
      "eager-limit",
      "most bytes of messages that leave before their receiver is ready, such as 8KiB");
  group.add<&Scenario::handshake>("handshake", "before a message above the eager limit starts");
  group
      .add<&Scenario::memory_bandwidth>("memory-bandwidth",
                                        "of messages inside a host (--loopback-bandwidth)")
      .excludes = {"loopback-bandwidth"};
  group.add<&Scenario::reduction_bandwidth>("reduction-bandwidth",
                                            "bytes that a rank reduces in a second");
}

void add_simulation(std::vector<ScenarioOption>& options) {
  Group group(mapping_group, options);
  ScenarioOption simulate{
      "simulate",
      Kind::flag,
      mapping_group,
      "simulate when the traffic ends (default, unless the solver cannot) or not",
      [](Scenario& scenario, const std::string&) { scenario.simulate = true; },
      [](const Scenario& scenario) { return written(scenario.simulate == true); }};
  simulate.reported = never;
  simulate.replaces = {"no-simulate"};
  options.push_back(simulate);
  simulate.name = "no-simulate";
  simulate.help = "do not replay the traffic";
  simulate.set = [](Scenario& scenario, const std::string&) { scenario.simulate = false; };
  simulate.texts = [](const Scenario& scenario) { return written(scenario.simulate == false); };
  simulate.reported = nullptr;
  simulate.replaces = {"simulate"};
  simulate.negates = "simulate";
  options.push_back(simulate);
  group
      .add<&Scenario::solver>(
          "solver",
          "auto, fast or simgrid: fast is vtopo's own solver, the same times of model CM02 much "
          "sooner; auto takes it for CM02, SimGrid for other models")
      .reported = [](const Scenario& scenario) {
    return simulates(scenario) && !(scenario.solver == Scenario().solver);
  };
  group.add<&Scenario::network_model>("network-model", "CM02, LV08 or SMPI").reported = simulates;
  group
      .add<&Scenario::loopback_bandwidth>("loopback-bandwidth",
                                          "of messages inside a host; inf: they finish at once")
      .reported = simulates;
  add_endpoint_costs(group);
}

void add_output(std::vector<ScenarioOption>& options) {
  Group group(output_group, options);
  group.add_number<&Scenario::top_links>("top-links", "list the most loaded links", largest_int);
  group
      .add<&Scenario::sensitivity>(
          "sensitivity",
          "whether the verdict holds on a machine that differs by this share; when bandwidths, "
          "latencies and costs of messages are so much higher or lower, one at a time, and under "
          "the other routing rules: which of them changes that, by how much, by which link and "
          "ranks; such as 20%")
      .argument = "PERCENT";
  group.add<&Scenario::ideal>(
      "ideal",
      "also how little the busiest link could have under the best routing (over shortest routes "
      "and pairs of them by way of one intermediate), certified to 1 % or as shown",
      Kind::flag);
}

void add_limits(std::vector<ScenarioOption>& options) {
  const auto add = [&](std::string_view name, std::string help, auto set, auto texts) {
    ScenarioOption& limit =
        options.emplace_back(ScenarioOption{name, Kind::text, mapping_group, help, set, texts});
    limit.reported = never;
    limit.of_machine = true;
  };
  add(
      "run-limit",
      "such as 10m: a simulation or the loading of a platform file that takes longer is an error "
      "(default: 24h of SimGrid, none of vtopo's own; 1h)",
      [](Scenario& scenario, const std::string& text) { scenario.limits.run_limit = text; },
      [](const Scenario& scenario) { return written(scenario.limits.run_limit); });
  add(
      "memory-limit",
      "of SimGrid, where it is used, such as 8GiB, on top of the problem (default: as the machine "
      "has)",
      [](Scenario& scenario, const std::string& text) { scenario.limits.memory_limit = text; },
      [](const Scenario& scenario) { return written(scenario.limits.memory_limit); });
}

bool is_reported(const ScenarioOption& option, const Scenario& scenario) {
  return option.reported != nullptr ? option.reported(scenario) : is_given(option, scenario);
}

}  // namespace

bool is_given(const ScenarioOption& option, const Scenario& scenario) {
  return option.texts(scenario) != option.texts(Scenario());
}

std::span<const ScenarioOption> scenario_options() {
  static const std::vector<ScenarioOption> options = [] {
    std::vector<ScenarioOption> result;
    result.reserve(64);  // options are changed after others were added
    for (const auto add : {add_guest, add_trace, add_network, add_edits, add_allocation,
                           add_mapping, add_choice, add_simulation, add_limits, add_output})
      add(result);
    return result;
  }();
  return options;
}

const ScenarioOption& scenario_option(std::string_view name) {
  for (const ScenarioOption& option : scenario_options())
    if (option.name == name) return option;
  throw UsageError(unknown_scenario_key(name));
}

const ScenarioOption* find_scenario_key(std::string_view name) {
  for (const ScenarioOption& option : scenario_options())
    if (option.name == name && !option.of_machine) return &option;
  return nullptr;
}

std::string unknown_scenario_key(std::string_view name) {
  Texts names;
  for (const ScenarioOption& option : scenario_options())
    if (!option.of_machine) names.emplace_back(option.name);
  std::sort(names.begin(), names.end());
  const std::string hint = suggestion(name, names);
  return fmt::format("unknown key \"{}\"{}", name,
                     hint.empty() ? "; accepted: " + join(names, ", ") : hint);
}

std::vector<std::pair<std::string, std::string>> described(
    const Scenario& scenario, std::span<const std::string_view> groups) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const ScenarioOption& option : scenario_options()) {
    if (!groups.empty() && std::find(groups.begin(), groups.end(), option.group) == groups.end())
      continue;
    if (!is_reported(option, scenario)) continue;
    for (const std::string& text : option.texts(scenario)) result.emplace_back(option.name, text);
  }
  return result;
}

}  // namespace vtopo::detail
