#include <algorithm>
#include <cmath>
#include <map>

#include "sim/clock/sharing/flows.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/bench/validation_report.hpp"
#include "tests/sim/random_phases.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

/// What one random scenario showed.
struct Scenario {
  std::string kind;
  bool equal_volumes = false;
  double lower = 0;      ///< max_congestion, seconds
  double upper = 0;      ///< largest volume at the least rate that a flow may ever have, seconds
  double simulated = 0;  ///< last finish without latencies, seconds
  double fast_off = 0;   ///< largest relative difference of the fast solver's finish times

  double ratio() const { return simulated / lower; }
};

std::string kind_of(const std::string& network) {
  for (const auto* kind : {"cluster", "any-routes"})
    if (network.find(std::string("random-phase-") + kind) != std::string::npos)
      return std::string("XML, ") + (kind == std::string("cluster") ? "cluster" : "any routes");
  const std::string name = network.substr(0, network.find(':'));
  if (name != "torus") return name == "fat-tree" ? "fat tree" : name;
  return network.find('m') < network.find(',') ? "torus with a mesh dimension" : name;
}

/// Max-min sharing never gives a flow less than the least fair share of any link, which only grows
/// as flows end.
double seconds_at_least_rate(const Network& network, const Metrics& metrics, double volume) {
  double longest = 0;
  for (std::size_t l = 0; l < metrics.links.size(); ++l) {
    const auto link = network.link(id_at<LinkId>(l));
    const int flows = metrics.links[l].flows;
    const int sharing = link.sharing == LinkSharing::fatpipe ? std::min(flows, 1) : flows;
    longest = std::max(longest, sharing * volume / link.bandwidth.value);
  }
  return longest;
}

Scenario play(const RandomPhase& phase) {
  const Metrics metrics = evaluate(phase.guest, *phase.network, phase.embedding);
  const auto flows =
      make_flows(phase.guest, *phase.network, phase.embedding, RoutesUsed::forth).flows;
  Scenario scenario{kind_of(phase.network_text), true, metrics.max_congestion.value, 0, 0, 0};
  if (flows.empty()) return scenario;
  const auto finish = flow_times(phase, Solver::simgrid);
  scenario.fast_off = largest_difference(numbers(flow_times(phase, Solver::fast)), numbers(finish));
  double most = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    scenario.equal_volumes &= flows[f].volume.value == flows[0].volume.value;
    most = std::max(most, flows[f].volume.value);
    scenario.simulated = std::max(scenario.simulated, finish[f].value - flows[f].latency.value);
  }
  scenario.upper = seconds_at_least_rate(*phase.network, metrics, most);
  return scenario;
}

std::string row(const std::string& name, const std::vector<const Scenario*>& scenarios) {
  std::vector<double> ratios;
  double fast_off = 0;
  for (const Scenario* scenario : scenarios) {
    ratios.push_back(scenario->ratio());
    fast_off = std::max(fast_off, scenario->fast_off);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto above = std::count_if(ratios.begin(), ratios.end(),
                                   [](double r) { return r > 1 + accepted_difference; });
  std::string text = fmt::format("| {} | {} | {} |", name, ratios.size(), above);
  for (const double q : {0.0, 0.1, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0}) {
    const auto place =
        static_cast<std::size_t>(std::lround(q * static_cast<double>(ratios.size() - 1)));
    text += fmt::format(" {:.6f} |", ratios[place]);
  }
  return text + fmt::format(" {:.1e} |\n", fast_off);
}

void write_ratios(ValidationReport& report, const std::vector<Scenario>& scenarios) {
  std::map<std::string, std::vector<const Scenario*>> groups;
  std::vector<const Scenario*> all;
  for (const Scenario& scenario : scenarios) {
    all.push_back(&scenario);
    groups[scenario.kind].push_back(&scenario);
    groups[scenario.equal_volumes ? "~equal volumes" : "~unequal volumes"].push_back(&scenario);
  }
  report.text +=
      "| scenarios | number | above 1 | least | 10 % | median | 75 % | 90 % | 95 % | 99 % | "
      "largest | fast "
      "solver off by |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  if (!all.empty()) report.text += row("all", all);
  for (const auto& [name, group] : groups)
    report.text += row(name.front() == '~' ? name.substr(1) : name, group);
}

/// Each check with the number of scenarios that pass it.
void write_checks(ValidationReport& report, const std::vector<Scenario>& scenarios) {
  const auto check = [&](const char* what, auto holds) {
    const auto good = std::count_if(scenarios.begin(), scenarios.end(), holds);
    report.text += fmt::format("- {}: {} of {}: {}\n", what, good, scenarios.size(),
                               report.judge(good == int_size(scenarios)));
  };
  constexpr double slack = 1 + accepted_difference;
  report.text += "\n";
  check("simulated time is at least the static bound",
        [](const Scenario& s) { return s.simulated * slack >= s.lower; });
  check("simulated time is at most the largest volume at the least fair share of any link",
        [](const Scenario& s) { return s.simulated <= s.upper * slack; });
  check("where volumes are equal both are one number, and the ratio is 1", [](const Scenario& s) {
    return !s.equal_volumes || std::abs(s.ratio() - 1) <= accepted_difference;
  });
  check("the fast solver gives every flow the finish time that SimGrid gives it",
        [](const Scenario& s) { return s.fast_off <= accepted_difference; });
}

}  // namespace

void check_bounds(ValidationReport& report, const std::string& folder, int count,
                  std::uint64_t first) {
  std::vector<Scenario> scenarios;
  int without_flows = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const Scenario scenario = play(PhaseDraw(seed, folder).phase());
    if (scenario.lower > 0)
      scenarios.push_back(scenario);
    else
      ++without_flows;
  }
  report.text += fmt::format(
      "\n## Static bound and simulated time\n\n{} scenarios of seeds {} to {}: random network, "
      "guest (random multigraph; equal volumes, up to four sizes, or all different) and embedding "
      "(one rank or several per host). {} of them put nothing on the network and have no ratio. "
      "Simulated time by SimGrid (latencies taken off) over `max_congestion`, the largest of load "
      "over bandwidth:\n\n",
      count, first, first + static_cast<std::uint64_t>(count) - 1, without_flows);
  write_ratios(report, scenarios);
  write_checks(report, scenarios);
}

}  // namespace vtopo
