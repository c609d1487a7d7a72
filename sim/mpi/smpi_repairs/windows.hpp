#pragma once

#include <simgrid/s4u/Semaphore.hpp>

#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// A lock that one process has alone or several share; processes are ranks of MPI_COMM_WORLD. Only
/// waiting takes simulated time. Who waits to have it alone is overtaken by each other process at
/// most once: those that share it may wait for each other, and those that ask again and again must
/// not keep it forever.
class SharedLock {
 public:
  /// Blocks until the process has it; an Uncharged lives.
  void take(int rank, bool alone);
  void release(int rank);
  bool is_held_by(int rank) const;
  std::vector<int> holders() const;

 private:
  struct Waiting {
    int rank = 0;
    bool alone = false;
    simgrid::s4u::SemaphorePtr turn;
    std::set<int> overtaken_by{};
  };
  bool is_free_for(bool alone) const { return num_holders_ == 0 || (!alone && !alone_); }
  bool may_overtake(int rank);
  void grant(int rank, bool alone);

  std::vector<bool> held_by_;
  int num_holders_ = 0;
  bool alone_ = false;
  std::deque<Waiting> waiting_;
};

/// What the processes of a window share.
struct WindowState {
  explicit WindowState(int size)
      : access(static_cast<std::size_t>(size)), atomics(static_cast<std::size_t>(size)) {}

  std::vector<SharedLock> access;   ///< by target: MPI_Win_lock
  std::vector<SharedLock> atomics;  ///< by target: while one process reads and changes a value
  std::shared_ptr<void> memory{};   ///< of a shared window
  int flavor = MPI_WIN_FLAVOR_CREATE;
  int model = MPI_WIN_UNIFIED;  ///< all processes are in one address space
  int num_joined = 0;
};

/// Called by each process that has made a window; the k-th window that it makes on a group of
/// processes is the k-th that each of them makes.
WindowState& join_window(MPI_Win window, MPI_Comm comm);

/// The state of a window that the overlay has seen being made, or null.
WindowState* state_of(MPI_Win window);

/// The window is no more.
void leave_window(MPI_Win window);

}  // namespace vtopo::detail::overlay
