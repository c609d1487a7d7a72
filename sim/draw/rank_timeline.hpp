#pragma once

#include <cstddef>
#include <vector>

#include "sim/clock/program_times.hpp"
#include "sim/run/report.hpp"

namespace vtopo::detail {

/// Spans of the ranks that are drawn, of each rank in the order of time.
struct DrawnTimeline {
  std::vector<Rank> ranks;      ///< one lane each
  std::vector<RankSpan> spans;  ///< lane by lane
  Seconds merged{0};            ///< shorter spans are drawn as what most of their time goes into
  int num_ranks = 0;            ///< of which these are drawn
};

/// Gathers what ranks do while a simulation reports it, of at most `max_lanes` ranks, evenly among
/// all. Its memory does not grow with the run: of very many spans short ones are merged.
class RankTimeline {
 public:
  explicit RankTimeline(int num_ranks = 0, std::size_t max_lanes = 64);

  /// The next span of its rank; ranks that have no lane, such as those of other jobs, are left out.
  void add(const RankSpan& span);

  /// About `max_spans` spans of a program that takes `makespan`.
  DrawnTimeline drawn(Seconds makespan, std::size_t max_spans) const;

  bool is_empty() const { return num_spans_ == 0; }

  /// What was gathered of a row, unless its simulation came to no end; leaves nothing for the next.
  RankTimeline take(const Row& row);

 private:
  using Lane = std::vector<RankSpan>;

  DrawnTimeline merged(double shortest) const;
  void merge_short_spans();

  int num_ranks_;
  std::vector<Rank> ranks_;    ///< of each lane
  std::vector<int> lane_of_;   ///< of each rank; -1: none
  std::vector<Lane> lanes_;    ///< spans of one kind that follow each other are one
  std::size_t num_spans_ = 0;  ///< in all lanes
  double latest_ = 0;          ///< end of a span
};

}  // namespace vtopo::detail
