#include "sim/clock/critical_path.hpp"

#include <algorithm>

namespace vtopo::detail {

void WaitHistory::posted(std::int32_t message, Rank rank, std::size_t operation, bool starts_it,
                         double now) {
  if (posts_.size() <= index(message)) posts_.resize(index(message) + 1);
  Post& post = posts_[index(message)];
  if (post.ends == 2) post = {};  // the number is used again
  ++post.ends;
  if (!post.is_decided) post.last = {rank, operation, last_[rank].value_or(none), now};
  post.is_decided |= starts_it;
}

void WaitHistory::waited(Rank rank, std::size_t operation, std::int32_t message, double end) {
  last_[rank] = static_cast<std::int64_t>(waits_.size());
  waits_.push_back({PathStep::Kind::message, operation, posts_[index(message)].last, end});
}

void WaitHistory::met(std::span<const Rank> ranks, Rank last, double now) {
  const Point cause{last, 0, last_[last].value_or(none), now};
  for (const Rank rank : ranks) {
    if (rank == last) continue;
    last_[rank] = static_cast<std::int64_t>(waits_.size());
    waits_.push_back({PathStep::Kind::barrier, 0, cause, now});
  }
}

std::vector<PathStep> WaitHistory::path_to(Rank rank, std::size_t num_operations,
                                           double finish) const {
  std::vector<PathStep> steps;
  Point at{rank, num_operations, last_[rank].value_or(none), finish};
  while (true) {
    const Wait* wait = at.wait == none ? nullptr : &waits_[index(at.wait)];
    const double begin = wait == nullptr ? 0 : wait->end;
    if (at.time > begin)
      steps.push_back({PathStep::Kind::local, at.rank, at.operation, {begin}, {at.time}});
    if (wait == nullptr) break;
    steps.push_back({wait->kind, at.rank, wait->operation, {wait->cause.time}, {wait->end}});
    at = wait->cause;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace vtopo::detail
