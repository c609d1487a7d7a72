#include "sim/mpi/polls.hpp"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/s4u/Actor.hpp>
#include <xbt/config.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>

#include "sim/mpi/endings.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/recording.hpp"

namespace vtopo::detail::overlay {

namespace {

constexpr double shortest = 1e-7;   ///< seconds
constexpr double exact_for = 1e-3;  ///< seconds of questions that all take that
constexpr double growth = 0.01;     ///< of the time waited
constexpr double given_up = 1e6;    ///< seconds

/// Seconds that a loop which only asks may take for itself where the program's computation counts.
constexpr double longest_pause = 2e-6;

/// What a process has waited by questions in a row.
struct Wait {
  double seconds = 0;
  double until = 0;  ///< end of the last question
};

Wait& wait_of(int rank) {
  static std::map<int, Wait> of_rank;
  return of_rank[rank];
}

/// Takes SMPI's own time of a question out, unless the user has set it.
bool take_over() {
  const auto options = {"smpi/test", "smpi/iprobe"};
  if (!std::all_of(options.begin(), options.end(), simgrid::config::is_default)) return false;
  for (const char* option : options) simgrid::config::set_value(option, 0.0);
  return true;
}

[[noreturn]] void end_in_vain(int rank, std::string_view name) {
  const InCall call({.name = name});
  if (are_endings_told()) end_in_deadlock();
  const std::string sentence =
      fmt::format("rank {} has asked by {} for {} simulated seconds for what never comes", rank,
                  name, given_up);
  end_simulation(1, sentence.c_str());
}

}  // namespace

void pass_time_of_poll(std::string_view name) {
  static const bool is_taken_over = take_over();
  const int rank = rank_of_actor(sg_actor_self_get_pid());
  if (!is_taken_over || rank < 0) return;
  const Uncharged own_time;
  Wait& wait = wait_of(rank);
  const double pause = simgrid_get_clock() - wait.until;
  if (pause > std::max(longest_pause, growth * wait.seconds)) wait.seconds = 0;
  if (wait.seconds > given_up) end_in_vain(rank, name);
  const double step = wait.seconds < exact_for ? shortest : growth * wait.seconds;
  simgrid::s4u::this_actor::sleep_for(step);
  wait.seconds += step;
  wait.until = simgrid_get_clock();
}

void end_polls() {
  wait_of(rank_of_actor(sg_actor_self_get_pid())).seconds = 0;
}

}  // namespace vtopo::detail::overlay
