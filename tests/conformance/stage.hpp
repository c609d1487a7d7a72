#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

/// What each process of the job has in one place of the script; none stands for MPI_COMM_NULL.
using Slot = std::vector<std::optional<Communicator>>;

/// The process that makes a call on a communicator.
struct Caller {
  const Communicator& communicator;
  Rank rank;
  ProcessId process;
};

/// Arguments of a call: a line of the script after the name and the slots.
using Words = std::vector<int>;

/// Runs random calls through vtopo, while it writes them down as a script (one call per line) and
/// vtopo's answers (per process one line per call of its own). Slot 0 holds the world.
class Stage {
 public:
  /// What a constructor gives to each rank of the old communicator.
  using Constructor = std::function<std::vector<std::optional<Communicator>>(const Communicator&)>;

  /// What an inquiry answers, as text.
  using Inquiry = std::function<std::string(const Caller&)>;

  Stage(int num_processes, std::uint64_t seed);

  Random& random() { return random_; }

  /// Uniform in first..last.
  int draw(int first, int last);

  /// True once in `times`.
  bool once_in(int times) { return draw(1, times) == 1; }

  /// Lets the members of the `parent` slot make a communicator.
  /// @returns the slot of the new ones.
  int construct(std::string_view call, int parent, const Words& words, const Constructor& make);

  /// Lets each member of `slot` ask.
  void ask(std::string_view call, int slot, const Words& words, const Inquiry& answer);

  /// Frees all slots but the world.
  void end_case();

  const Slot& slot(int number) const { return slots_[static_cast<std::size_t>(number)]; }

  /// Some communicator of the slot; none if nobody has one there.
  std::optional<Communicator> any_of(int slot) const;

  const std::string& script() const { return script_; }

  /// Answers of process 0, of process 1, and so on.
  std::string answers() const;

 private:
  void write_call(std::string_view call, std::span<const int> slots, const Words& words);
  void note(std::size_t process, std::string_view call, std::string_view answer);

  Random random_;
  std::vector<Slot> slots_;
  std::string script_;
  std::vector<std::string> answers_;  ///< one per process
  int line_ = 0;
};

/// The numbers with spaces between them.
std::string listed(std::span<const int> numbers);

/// The ranks with spaces between them; `-` for MPI_PROC_NULL.
std::string listed(std::span<const std::optional<Rank>> ranks);

/// The ranks with spaces between them.
std::string listed(std::span<const Rank> ranks);

}  // namespace vtopo::conformance
