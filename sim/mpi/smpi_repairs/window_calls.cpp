// Functions on windows that block: they go to SMPI as they are; they report a deadlock. Who
// waits for whom between MPI_Win_post, _start, _complete and _wait follows from the groups given to
// them, by ranks alone: between the same ranks, two windows are not told apart.

#include "sim/mpi/smpi_repairs/windows.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"

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
  return of_group[world_ranks_of(comm)];
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

using namespace vtopo::detail::overlay;

namespace {

/// A process of MPI_COMM_WORLD that has to do with a window of another one.
struct Partner {
  MPI_Win window;  ///< handle of the process that is asked
  int rank;
};

/// By rank: to whom it exposes windows, and whose it has started to access.
struct Epochs {
  std::vector<Partner> exposed_to, accessed;
};

Epochs& epochs_of(int rank) {
  static std::map<int, Epochs> of_rank;
  return of_rank[rank];
}

bool is_exposed_to(int target, int origin) {
  const auto& exposed = epochs_of(target).exposed_to;
  return std::any_of(exposed.begin(), exposed.end(),
                     [&](const Partner& partner) { return partner.rank == origin; });
}

/// An access of `origin` is complete: one exposure of `target` to it is over.
void end_exposure(int target, int origin) {
  auto& exposed = epochs_of(target).exposed_to;
  const auto found = std::find_if(exposed.begin(), exposed.end(),
                                  [&](const Partner& partner) { return partner.rank == origin; });
  if (found != exposed.end()) exposed.erase(found);
}

/// Those of a group that are in MPI_COMM_WORLD.
std::vector<int> partners_of(MPI_Group group) {
  std::vector<int> ranks = world_ranks_of(group);
  std::erase_if(ranks, [](int rank) { return rank < 0; });
  return ranks;
}

MPI_Group group_of(MPI_Win window) {
  MPI_Group group = MPI_GROUP_NULL;
  if (window != MPI_WIN_NULL) PMPI_Win_get_group(window, &group);
  return group;
}

OpenCall all_of(const char* name, MPI_Win window) {
  return {.name = name, .group = group_of(window), .collective = true};
}

/// A window that SMPI has made, or failed to make.
int made(int code, MPI_Comm comm, const MPI_Win* window, int flavor) {
  if (code == MPI_SUCCESS) join_window(*window, comm).flavor = flavor;
  return code;
}

/// Memory of a process next to that of others.
struct OwnPart {
  std::shared_ptr<void> all;
  char* begin = nullptr;
};

/// Memory for all processes of a communicator, in the order of ranks without gaps: that of whoever
/// comes first.
OwnPart allocate_together(MPI_Aint size, MPI_Comm comm) {
  struct Handout {
    std::shared_ptr<void> memory;
    int remaining;
  };
  struct Part {
    MPI_Aint size;
    Handout* handout;  ///< of process 0
  };
  int rank = 0, processes = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &processes);
  const Part own{size, rank == 0 ? new Handout{nullptr, processes} : nullptr};
  std::vector<Part> parts(static_cast<std::size_t>(processes));
  smpi([&] {
    return PMPI_Allgather(&own, sizeof own, MPI_BYTE, parts.data(), sizeof own, MPI_BYTE, comm);
  });
  const auto sum = [&](int ranks) {
    return std::accumulate(parts.begin(), parts.begin() + ranks, MPI_Aint{0},
                           [](MPI_Aint bytes, const Part& part) { return bytes + part.size; });
  };
  Handout* const handout = parts.front().handout;
  if (handout->memory == nullptr)
    handout->memory.reset(
        std::calloc(static_cast<std::size_t>(std::max<MPI_Aint>(1, sum(processes))), 1),
        &std::free);
  const OwnPart result{handout->memory, static_cast<char*>(handout->memory.get()) + sum(rank)};
  if (--handout->remaining == 0) delete handout;
  if (result.all == nullptr) throw SmpiFailure{MPI_ERR_NO_MEM};
  return result;
}

}  // namespace

int MPI_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* win) {
  const InCall call(collective_call("MPI_Win_create", comm));
  return call.result(made(PMPI_Win_create(base, size, disp_unit, info, comm, win), comm, win,
                          MPI_WIN_FLAVOR_CREATE));
}

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  const InCall call(collective_call("MPI_Win_create_dynamic", comm));
  return call.result(
      made(PMPI_Win_create_dynamic(info, comm, win), comm, win, MPI_WIN_FLAVOR_DYNAMIC));
}

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* win) {
  const InCall call(collective_call("MPI_Win_allocate", comm));
  return call.result(made(PMPI_Win_allocate(size, disp_unit, info, comm, base, win), comm, win,
                          MPI_WIN_FLAVOR_ALLOCATE));
}

