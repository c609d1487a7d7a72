#include "cli/options/scenario.hpp"

#include "cli/options/option_words.hpp"
#include "cli/options/scenario_guest.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

void add_allocation_options(Verb& verb, ScenarioOptions& options) {
  verb.group("Allocation");
  verb.add("--hosts", &options.hosts, hosts_help).takes(host_words());
  verb.add("--slots", &options.slots, "ranks per host, one number or one per host");
  verb.add("--seed", &options.seed, "of everything random").whole_number();
  verb.add("--background", &options.background,
           "what other jobs send at the same time: CSV file src_host,dst_host,bytes with "
           "names or numbers of hosts. It counts for links, times and the bound of "
           "congestion, not for hops; mappers do not see it, but for --objective simulated-time");
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

void add_scenario_options(Verb& verb, ScenarioOptions& options) {
  verb.group("Scenario from a file");
  verb.add("--scenario", &options.scenario_file,
           "JSON file with any of the options below but those of the output and "
           "--threads and limits of this machine, or a JSON "
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
