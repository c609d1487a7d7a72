#include "sim/draw/rank_timeline.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

namespace {

/// Spans in all lanes before short ones are merged.
constexpr std::size_t max_gathered = 1 << 15;

/// Short spans of one rank that follow each other as one.
class SpanMerger {
 public:
  SpanMerger(double shortest, std::vector<RankSpan>& spans) : shortest_(shortest), spans_(spans) {}
  ~SpanMerger() { end(); }
  SpanMerger(const SpanMerger&) = delete;
  SpanMerger& operator=(const SpanMerger&) = delete;

  void add(const RankSpan& span) {
    const double length = span.end.value - span.begin.value;
    if (length >= shortest_) {
      end();
      push(span);
      return;
    }
    if (is_empty_) piece_ = span;
    is_empty_ = false;
    piece_.end = span.end;
    seconds_[static_cast<std::size_t>(span.kind)] += length;
    if (piece_.end.value - piece_.begin.value >= shortest_) end();
  }

 private:
  void push(const RankSpan& span) {
    if (!spans_.empty() && spans_.back().rank == span.rank && spans_.back().kind == span.kind &&
        spans_.back().end == span.begin)
      spans_.back().end = span.end;
    else
      spans_.push_back(span);
  }

  void end() {
    if (is_empty_) return;
    const auto most = std::max_element(seconds_.begin(), seconds_.end()) - seconds_.begin();
    piece_.kind = static_cast<RankSpan::Kind>(most);
    push(piece_);
    seconds_ = {};
    is_empty_ = true;
  }

  double shortest_;
  std::vector<RankSpan>& spans_;
  RankSpan piece_;
  std::array<double, 3> seconds_{};  ///< of each kind
  bool is_empty_ = true;
};

}  // namespace

RankTimeline::RankTimeline(int num_ranks, std::size_t max_lanes)
    : num_ranks_(num_ranks), lane_of_(index(num_ranks), -1) {
  const std::size_t lanes = std::min(index(num_ranks), max_lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    ranks_.push_back(id_at<Rank>(lane * index(num_ranks) / lanes));
    lane_of_[index(ranks_.back())] = static_cast<int>(lane);
  }
  lanes_.resize(lanes);
}

void RankTimeline::add(const RankSpan& span) {
  if (number(span.rank) >= num_ranks_) return;
  const int at = lane_of_[index(span.rank)];
  if (at < 0) return;
  latest_ = std::max(latest_, span.end.value);
  Lane& lane = lanes_[static_cast<std::size_t>(at)];
  if (!lane.empty() && lane.back().kind == span.kind && lane.back().end == span.begin) {
    lane.back().end = span.end;
    return;
  }
  lane.push_back(span);
  if (++num_spans_ > max_gathered) merge_short_spans();
}

DrawnTimeline RankTimeline::drawn(Seconds makespan, std::size_t max_spans) const {
  const double shortest = makespan.value * static_cast<double>(lanes_.size()) / double(max_spans);
  return merged(num_spans_ > max_spans ? shortest : 0);
}

RankTimeline RankTimeline::take(const Row& row) {
  RankTimeline gathered = std::exchange(*this, RankTimeline(num_ranks_, ranks_.size()));
  return row.simulation ? std::move(gathered) : *this;
}

DrawnTimeline RankTimeline::merged(double shortest) const {
  DrawnTimeline result{ranks_, {}, Seconds{shortest}, num_ranks_};
  for (const Lane& lane : lanes_) {
    SpanMerger merger(shortest, result.spans);
    for (const RankSpan& span : lane) merger.add(span);
  }
  return result;
}

/// Leaves a quarter at most, which is many more than are drawn.
void RankTimeline::merge_short_spans() {
  const double shortest = latest_ * 8 * static_cast<double>(lanes_.size()) / double(max_gathered);
  const DrawnTimeline kept = merged(shortest);
  for (Lane& lane : lanes_) lane.clear();
  for (const RankSpan& span : kept.spans)
    lanes_[static_cast<std::size_t>(lane_of_[index(span.rank)])].push_back(span);
  num_spans_ = kept.spans.size();
}

}  // namespace vtopo::detail
