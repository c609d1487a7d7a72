#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/state/measure_state.hpp"

namespace vtopo::detail::objectives {

namespace {

class MaxDilation : public MeasureState {
 public:
  void change(const PlacedEdge& edge, int sign) override {
    const auto entry = static_cast<std::size_t>(edge.hops);
    if (entry >= histogram_.size()) histogram_.resize(entry + 1, 0);
    histogram_[entry] += sign;
    changes_.emplace_back(entry, sign);
    squares_ += sign * edge.hops * static_cast<double>(edge.hops);
  }

  void keep() override {
    kept_squares_ = squares_;
    changes_.clear();
  }

  void undo() override {
    squares_ = kept_squares_;
    for (const auto& [entry, sign] : changes_) histogram_[entry] -= sign;
    changes_.clear();
  }

  double value() const override {
    std::size_t longest = histogram_.size();
    while (longest > 0 && histogram_[longest - 1] == 0) --longest;
    return longest > 0 ? static_cast<double>(longest - 1) : 0.0;
  }

  std::optional<double> tie_breaker() const override { return squares_; }

 private:
  std::vector<std::int64_t> histogram_;  ///< entry h: edges of h hops
  std::vector<std::pair<std::size_t, int>> changes_;
  double squares_ = 0;  ///< of the hops, summed up
  double kept_squares_ = 0;
};

/// No route is shorter than the hops that all bytes must travel on average.
double least_dilation(const MappingProblem& problem, const Bounds& bounds) {
  constexpr double rounding = 1e-12;
  const Bytes volume = problem.guest.total_volume();
  if (problem.network.splits_flows() || volume.value <= 0) return 0;
  return std::ceil(bounds.hop_bytes.value / volume.value * (1 - rounding));
}

}  // namespace

/// Hops of the edge whose ends are farthest apart (A. L. Rosenberg's dilation of graph embeddings).
MeasureDefinition max_dilation() {
  return {.measure = {.name = "max-dilation",
                      .unit = "hops",
                      .summary = "hops of the longest edge",
                      .position = 4,
                      .value = [](const Metrics& metrics) { return double(metrics.max_dilation); },
                      .floor = least_dilation},
          .state = [](const MappingProblem&) -> std::unique_ptr<MeasureState> {
            return std::make_unique<MaxDilation>();
          }};
}

}  // namespace vtopo::detail::objectives
