#include "cli/mpirun/smpi_options.hpp"

#include <limits>

#include "cli/command/scenario_verb.hpp"
#include "cli/output/output.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/run/rows.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

namespace {

void add_job_options(Verb& verb, SmpiOptions& options) {
  verb.group("Job");
  verb.add("-n,--np", &options.np, "ranks of MPI_COMM_WORLD; also as -np 8")
      ->required()
      ->check(whole_number(std::numeric_limits<int>::max()));
  for (const auto name : {"hosts", "slots", "seed"}) add_scenario_option(verb, options, name);
  verb.offer(
      verb.add(
          "--launcher-mapper", &options.launcher_mapper,
          "where the launcher puts the ranks: block, round_robin, random (shuffled), or any mapper "
          "(see vtopo mappers) together with --launcher-traffic"),
      mapper_words());
  verb.add("--launcher-traffic", &options.launcher_traffic,
           "recording, as of vtopo record, by which a mapper places the ranks");
  add_embedding_file(verb, options,
                     "file that says where the launcher puts the ranks; what vtopo map writes",
                     "--launcher-mapper");
}

void add_reordering_options(Verb& verb, SmpiOptions& options) {
  verb.group("Reordering: constructors of topologies with reorder = 1");
  add_scenario_option(verb, options, "mapper")
      ->description(
          "NAME[:option=value] (see vtopo mappers; default: several that take milliseconds)");
  add_scenario_option(verb, options, "objective")
      ->description(objective_help() + "; a comma decides ties");
  verb.add(
      "--bytes", &options.message_bytes,
      "of the mean message to a neighbour, such as 1MiB (default: the weights of a graph, else "
      "64KiB)");
  add_scenario_option(verb, options, "steps")
      ->description("most exchanges that refining mappers try (default: by size)");
  add_scenario_option(verb, options, "time-limit")->description("of each mapping, such as 10s");
  verb.add("--no-reorder", &options.no_reorder, "constructors keep the order of ranks");
  verb.add(
          "--force-reorder", &options.force_reorder,
          "constructors that ask for reorder=0 reorder too: for programs that take their rank from "
          "the new communicator")
      ->excludes("--no-reorder");
  verb.add("--charge-mapping", &options.charge_mapping,
           "the mapping's processor time passes on the simulated host that computes it");
}

void add_simulation_options(Verb& verb, SmpiOptions& options) {
  verb.group("Simulation");
  add_scenario_option(verb, options, "network-model")
      ->description(
          "CM02: bandwidth is shared and nothing else; LV08, SMPI: as measured on Ethernet");
  add_scenario_option(verb, options, "loopback-bandwidth")
      ->description("of messages inside a host; platform files of SimGrid have their own");
  verb.add("--loopback-latency", &options.loopback_latency, "of messages inside a host");
  verb.add("--charge-computation", &options.charge_computation,
           "processor time of the program passes on the simulated hosts, which then are as "
           "fast as this machine; otherwise only communication takes time, and what the "
           "program itself lets pass");
  verb.add("--smpi-option", &options.smpi_options,
           "NAME:VALUE for SimGrid, such as smpi/allreduce:rdb; may be repeated");
  add_limit_options(
      verb, options.limits,
      "seconds or 10m of time on the wall, after which a run is ended; also of "
      "loading a platform file (default: none, 1h)",
      "address space of the simulation, such as 8GiB; also what loading a platform file "
      "takes beside (default: none, as the machine has)");
}

/// `block, random and round_robin`.
std::string mappers_without_traffic() {
  std::vector<std::string> names;
  for (const MapperInfo& info : all_mappers())
    if (info.ignores_traffic) names.push_back(info.name);
  const std::string last = names.back();
  names.pop_back();
  return join(names, ", ") + " and " + last;
}

CommGraph launcher_guest(const SmpiOptions& options, const MapperSpec& mapper) {
  if (options.launcher_traffic.empty()) {
    if (!find_mapper(mapper.name).ignores_traffic)
      throw UsageError(fmt::format(
          "--launcher-mapper {} places ranks by their traffic: give --launcher-traffic FILE, which "
          "vtopo record writes; without it accepted are {}",
          mapper.name, mappers_without_traffic()));
    return CommGraph(options.np);
  }
  TrafficOptions traffic;
  traffic.num_ranks = options.np;
  RecordedTraffic recorded = read_recorded_traffic(options.launcher_traffic, traffic);
  for (const std::string& sentence : recorded.remarks) say(sentence);
  return std::move(recorded.graph);
}

Embedding mapped(const SmpiOptions& options, const Network& network, const Allocation& allocation) {
  const auto mappers = parse_mappers(options.launcher_mapper);
  if (mappers.size() != 1)
    throw UsageError(fmt::format("--launcher-mapper takes one mapper, \"{}\" names {}",
                                 options.launcher_mapper, mappers.size()));
  const CommGraph guest = launcher_guest(options, mappers.front());
  if (guest.num_ranks() != options.np)
    throw UsageError(fmt::format("\"{}\" is of {} ranks, -np asks for {}", options.launcher_traffic,
                                 guest.num_ranks(), options.np));
  return run_mapper(
      mappers.front(),
      {.guest = guest, .network = network, .allocation = allocation, .seed = options.seed},
      {.steps = options.steps});
}

}  // namespace

