#include "sim/clock/programs/traces/goal_schedule.hpp"

#include "topology/base/ids.hpp"

namespace vtopo::detail {

namespace {

std::int32_t take(std::set<std::int32_t>& set) {
  const std::int32_t node = *set.begin();
  set.erase(set.begin());
  return node;
}

}  // namespace

void GoalSchedule::require(std::int32_t node, std::int32_t earlier, bool only_start) {
  auto& list = at(earlier);
  (only_start ? list.after_start : list.after_end).push_back(node);
}

int GoalSchedule::put_into(std::vector<Operation>& operations, std::vector<std::int32_t>& lines) {
  operations_ = &operations;
  lines_ = &lines;
  prepare();
  while (true) {
    if (!ready_messages_.empty()) {
      begin(take(ready_messages_));
    } else if (!ready_work_.empty()) {
      begin(take(ready_work_));
    } else if (!startable_.empty()) {
      wait_for_requirements(*startable_.begin());
    } else {
      break;
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!has_begun_[i]) return nodes[i].line;
  if (num_running_ > 0) append(wait_all(), nodes.back().line);
  return 0;
}

void GoalSchedule::append(const Operation& operation, int line) {
  operations_->push_back(operation);
  lines_->push_back(line);
}

void GoalSchedule::prepare() {
  not_begun_.assign(nodes.size(), 0);
  not_ended_.assign(nodes.size(), 0);
  has_begun_.assign(nodes.size(), false);
  requirements_.assign(nodes.size(), {});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::int32_t later : nodes[i].after_start) ++not_begun_[index(later)];
    for (const std::int32_t later : nodes[i].after_end) {
      ++not_begun_[index(later)];
      ++not_ended_[index(later)];
      requirements_[index(later)].push_back(static_cast<std::int32_t>(i));
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) sort_in(static_cast<std::int32_t>(i));
}

/// Puts a node where it belongs.
void GoalSchedule::sort_in(std::int32_t node) {
  if (has_begun_[index(node)] || not_begun_[index(node)] > 0) return;
  if (not_ended_[index(node)] > 0) {
    startable_.insert(node);
    return;
  }
  startable_.erase(node);
  const bool works = at(node).operation.kind == Operation::Kind::compute;
  (works ? ready_work_ : ready_messages_).insert(node);
}

void GoalSchedule::begin(std::int32_t node) {
  GoalNode& begun = at(node);
  has_begun_[index(node)] = true;
  begun.operation.request = node;
  const bool works = begun.operation.kind == Operation::Kind::compute;
  append(begun.operation, begun.line);
  if (!works) {
    running_.insert(node);
    ++num_running_;
  }
  for (const std::int32_t later : begun.after_start) requirement_begun(later);
  for (const std::int32_t later : begun.after_end) requirement_begun(later);
  if (works) end(node);
}

void GoalSchedule::requirement_begun(std::int32_t node) {
  --not_begun_[index(node)];
  sort_in(node);
}

void GoalSchedule::end(std::int32_t node) {
  for (const std::int32_t later : at(node).after_end) {
    --not_ended_[index(later)];
    sort_in(later);
  }
}

void GoalSchedule::wait_for_requirements(std::int32_t node) {
  for (const std::int32_t earlier : requirements_[index(node)]) {
    if (running_.erase(earlier) == 0) continue;
    --num_running_;
    append(wait(earlier), at(node).line);
    end(earlier);
  }
}

}  // namespace vtopo::detail
