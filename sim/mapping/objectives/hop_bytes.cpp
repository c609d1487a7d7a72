#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

class HopBytesTotal : public TotalState {
 public:
  void change(const PlacedEdge& edge, int sign) override {
    if (edge.travels()) total_ += sign * edge.volume.value * edge.mean_hops;
  }
};

}  // namespace

/// Bytes times the hops that they travel (T. Hoefler and M. Snir, ICS 2011).
MeasureDefinition hop_bytes() {
  return {.measure = {.name = "hop-bytes",
                      .unit = "bytes",
                      .summary = "sum over all edges of bytes times hops",
                      .position = 1,
                      .value = [](const Metrics& metrics) { return metrics.hop_bytes.value; },
                      .floor = [](const MappingProblem&,
                                  const Bounds& bounds) { return bounds.hop_bytes.value; }},
          .state = [](const MappingProblem&) -> std::unique_ptr<MeasureState> {
            return std::make_unique<HopBytesTotal>();
          }};
}

}  // namespace vtopo::detail::objectives
