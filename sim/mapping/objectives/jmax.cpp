#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

class EdgesLeavingHosts : public MeasureState {
 public:
  explicit EdgesLeavingHosts(std::size_t num_hosts) : leaving_(num_hosts) {}

  void change(const PlacedEdge& edge, int sign) override {
    if (edge.leaves_host()) leaving_.add(index(edge.from), sign);
  }
  void keep() override { leaving_.keep(); }
  void undo() override { leaving_.undo(); }
  double value() const override { return leaving_.max(); }
  std::optional<double> tie_breaker() const override { return leaving_.sum_of_squares(); }

 private:
  SummedMax leaving_;  ///< one entry per host of the allocation
};

}  // namespace

/// Directed edges that leave the host that most of them leave (S. Hunold et al., CLUSTER 2020).
MeasureDefinition jmax() {
  return {.measure = {.name = "jmax",
                      .unit = "edges",
                      .summary = "edges that leave the busiest host",
                      .position = 6,
                      .value =
                          [](const Metrics& metrics) { return static_cast<double>(metrics.jmax); }},
          .state = [](const MappingProblem& problem) -> std::unique_ptr<MeasureState> {
            return std::make_unique<EdgesLeavingHosts>(problem.allocation.hosts.size());
          }};
}

}  // namespace vtopo::detail::objectives
