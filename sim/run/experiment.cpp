#include "sim/run/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/run/job_times.hpp"
#include "sim/run/rank_balance.hpp"
#include "sim/scenario/scenario_guest.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr int max_slots = 1'000'000;  ///< as `--slots`

void build_host(const Scenario& scenario, Observer& observer, Experiment& experiment) {
  LoadedNetwork loaded = load_network(scenario, observer);
  experiment.network = std::move(loaded.network);
  experiment.endpoint = loaded.endpoint;
  check_memory(experiment.network->num_links(), 0);  // before all hosts are listed
  experiment.network_text = loaded.text;
  Allocation& allocation = experiment.allocation;
  allocation = make_allocation(*experiment.network, scenario.hosts, *scenario.slots, scenario.seed);
  // Any number of ranks fits until they are counted.
  if (scenario.imbalance) std::fill(allocation.slots.begin(), allocation.slots.end(), max_slots);
}

/// By ranks per host, or by their weights where the traffic has any.
void balance(const Scenario& scenario, Experiment& experiment) {
  if (scenario.slots.text() != Scenario().slots.text())
    throw UsageError(
        fmt::format("--imbalance {} says how many ranks a host takes, and so does "
                    "--slots {}; accepted is one of them",
                    scenario.imbalance->text(), scenario.slots.text()));
  Allocation& allocation = experiment.allocation;
  const int ranks = experiment.guest.num_ranks(), hosts = allocation.num_hosts();
  if (auto by_weight = rank_balance(scenario, hosts))
    experiment.balance = std::make_shared<RankBalance>(std::move(*by_weight));
  std::fill(allocation.slots.begin(), allocation.slots.end(),
            experiment.balance ? experiment.balance->most_ranks()
                               : balanced_slots(ranks, hosts, **scenario.imbalance));
}

void describe_hosts(Experiment& experiment) {
  experiment.network_text +=
      fmt::format(": {}, {}; allocated: {}, {}", counted(experiment.network->num_hosts(), "host"),
                  counted(experiment.network->num_links(), "directed link"),
                  counted(experiment.allocation.num_hosts(), "host"),
                  counted(experiment.allocation.num_slots(), "slot"));
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

/// Whether the network's rule, which a file states, sees only the whole traffic, and what is to be
/// simulated needs the route of each message.
bool needs_other_rule(const Scenario& scenario, const Experiment& experiment) {
  if (*scenario.routing != Routing::automatic || experiment.network->routed({}) == nullptr)
    return false;
  const bool has_costs = scenario.overhead || scenario.gap || scenario.eager_limit ||
                         scenario.handshake || scenario.reduction_bandwidth;
  return has_costs || follows_messages(experiment);
}

Experiment build(const Scenario& scenario, Observer& observer) {
  Experiment experiment;
  if (!scenario.trace.empty()) experiment.trace = read_recorded_program(scenario, observer);
  const auto topology = experiment.trace ? std::nullopt : read_topology(scenario, experiment);
  build_host(scenario, observer, experiment);
  build_guest(scenario, topology, observer, experiment);
  if (scenario.imbalance) balance(scenario, experiment);
  describe_hosts(experiment);
  if (!scenario.background.empty()) read_background(scenario.background, experiment);
  return experiment;
}

}  // namespace

Experiment build_experiment(const Scenario& scenario, Observer& observer) {
  Experiment experiment = build(scenario, observer);
  if (!needs_other_rule(scenario, experiment)) return experiment;
  observer.remark(fmt::format(
      "routing simgrid instead of {}, which \"{}\" states: it follows from a whole traffic, not "
      "from single messages",
      to_string(experiment.network->routing()), scenario.platform));
  Scenario by_message = scenario;
  by_message.routing = "simgrid";
  return build(by_message, observer);
}

}  // namespace vtopo
