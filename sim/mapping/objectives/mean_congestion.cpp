#include <algorithm>
#include <limits>

#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/state/link_loads.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

/// Loads for the sum of the congestions, flows of each link for the number of used ones: a load
/// that comes and goes may leave a rounding error behind, a count does not.
class MeanCongestion : public MeasureState {
 public:
  explicit MeanCongestion(const Network& network)
      : loads_(network), flows_(static_cast<std::size_t>(network.num_links()), 0) {}

  void change(const PlacedEdge& edge, int sign) override {
    if (!edge.travels()) return;
    loads_.change(edge.source, edge.destination, edge.volume, sign > 0);
    count(edge.source, edge.destination, sign);
    changes_.push_back({edge.source, edge.destination, sign});
  }

  void keep() override {
    loads_.keep();
    changes_.clear();
  }

  void undo() override {
    loads_.undo();
    for (const Change& change : changes_) count(change.source, change.destination, -change.sign);
    changes_.clear();
  }

  double value() const override { return used_ > 0 ? loads_.sum() / used_ : 0; }

 private:
  struct Change {
    HostId source;
    HostId destination;
    int sign;
  };

  void count(HostId source, HostId destination, int sign) {
    loads_.routes().for_each_link(source, destination, [&](LinkId link, double) {
      int& flows = flows_[index(link)];
      used_ -= flows > 0;
      flows += sign;
      used_ += flows > 0;
    });
  }

  RouteLoads loads_;
  std::vector<int> flows_;  ///< one entry per link
  int used_ = 0;            ///< links with flows
  std::vector<Change> changes_;
};

/// Where flows are not split, a used link carries at least one of them whole.
double least_mean(const MappingProblem& problem, const Bounds& bounds) {
  if (problem.network.splits_flows() || bounds.hop_bytes.value <= 0) return 0;
  double least = std::numeric_limits<double>::infinity();
  problem.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination != source && edge.volume.value > 0)
      least = std::min(least, edge.volume.value);
  });
  double fastest = 0;
  for (int l = 0; l < problem.network.num_links(); ++l)
    fastest = std::max(fastest, problem.network.link(LinkId{l}).bandwidth.value);
  return least / fastest;
}

}  // namespace

/// Load / bandwidth, in the mean over the links that carry anything, along exact routes (the
/// average congestion of T. Hoefler and M. Snir, ICS 2011, over used links).
MeasureDefinition mean_congestion() {
  return {.measure = {.name = "mean-congestion",
                      .unit = "seconds",
                      .summary = "load / bandwidth in the mean over the links in use",
                      .position = 3,
                      .value = [](const Metrics& metrics) { return metrics.mean_congestion.value; },
                      .floor = least_mean},
          .state = [](const MappingProblem& problem) -> std::unique_ptr<MeasureState> {
            return std::make_unique<MeanCongestion>(problem.network);
          }};
}

}  // namespace vtopo::detail::objectives
