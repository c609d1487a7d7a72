// Access to windows that the target takes no part in: locks and atomic operations. In SMPI an
// exclusive lock is released before the operations under it are complete, and excludes nobody where
// the window is locked shared; what MPI_Compare_and_swap writes may come after the next one has
// read; MPI_Accumulate may come between the parts of MPI_Fetch_and_op.

#include <simgrid/s4u/Actor.hpp>

#include <cstring>
#include <map>
#include <string>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/polls.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "sim/mpi/smpi_repairs/windows.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Of the locks of a window that of a target; null for MPI_PROC_NULL and for wrong ranks.
SharedLock* lock_of(MPI_Win window, std::vector<SharedLock> WindowState::*locks, int target) {
  WindowState* const state = state_of(window);
  const auto place = static_cast<std::size_t>(target);
  return state == nullptr || place >= (state->*locks).size() ? nullptr : &(state->*locks)[place];
}

/// Takes a lock for the calling process, which may have to wait for others.
void take(SharedLock& lock, bool alone, const char* name) {
  const Uncharged own_time;
  const InCall call(OpenCall{.name = name, .awaited = [&lock] { return lock.holders(); }});
  lock.take(world_rank(), alone);
}

void release(SharedLock& lock) {
  const Uncharged own_time;
  lock.release(world_rank());
}

/// Makes an atomic operation, which is complete at the target in the end.
/// @param alone no other one of the window may come between its parts.
template <class Call>
int atomic(const char* name, MPI_Win window, int target, bool alone, Call&& call) {
  SharedLock* const lock = lock_of(window, &WindowState::atomics, target);
  if (lock != nullptr) take(*lock, alone, name);
  const int code = std::forward<Call>(call)();
  if (lock != nullptr) {
    if (code == MPI_SUCCESS) PMPI_Win_flush(target, window);
    release(*lock);
  }
  return answered(name, code, window);
}

/// A value that was read and not changed. A process that reads the same again and again waits for
/// another one to change it, and reading from itself would take no time.
void note_read(const char* name, MPI_Win window, int target, MPI_Aint place, const void* value,
               int count, MPI_Datatype type) {
  static std::map<int, std::string> last_of_rank;
  int unit = 0;
  PMPI_Type_size(type, &unit);
  std::string read = fmt::format("{} {} {} ", fmt::ptr(window), target, place);
  read.append(static_cast<const char*>(value), static_cast<std::size_t>(count * unit));
  std::string& last = last_of_rank[world_rank()];
  if (read == last)
    pass_time_of_poll(name);
  else
    end_polls();
  last = std::move(read);
}

/// MPI_Get_accumulate and MPI_Fetch_and_op.
template <class Call>
int fetch(const char* name, MPI_Op op, void* result, int count, MPI_Datatype type, int target,
          MPI_Aint place, MPI_Win window, Call&& call) {
  const int code = atomic(name, window, target, op != MPI_NO_OP, std::forward<Call>(call));
  if (code == MPI_SUCCESS && op == MPI_NO_OP && target != MPI_PROC_NULL)
    note_read(name, window, target, place, result, count, type);
  return code;
}

}  // namespace

int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  constexpr const char* name = "MPI_Win_lock";
  SharedLock* const lock = lock_of(win, &WindowState::access, rank);
  if (lock == nullptr || (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED))
    return answered(name, PMPI_Win_lock(lock_type, rank, assert, win), win);
  if (lock->is_held_by(world_rank())) return answered(name, MPI_ERR_RMA_SYNC, win);
  take(*lock, lock_type == MPI_LOCK_EXCLUSIVE, name);
  return answered(name, PMPI_Win_lock(MPI_LOCK_SHARED, rank, assert, win), win);
}

/// SMPI completes the operations after it has released its own lock.
int MPI_Win_unlock(int rank, MPI_Win win) {
  constexpr const char* name = "MPI_Win_unlock";
  SharedLock* const lock = lock_of(win, &WindowState::access, rank);
  if (lock == nullptr) return answered(name, PMPI_Win_unlock(rank, win), win);
  if (!lock->is_held_by(world_rank())) return answered(name, MPI_ERR_RMA_SYNC, win);
  const int code = PMPI_Win_unlock(rank, win);
  release(*lock);
  return answered(name, code, win);
}

