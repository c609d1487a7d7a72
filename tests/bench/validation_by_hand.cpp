#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/bench/hand_cases.hpp"
#include "tests/bench/validation_report.hpp"

namespace vtopo {

namespace {

std::string shown(double value) {
  return fmt::format("{:.7g}", value);
}

std::string joined(const std::vector<double>& values) {
  const bool alike = std::all_of(values.begin(), values.end(),
                                 [&](double v) { return shown(v) == shown(values[0]); });
  if (alike) return shown(values[0]) + (values.size() > 1 ? " each" : "");
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + shown(value);
  return text;
}

/// Every host once.
Allocation all_hosts(int num_hosts) {
  Allocation allocation;
  for (int h = 0; h < num_hosts; ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(static_cast<std::size_t>(num_hosts), 1);
  return allocation;
}

/// A phase with rank r on host r, and what the simulators say.
class HandPhase {
 public:
  HandPhase(const HandCase& it, const std::string& folder) : case_(it), network_(made(folder)) {
    std::vector<DirectedEdge> edges;
    for (const HandFlow& flow : it.flows)
      edges.push_back({Rank{flow.source}, Rank{flow.destination}, {1e9 * flow.gigabytes}});
    guest_ = CommGraph(network_->num_hosts(), edges);
    for (std::size_t i = 0; i < edges.size(); ++i) place_by_source(edges);
  }

  double bound() const { return evaluate(guest_, *network_, embedding()).max_congestion.value; }

  /// Finish times in the order of the case.
  std::vector<double> times(Solver solver) const {
    SimulationOptions options;
    options.model = case_.model;
    options.loopback_bandwidth = case_.loopback;
    options.solver = solver;
    const auto result = simulate(guest_, *network_, embedding(), options);
    if (result.flow_finish.empty()) return {result.makespan.value};
    std::vector<double> in_order;
    for (const std::size_t place : places_) in_order.push_back(result.flow_finish.at(place).value);
    return in_order;
  }

 private:
  std::shared_ptr<const Network> made(const std::string& folder) const {
    if (case_.network.front() != '<')
      return make_network(case_.network, {.bandwidth = {1e9}, .latency = case_.latency});
    const std::string file = folder + "/hand-case.xml";
    std::ofstream(file) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                           "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                        << case_.network << "</platform>\n";
    return load_platform(file, {});
  }

  Embedding embedding() const {
    const Allocation allocation = all_hosts(network_->num_hosts());
    return Embedding(allocation.hosts, allocation);
  }

  /// Flows come out by source, those of one source in their order.
  void place_by_source(const std::vector<DirectedEdge>& edges) {
    const std::size_t i = places_.size();
    std::size_t before = 0;
    for (std::size_t j = 0; j < edges.size(); ++j)
      before += edges[j].source < edges[i].source || (edges[j].source == edges[i].source && j < i);
    places_.push_back(before);
  }

  const HandCase& case_;
  std::shared_ptr<const Network> network_;
  CommGraph guest_;
  std::vector<std::size_t> places_;
};

std::string flows_text(const HandCase& it) {
  std::string text;
  for (const HandFlow& flow : it.flows) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}→{}", flow.source, flow.destination);
    if (flow.gigabytes != 1) text += fmt::format(" ({} GB)", flow.gigabytes);
  }
  return text;
}

}  // namespace

void check_by_hand(ValidationReport& report, const std::string& folder) {
  report.text +=
      "## By hand\n\nLinks carry 1 GB/s and flows 1 GB unless said; numbers are hosts; seconds.\n\n"
      "| case | network | flows | calculation | by hand | static bound | SimGrid | fast solver | "
      "agrees |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const HandCase& it : hand_cases()) {
    const HandPhase phase(it, folder);
    const auto simgrid = phase.times(Solver::simgrid);
    const bool has_fast = it.model == NetworkModel::cm02;
    const auto fast = has_fast ? phase.times(Solver::fast) : it.seconds;
    const double off =
        std::max(largest_difference(simgrid, it.seconds), largest_difference(fast, it.seconds));
    report.text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", it.name,
                    it.shown.empty() ? fmt::format("`{}`", it.network) : it.shown, flows_text(it),
                    it.calculation, joined(it.seconds), shown(phase.bound()), joined(simgrid),
                    has_fast ? joined(fast) : "-", report.judge(off <= accepted_difference));
  }
}

}  // namespace vtopo
