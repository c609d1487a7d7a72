#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

class LeavingEdges : public TotalState {
 public:
  void change(const PlacedEdge& edge, int sign) override {
    if (edge.leaves_host()) total_ += sign;
  }
};

}  // namespace

/// Directed edges that leave a host (S. Hunold et al., CLUSTER 2020).
MeasureDefinition jsum() {
  return {.measure = {.name = "jsum",
                      .unit = "edges",
                      .summary = "edges that leave a host",
                      .position = 5,
                      .value =
                          [](const Metrics& metrics) { return static_cast<double>(metrics.jsum); }},
          .state = [](const MappingProblem&) -> std::unique_ptr<MeasureState> {
            return std::make_unique<LeavingEdges>();
          }};
}

}  // namespace vtopo::detail::objectives