/// In SMPI each part begins where that of process 0 does, and all are as large as that.
int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* win) {
  const InCall call(collective_call("MPI_Win_allocate_shared", comm));
  if (comm == MPI_COMM_NULL || size < 0 || disp_unit < 0 || base == nullptr || win == nullptr)
    return call.result(PMPI_Win_allocate_shared(size, disp_unit, info, comm, base, win));
  try {
    const Uncharged own_time;
    const OwnPart part = allocate_together(size, comm);
    smpi([&] { return PMPI_Win_create(part.begin, size, disp_unit, info, comm, win); });
    WindowState& state = join_window(*win, comm);
    state.memory = part.all;
    state.flavor = MPI_WIN_FLAVOR_SHARED;
    *static_cast<void**>(base) = part.begin;
  } catch (const SmpiFailure& failure) {
    return call.result(failure.code);
  }
  return MPI_SUCCESS;
}

int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr) {
  constexpr const char* call_name = "MPI_Win_shared_query";
  const WindowState* const state = state_of(win);
  if (state != nullptr && rank != MPI_PROC_NULL &&
      static_cast<std::size_t>(rank) >= state->access.size())
    return answered(call_name, MPI_ERR_RANK, win);
  return answered(call_name, PMPI_Win_shared_query(win, rank, size, disp_unit, baseptr), win);
}

/// SMPI has neither the flavor nor the model.
int MPI_Win_get_attr(MPI_Win win, int keyval, void* attribute_val, int* flag) {
  constexpr const char* call_name = "MPI_Win_get_attr";
  WindowState* const state = state_of(win);
  const bool is_own = keyval == MPI_WIN_CREATE_FLAVOR || keyval == MPI_WIN_MODEL;
  if (!is_own || state == nullptr || attribute_val == nullptr || flag == nullptr)
    return answered(call_name, PMPI_Win_get_attr(win, keyval, attribute_val, flag), win);
  *static_cast<int**>(attribute_val) = keyval == MPI_WIN_MODEL ? &state->model : &state->flavor;
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Win_free(MPI_Win* win) {
  constexpr const char* call_name = "MPI_Win_free";
  const MPI_Win window = win == nullptr ? MPI_WIN_NULL : *win;
  const InCall call(all_of(call_name, window));
  const int code = PMPI_Win_free(win);
  if (code == MPI_SUCCESS) leave_window(window);
  return answered(call_name, code, window);
}

int MPI_Win_fence(int assert, MPI_Win win) {
  const InCall call(all_of("MPI_Win_fence", win));
  return answered("MPI_Win_fence", PMPI_Win_fence(assert, win), win);
}

int MPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  const InCall call(OpenCall{.name = "MPI_Win_post"});
  if (win != MPI_WIN_NULL && group != MPI_GROUP_NULL)
    for (const int origin : partners_of(group))
      epochs_of(world_rank()).exposed_to.push_back({win, origin});
  return answered("MPI_Win_post", PMPI_Win_post(group, assert, win), win);
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  if (win == MPI_WIN_NULL || group == MPI_GROUP_NULL)
    return answered("MPI_Win_start", PMPI_Win_start(group, assert, win), win);
  const int own = world_rank();
  const std::vector<int> targets = partners_of(group);
  for (const int target : targets) epochs_of(own).accessed.push_back({win, target});
  const InCall call(OpenCall{.name = "MPI_Win_start", .awaited = [own, &targets] {
                               std::vector<int> missing = targets;
                               std::erase_if(missing, [&](int t) { return is_exposed_to(t, own); });
                               return missing;
                             }});
  return answered("MPI_Win_start", PMPI_Win_start(group, assert, win), win);
}

int MPI_Win_complete(MPI_Win win) {
  const InCall call(OpenCall{.name = "MPI_Win_complete"});
  const int code = PMPI_Win_complete(win);
  const int own = world_rank();
  std::vector<Partner> accessed = std::move(epochs_of(own).accessed);
  for (const Partner& partner : accessed)
    if (partner.window == win) end_exposure(partner.rank, own);
  std::erase_if(accessed, [&](const Partner& partner) { return partner.window == win; });
  epochs_of(own).accessed = std::move(accessed);
  return answered("MPI_Win_complete", code, win);
}

int MPI_Win_wait(MPI_Win win) {
  const int own = world_rank();
  const InCall call(OpenCall{.name = "MPI_Win_wait", .awaited = [own, win] {
                               std::vector<int> missing;
                               for (const auto& [window, origin] : epochs_of(own).exposed_to)
                                 if (window == win) missing.push_back(origin);
                               return missing;
                             }});
  return answered("MPI_Win_wait", PMPI_Win_wait(win), win);
}