int MPI_Win_lock_all(int assert, MPI_Win win) {
  constexpr const char* name = "MPI_Win_lock_all";
  WindowState* const state = state_of(win);
  if (state != nullptr)
    for (SharedLock& lock : state->access) {
      if (lock.is_held_by(world_rank())) return answered(name, MPI_ERR_RMA_SYNC, win);
      take(lock, false, name);
    }
  return answered(name, PMPI_Win_lock_all(assert, win), win);
}

int MPI_Win_unlock_all(MPI_Win win) {
  constexpr const char* name = "MPI_Win_unlock_all";
  WindowState* const state = state_of(win);
  if (state == nullptr) return answered(name, PMPI_Win_unlock_all(win), win);
  for (const SharedLock& lock : state->access)
    if (!lock.is_held_by(world_rank())) return answered(name, MPI_ERR_RMA_SYNC, win);
  const int code = PMPI_Win_unlock_all(win);
  for (SharedLock& lock : state->access) release(lock);
  return answered(name, code, win);
}

int MPI_Accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return atomic("MPI_Accumulate", win, target_rank, false, [&] {
    return PMPI_Accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                           target_count, target_datatype, op, win);
  });
}

int MPI_Raccumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                    int target_rank, MPI_Aint target_disp, int target_count,
                    MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return atomic("MPI_Raccumulate", win, target_rank, false, [&] {
    return PMPI_Raccumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                            target_count, target_datatype, op, win, request);
  });
}

int MPI_Get_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                       void* result_addr, int result_count, MPI_Datatype result_datatype,
                       int target_rank, MPI_Aint target_disp, int target_count,
                       MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return fetch("MPI_Get_accumulate", op, result_addr, result_count, result_datatype, target_rank,
               target_disp, win, [&] {
                 return PMPI_Get_accumulate(origin_addr, origin_count, origin_datatype, result_addr,
                                            result_count, result_datatype, target_rank, target_disp,
                                            target_count, target_datatype, op, win);
               });
}

/// SMPI's sets no request. The operation is complete here.
int MPI_Rget_accumulate(const void* origin_addr, int origin_count, MPI_Datatype origin_datatype,
                        void* result_addr, int result_count, MPI_Datatype result_datatype,
                        int target_rank, MPI_Aint target_disp, int target_count,
                        MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                        MPI_Request* request) {
  if (request != nullptr) *request = MPI_REQUEST_NULL;
  return fetch("MPI_Rget_accumulate", op, result_addr, result_count, result_datatype, target_rank,
               target_disp, win, [&] {
                 return PMPI_Rget_accumulate(origin_addr, origin_count, origin_datatype,
                                             result_addr, result_count, result_datatype,
                                             target_rank, target_disp, target_count,
                                             target_datatype, op, win, request);
               });
}

int MPI_Fetch_and_op(const void* origin_addr, void* result_addr, MPI_Datatype datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return fetch("MPI_Fetch_and_op", op, result_addr, 1, datatype, target_rank, target_disp, win,
               [&] {
                 return PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank,
                                          target_disp, op, win);
               });
}

int MPI_Compare_and_swap(const void* origin_addr, void* compare_addr, void* result_addr,
                         MPI_Datatype datatype, int target_rank, MPI_Aint target_disp,
                         MPI_Win win) {
  constexpr const char* name = "MPI_Compare_and_swap";
  const int code = atomic(name, win, target_rank, true, [&] {
    return PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank,
                                 target_disp, win);
  });
  int unit = 0;
  if (code != MPI_SUCCESS || target_rank == MPI_PROC_NULL) return code;
  PMPI_Type_size(datatype, &unit);
  if (std::memcmp(result_addr, compare_addr, static_cast<std::size_t>(unit)) != 0)
    note_read(name, win, target_rank, target_disp, result_addr, 1, datatype);
  return code;
}

/// All memory is one; a process that calls it again and again waits for what another one writes.
int MPI_Win_sync(MPI_Win win) {
  if (win == MPI_WIN_NULL) return answered("MPI_Win_sync", MPI_ERR_WIN, win);
  pass_time_of_poll("MPI_Win_sync");
  return MPI_SUCCESS;
}
