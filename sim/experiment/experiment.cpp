#include "sim/experiment/experiment.hpp"

#include <fmt/format.h>

#include "sim/experiment/scenario_guest.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

void build_host(const Scenario& scenario, Observer& observer, Experiment& experiment) {
  LoadedNetwork loaded = load_network(scenario, observer);
  experiment.network = std::move(loaded.network);
  experiment.endpoint = loaded.endpoint;
  check_memory(experiment.network->num_links(), 0);  // before all hosts are listed
  experiment.allocation =
      make_allocation(*experiment.network, scenario.hosts, *scenario.slots, scenario.seed);
  experiment.network_text =
      fmt::format("{}: {} hosts, {} directed links; allocated: {} hosts, {} slots", loaded.text,
                  experiment.network->num_hosts(), experiment.network->num_links(),
                  experiment.allocation.num_hosts(), experiment.allocation.num_slots());
}

void read_background(const std::string& path, Experiment& experiment) {
  const auto flows = read_host_flows(path, *experiment.network);
  PlacedTraffic traffic = placed_traffic(flows);
  Metrics alone = evaluate(traffic.guest, *experiment.network, traffic.embedding);
  std::string text =
      fmt::format("{}: {} flows of other jobs, {}, busiest link {}", path, flows.size(),
                  format_bytes(alone.total_volume), format_seconds(alone.max_congestion));
  experiment.background = Background{std::move(traffic), std::move(alone), std::move(text)};
}

}  // namespace

Experiment build_experiment(const Scenario& scenario, Observer& observer) {
  Experiment experiment;
  if (!scenario.trace.empty()) experiment.trace = read_recorded_program(scenario, observer);
  const auto topology = experiment.trace ? std::nullopt : read_topology(scenario, experiment);
  build_host(scenario, observer, experiment);
  build_guest(scenario, topology, experiment);
  if (!scenario.background.empty()) read_background(scenario.background, experiment);
  return experiment;
}

}  // namespace vtopo
