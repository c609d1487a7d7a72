#include "sim/clock/programs/traces/rank_calls.hpp"

#include <utility>

#include "sim/clock/programs/traces/trace_limits.hpp"

namespace vtopo::detail {

void RankCalls::start(Operation operation, const Key& key) {
  if (free_.empty()) free_.insert(num_requests_++);
  operation.request = *free_.begin();
  free_.erase(free_.begin());
  open_[key].push_back(operation.request);
  ++num_open_;
  operations_.push_back(operation);
  end_call();
}

bool RankCalls::wait_for(const Key& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return false;
  const std::int32_t request = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) open_.erase(found);
  free_.insert(request);
  --num_open_;
  operations_.push_back(wait(request));
  end_call();
  return true;
}

void RankCalls::wait_for_all() {
  if (num_open_ == 0) return;
  for (const auto& [key, requests] : open_) free_.insert(requests.begin(), requests.end());
  open_.clear();
  num_open_ = 0;
  operations_.push_back(wait_all());
  end_call();
}

void RankCalls::move_to(Trace& trace, Rank rank) {
  end_call();
  check_num_operations(static_cast<double>(operations_.size()));
  operations_.shrink_to_fit();
  lines_.shrink_to_fit();
  trace.program.ranks[rank] = std::move(operations_);
  trace.lines[rank] = std::move(lines_);
}

}  // namespace vtopo::detail
