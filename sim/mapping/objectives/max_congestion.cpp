#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/state/link_loads.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

class MaxCongestion : public MeasureState {
 public:
  explicit MaxCongestion(const Network& network) : loads_(network) {}

  void change(const PlacedEdge& edge, int sign) override {
    if (edge.travels()) loads_.change(edge.source, edge.destination, edge.volume, sign > 0);
  }
  void keep() override { loads_.keep(); }
  void undo() override { loads_.undo(); }
  double value() const override { return loads_.max_congestion().value; }
  std::optional<double> tie_breaker() const override { return loads_.sum_of_squares(); }
  RouteLoads* link_loads() override { return &loads_; }

 private:
  RouteLoads loads_;
};

}  // namespace

/// Load / bandwidth of the most loaded link, along exact routes: the static bound on the time of an
/// exchange (T. Hoefler and M. Snir, ICS 2011).
MeasureDefinition max_congestion() {
  return {.measure = {.name = "max-congestion",
                      .unit = "seconds",
                      .summary = "load / bandwidth of the most loaded link",
                      .position = 2,
                      .value = [](const Metrics& metrics) { return metrics.max_congestion.value; },
                      .floor = [](const MappingProblem&,
                                  const Bounds& bounds) { return bounds.congestion.value; }},
          .state = [](const MappingProblem& problem) -> std::unique_ptr<MeasureState> {
            return std::make_unique<MaxCongestion>(problem.network);
          }};
}

}  // namespace vtopo::detail::objectives
