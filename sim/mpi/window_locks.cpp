#include "sim/mpi/window_locks.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "sim/mpi/open_calls.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Windows on one group of processes, in the order in which they are made.
struct GroupWindows {
  std::vector<int> made;                                   ///< by rank in the group
  std::map<int, std::shared_ptr<WindowState>> being_made;  ///< not all processes have come yet
};

std::unordered_map<MPI_Win, std::shared_ptr<WindowState>>& windows() {
  static std::unordered_map<MPI_Win, std::shared_ptr<WindowState>> all;
  return all;
}

GroupWindows& windows_of(MPI_Comm comm) {
  static std::map<std::vector<int>, GroupWindows> of_group;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  GroupWindows& found = of_group[world_ranks_of(group)];
  PMPI_Group_free(&group);
  return found;
}

}  // namespace

void SharedLock::take(int rank, bool alone) {
  if (is_free_for(alone) && (waiting_.empty() || (!alone && may_overtake(rank)))) {
    grant(rank, alone);
    return;
  }
  const auto turn = simgrid::s4u::Semaphore::create(0);
  waiting_.push_back({rank, alone, turn});
  turn->acquire();
}

bool SharedLock::may_overtake(int rank) {
  return std::all_of(waiting_.begin(), waiting_.end(),
                     [rank](Waiting& waiting) { return waiting.overtaken_by.insert(rank).second; });
}

void SharedLock::grant(int rank, bool alone) {
  const auto place = static_cast<std::size_t>(rank);
  if (place >= held_by_.size()) held_by_.resize(place + 1);
  held_by_[place] = true;
  ++num_holders_;
  alone_ = alone;
}

void SharedLock::release(int rank) {
  held_by_[static_cast<std::size_t>(rank)] = false;
  --num_holders_;
  while (!waiting_.empty() && is_free_for(waiting_.front().alone)) {
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    grant(next.rank, next.alone);
    next.turn->release();
  }
}

bool SharedLock::is_held_by(int rank) const {
  const auto place = static_cast<std::size_t>(rank);
  return place < held_by_.size() && held_by_[place];
}

std::vector<int> SharedLock::holders() const {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < held_by_.size(); ++rank)
    if (held_by_[rank]) ranks.push_back(static_cast<int>(rank));
  return ranks;
}

WindowState& join_window(MPI_Win window, MPI_Comm comm) {
  int rank = 0, size = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  GroupWindows& group = windows_of(comm);
  group.made.resize(static_cast<std::size_t>(size));
  const int number = group.made[static_cast<std::size_t>(rank)]++;
  std::shared_ptr<WindowState> state = group.being_made[number];
  if (state == nullptr) state = group.being_made[number] = std::make_shared<WindowState>(size);
  if (++state->num_joined == size) group.being_made.erase(number);
  windows()[window] = state;
  return *state;
}

WindowState* state_of(MPI_Win window) {
  const auto found = windows().find(window);
  return found == windows().end() ? nullptr : found->second.get();
}

void leave_window(MPI_Win window) {
  windows().erase(window);
}

}  // namespace vtopo::detail::overlay
