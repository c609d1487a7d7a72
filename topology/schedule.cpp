#include "topology/schedule.hpp"
#include "topology/base/ids.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace vtopo {

namespace {

/// Sums the edges of one rank after the other.
class EdgeSums {
 public:
  explicit EdgeSums(int num_ranks) : place_(index(num_ranks), absent) {}

  void add(const CommEdge& edge, std::int64_t steps) {
    std::size_t& place = place_[index(edge.destination)];
    if (place == absent) {
      place = sums_.size();
      sums_.push_back({Bytes{0}, edge.destination, 0});
    }
    CommEdge& sum = sums_[place];
    sum.volume += edge.volume * static_cast<double>(steps);
    sum.messages =
        limited(sum.messages + static_cast<double>(edge.messages) * static_cast<double>(steps));
  }

  void end_rank(CompressedRows<CommEdge>& rows) {
    for (const CommEdge& sum : sums_) {
      rows.push(sum);
      place_[index(sum.destination)] = absent;
    }
    rows.end_row();
    sums_.clear();
  }

 private:
  static constexpr std::size_t absent = std::numeric_limits<std::size_t>::max();

  static int limited(double messages) {
    constexpr int most = std::numeric_limits<int>::max();
    return messages < static_cast<double>(most) ? static_cast<int>(messages) : most;
  }

  std::vector<std::size_t> place_;  ///< of a destination in `sums_`
  std::vector<CommEdge> sums_;
};

}  // namespace

CommGraph aggregated(const Schedule& schedule) {
  const auto& phases = schedule.phases;
  if (phases.size() == 1 && phases.front().repeat == 1) return phases.front().traffic;
  const int num_ranks = phases.front().traffic.num_ranks();
  EdgeSums sums(num_ranks);
  CompressedRows<CommEdge> rows;
  for (int r = 0; r < num_ranks; ++r) {
    for (const SchedulePhase& phase : phases)
      for (const CommEdge& edge : phase.traffic.out_edges(Rank{r})) sums.add(edge, phase.repeat);
    sums.end_rank(rows);
  }
  return CommGraph(std::move(rows));
}

}  // namespace vtopo
