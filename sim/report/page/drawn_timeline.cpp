#include <algorithm>
#include <array>

#include "sim/report/page/trace_page.hpp"

namespace vtopo::detail {

namespace {

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
      spans_.push_back(span);
      return;
    }
    if (is_empty_) piece_ = span;
    is_empty_ = false;
    piece_.end = span.end;
    seconds_[static_cast<std::size_t>(span.kind)] += length;
    if (piece_.end.value - piece_.begin.value >= shortest_) end();
  }

 private:
  void end() {
    if (is_empty_) return;
    const auto most = std::max_element(seconds_.begin(), seconds_.end()) - seconds_.begin();
    piece_.kind = static_cast<RankSpan::Kind>(most);
    spans_.push_back(piece_);
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

DrawnTimeline drawn_timeline(const TraceRow& row, std::size_t max_lanes, std::size_t max_spans) {
  DrawnTimeline drawn;
  const auto ranks = static_cast<std::size_t>(row.times.ranks.size());
  const std::size_t lanes = std::min(ranks, max_lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    drawn.ranks.push_back(id_at<Rank>(lane * ranks / lanes));
  std::vector<std::vector<RankSpan>> of_rank(ranks);
  for (const RankSpan& span : row.timeline) of_rank[index(span.rank)].push_back(span);
  std::size_t all = 0;
  for (const Rank rank : drawn.ranks) all += of_rank[index(rank)].size();
  if (all > max_spans)
    drawn.merged = row.times.makespan * (static_cast<double>(lanes) / double(max_spans));
  for (const Rank rank : drawn.ranks) {
    SpanMerger merger(drawn.merged.value, drawn.spans);
    for (const RankSpan& span : of_rank[index(rank)]) merger.add(span);
  }
  return drawn;
}

}  // namespace vtopo::detail