SmpiOptions::SmpiOptions() {
  mappers.clear();
  loopback_bandwidth = "100GBps";
}

void add_smpi_options(Verb& verb, SmpiOptions& options) {
  add_job_options(verb, options);
  add_network_options(verb, options);
  add_reordering_options(verb, options);
  add_simulation_options(verb, options);
  verb.common = {"--np",
                 "--network",
                 "--platform",
                 "--hosts",
                 "--slots",
                 "--embedding",
                 "--launcher-mapper",
                 "--mapper",
                 "--objective",
                 "--bytes",
                 "--no-reorder",
                 "--charge-computation",
                 "--network-model",
                 "--smpi-option",
                 "--run-limit",
                 "--routing"};
  verb.rest = "PROGRAM [ARGUMENT...]";
}

void take_program(const std::string& verb, const Invocation& invocation, SmpiOptions& options) {
  options.program = invocation.rest;
  if (!options.program.empty() && options.program.front() == "--")
    options.program.erase(options.program.begin());
  else if (!options.program.empty() && options.program.front().starts_with('-'))
    throw UsageError(
        fmt::format("unknown option \"{}\"; see vtopo {} --help", options.program.front(), verb));
  if (options.program.empty())
    throw UsageError(
        fmt::format("the program is missing: vtopo {} -np 8 --network torus:2x2x2 "
                    "./program arguments",
                    verb));
  if (options.np < 1) throw UsageError("-np 0: accepted are 1 or more ranks");
  // Of what a program sends nothing is known before: links that any two of its ranks may use.
  const GuestSource all_pairs =
      TopologySource{fmt::format("parallel:axis.ranks={}:alltoall:1MiB", options.np),
                     std::vector{Bytes{1}},
                     {},
                     {}};
  options.fail_links =
      with_named_failures(all_pairs, network_source(options), job_of(options)).edits.failed_links;
}

std::vector<std::string> with_long_np(std::vector<std::string> words) {
  if (words.empty() || (words[0] != "mpirun" && words[0] != "record")) return words;
  for (std::string& word : words) {
    if (word == "-n" || word.starts_with("--np")) break;
    if (word != "-np") continue;
    word = "--np";
    break;
  }
  return words;
}

std::vector<std::pair<std::string, std::string>> described(const SmpiOptions& options) {
  std::vector<std::pair<std::string, std::string>> result{{"np", std::to_string(options.np)}};
  for (auto& pair : described(static_cast<const Scenario&>(options), network_groups))
    result.push_back(std::move(pair));
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) result.emplace_back(name, value);
  };
  add("hosts", options.hosts);
  add("slots", options.slots.text());
  add("seed", std::to_string(options.seed));
  add(options.embedding.empty() ? "launcher-mapper" : "embedding",
      options.embedding.empty() ? options.launcher_mapper : options.embedding);
  add("launcher-traffic", options.launcher_traffic);
  add("mapper", options.mappers);
  if (options.objective) add("objective", options.objective->text());
  if (options.steps) add("steps", std::to_string(*options.steps));
  if (options.time_limit) add("time-limit", options.time_limit->text());
  if (options.no_reorder) add("no-reorder", "true");
  if (options.force_reorder) add("force-reorder", "true");
  if (options.charge_mapping) add("charge-mapping", "true");
  add("bytes", options.message_bytes);
  add("network-model", options.network_model.text());
  add("loopback-bandwidth", options.loopback_bandwidth.text());
  add("loopback-latency", options.loopback_latency);
  if (options.charge_computation) add("charge-computation", "true");
  for (const std::string& option : options.smpi_options) add("smpi-option", option);
  return result;
}

LaunchPlacement place_ranks(const SmpiOptions& options, const Network& network) {
  Allocation allocation = make_allocation(network, options.hosts, *options.slots, options.seed);
  check_fit(options.np, allocation);
  if (options.embedding.empty()) {
    Embedding embedding = mapped(options, network, allocation);
    return {std::move(allocation), std::move(embedding)};
  }
  const auto& format = embedding_format_of(options.embedding, options.embedding_format);
  Embedding embedding = read_embedding(format, options.embedding, options.np, network, allocation);
  return {std::move(allocation), std::move(embedding)};
}

}  // namespace vtopo::detail
