// MPI_Wtime. In SMPI each call takes 10 ns: a program that waits for a time of day by asking again
// and again would ask a hundred million times per second. Such a loop is recognised and its steps
// grow.

#include <simgrid/s4u/Actor.hpp>

#include <algorithm>
#include <chrono>
#include <map>

#include "sim/mpi/recording.hpp"
#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

namespace {

using Clock = std::chrono::steady_clock;

/// What a process has asked for the time lately.
struct Asked {
  const void* caller = nullptr;
  Clock::time_point returned{};  ///< of the machine that simulates
  double first = 0;              ///< simulated
  int times = 0;                 ///< without a pause
};

constexpr auto pause = std::chrono::microseconds(2);  ///< a loop that computes takes longer
constexpr int many_times = 1000;
constexpr double growth = 0.01;  ///< of the time that was waited
constexpr double longest_step = 1e-3;

Asked& asked_here() {
  static std::map<int, Asked> of_rank;
  return of_rank[rank_of_actor(simgrid::s4u::this_actor::get_pid())];
}

/// The time, asked by the code at that place.
double time_for(const void* caller) {
  const Clock::time_point asked = Clock::now();
  const double now = PMPI_Wtime();
  if (!simgrid::s4u::Actor::is_maestro() &&
      rank_of_actor(simgrid::s4u::this_actor::get_pid()) >= 0) {
    const Asked before = asked_here();
    const bool again = before.caller == caller && asked - before.returned < pause;
    Asked next{caller, {}, again ? before.first : now, again ? before.times + 1 : 0};
    if (next.times > many_times) {
      const Uncharged own_time;
      simgrid::s4u::this_actor::sleep_for(std::min(growth * (now - next.first), longest_step));
    }
    next.returned = Clock::now();
    asked_here() = next;
  }
  return now;
}

}  // namespace

}  // namespace vtopo::detail::overlay

double MPI_Wtime() {
  return vtopo::detail::overlay::time_for(__builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) double mpi_wtime_() {
  return vtopo::detail::overlay::time_for(__builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"), alias("mpi_wtime_"))) double pmpi_wtime_();

extern "C" __attribute__((visibility("default"))) double pmpi_wtick_() {
  return PMPI_Wtick();
}
