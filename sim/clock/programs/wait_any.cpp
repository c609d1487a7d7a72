#include "sim/clock/programs/wait_any.hpp"

#include <algorithm>
#include <unordered_map>

namespace vtopo::detail {

namespace {

using Kind = Operation::Kind;

}  // namespace

std::vector<std::int32_t> requests_of_group(const std::vector<Operation>& operations,
                                            std::size_t position) {
  std::vector<std::int32_t> requests;
  for (bool ends = false; !ends; ++position) {
    if (operations[position].kind != Kind::wait_any) continue;
    requests.push_back(operations[position].request);
    ends = operations[position].amount == 0;
  }
  return requests;
}

std::vector<std::size_t> waits_outside_groups(const std::vector<Operation>& operations) {
  std::vector<std::size_t> outside, group;  // group: so far
  std::unordered_map<std::int32_t, std::size_t> started;
  const auto leave = [&](std::size_t count) {
    const auto end = group.begin() + static_cast<std::ptrdiff_t>(count);
    outside.insert(outside.end(), group.begin(), end);
    group.erase(group.begin(), end);
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.kind == Kind::start_send || operation.kind == Kind::start_receive) {
      started[operation.request] = i;
    } else if (operation.kind == Kind::repeat || operation.kind == Kind::end_repeat ||
               operation.kind == Kind::wait_all) {
      leave(group.size());
    } else if (operation.kind == Kind::wait_any) {
      if (!group.empty() && operation.amount != operations[group.back()].amount - 1)
        leave(group.size());
      // What was started later was not among those that earlier waits could have been for.
      if (const auto found = started.find(operation.request); found != started.end()) {
        const auto later = std::upper_bound(group.begin(), group.end(), found->second);
        leave(static_cast<std::size_t>(later - group.begin()));
      }
      group.push_back(i);
      if (operation.amount == 0) group.clear();
    }
  }
  leave(group.size());
  return outside;
}

void name_waits_outside_groups(std::vector<Operation>& operations) {
  for (const std::size_t i : waits_outside_groups(operations))
    operations[i] = wait(operations[i].request);
}

}  // namespace vtopo::detail
