#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo {

/// What one rank of a communicator sends to another in a step.
struct StepMessage {
  int source = 0;          ///< rank inside the communicator
  int destination = 0;     ///< rank inside the communicator
  std::int64_t slots = 1;  ///< of the buffer, all of one size

  friend bool operator==(const StepMessage&, const StepMessage&) = default;  ///< memberwise
};

/// What a rank does with slots that arrive; it has sent its own before.
enum class StepEffect {
  replace,  ///< they take the place of its own
  combine   ///< they are reduced into its own
};

/// Messages inside a communicator that start together, and how often they do.
struct CommunicationStep {
  std::string name;         ///< may be empty
  std::int64_t rounds = 1;  ///< equal in who sends how much to whom, not in which slots
  StepEffect effect = StepEffect::replace;  ///< of every message in it
  std::vector<StepMessage> messages;        ///< of each round, started together
  /// Which slots a message carries in a round (from 0): where they lie in the buffer of the sender
  /// and of the receiver alike. Empty: slots 0, 1, ... Whoever counts bytes needs no more than
  /// their number; whoever checks the algorithm moves them.
  std::function<std::vector<int>(std::int64_t round, const StepMessage& message)> slots;
  /// The step that is so many places before this one has the same messages; 0: not known.
  std::int64_t same_flows_back = 0;
  /// Whether the slots of a message do not lie together and go as a message each. Volumes are the
  /// same; what each message costs at its ends is not.
  bool sends_slots_apart = false;
};

/// Steps one after the other, each made when it is asked for: an algorithm of thousands of steps
/// among thousands of ranks takes no more memory than one of its steps.
class StepSequence {
 public:
  /// Makes step k of a part, counted from 0.
  using Make = std::function<CommunicationStep(std::int64_t k)>;

  /// Adds one step.
  void push_back(CommunicationStep step);
  /// Adds `count` steps.
  void append(std::int64_t count, Make make);
  /// Adds all steps of another sequence.
  void append(const StepSequence& other);

  /// Number of steps, rounds not counted.
  std::int64_t size() const { return size_; }
  /// Whether there is no step.
  bool empty() const { return size_ == 0; }
  /// @param k from 0, below `size`.
  CommunicationStep operator[](std::int64_t k) const;

  /// Makes one step after the other.
  class Iterator {
   public:
    /// @param k of the step that it is at.
    Iterator(const StepSequence& steps, std::int64_t k) : steps_(&steps), k_(k) {}
    /// The step, made anew.
    CommunicationStep operator*() const { return (*steps_)[k_]; }
    /// To the next step.
    Iterator& operator++() {
      ++k_;
      return *this;
    }
    /// Whether both are at the same step of the same sequence.
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const StepSequence* steps_;
    std::int64_t k_;
  };
  /// At the first step.
  Iterator begin() const { return {*this, 0}; }
  /// Behind the last step.
  Iterator end() const { return {*this, size_}; }

 private:
  struct Part {
    std::int64_t end;  ///< number of steps up to the end of the part
    Make make;
  };
  std::vector<Part> parts_;
  std::int64_t size_ = 0;
};

/// What all ranks of a communicator do, in order. A rank starts its messages of a step, those that
/// it sends and those that it receives, when all its own of the steps before have ended; others
/// may be steps behind or ahead. (Schedules are stricter: a phase starts when the one before has
/// ended everywhere.)
struct CommunicationSteps {
  /// Size of a slot, as a share of the volume that the caller of the collective names.
  double slot_share = 1;
  int num_slots = 1;   ///< of the buffer of each rank
  StepSequence steps;  ///< rounds of a step follow each other as steps do
  /// How often a rank in the middle of the operation copies its buffer inside its memory, or fills
  /// as much memory that it takes for this call, beside what it sends and reduces; where caches
  /// and allocator keep the buffer, this costs nothing.
  double copies = 0;
  /// How often a rank moves its whole buffer to bring slots together or in order, at any size.
  double packings = 0;

  /// What each rank copies inside its memory, before the first step: `packings`, and `copies` of
  /// buffers of more than 32 MiB, which neither allocators nor caches keep from call to call.
  /// @param volume that the caller of the collective names.
  Bytes copied(Bytes volume) const;
};

/// A traffic pattern and its options, as `NAME[:key=value,...]` spells them. Valid by `parse`.
struct PatternSpec {
  std::string name;                                         ///< of a row in `pattern_infos`
  std::map<std::string, std::string, std::less<>> options;  ///< key and value, sorted by key

  friend bool operator==(const PatternSpec&, const PatternSpec&) = default;  ///< memberwise
};

/// Name of a pattern, what it is, and the options that it takes beside `bytes`, `repeat`, `name`
/// and `with`.
struct PatternInfo {
  std::string_view name;               ///< as specifications spell it
  std::string_view summary;            ///< one sentence for help
  std::vector<std::string_view> keys;  ///< of its own options
};

/// All patterns, in the order in which help lists them.
const std::vector<PatternInfo>& pattern_infos();

/// Patterns of `NAME[:key=value,...],NAME,...`, in the order given: after a comma, a word with '='
/// continues the options of the pattern before it. Options:
/// - `bytes=64KiB`: instead of the volume of the scenario;
/// - `repeat=100`: each of its phases so many times in a row, 1 to 1e9;
/// - `name=exchange`: what its phases are called; `with=exchange`: at the same time as the phases
/// of
///   that name, which come before it in the list;
/// - `sub=1-0`: in each communicator of MPI_Cart_sub, 1 for each dimension that remains;
/// `sub=tp-dp`
///   names the axes of a parallel program that remain, whose ranks keep the order of the topology;
/// - `algorithm=ring`, `root=0`: of collectives; `algorithm=auto,library=openmpi`: that which the
///   library takes; `order`, `segments` or `segment`, `radix`, `window`, `children`: of algorithms
///   that have them (`CollectiveOptions`);
/// - `ranks_per_node=8`: of the topology's ranks, in their order; `channels=8`: of algorithms that
///   have them;
/// - `offset=1`: of `shift`; `dims=0-1`: of `transpose`; `seed=1`: of `random`.
/// `broadcast` stands for `bcast`.
/// @throws UsageError for unknown patterns and options (with the nearest one that is known) and for
/// values that no topology gives a meaning to.
std::vector<PatternSpec> parse_patterns(std::string_view list);

/// `allreduce:algorithm=ring,sub=1-0` again: options sorted.
std::string to_string(const PatternSpec& spec);

/// Whether the pattern needs `ranks_per_node`, the ranks of a node.
bool depends_on_nodes(const PatternSpec& spec);

/// Whether a value of `sub` is names of axes such as `dp` or `tp-dp`, and not numbers.
bool names_axes(std::string_view sub);

/// Numbers of `1-0`: one or more, without sign.
/// @throws UsageError for anything else.
std::vector<int> dashed_numbers(std::string_view text);

/// Ranks among whom a pattern runs.
struct PatternCommunicator {
  int num_ranks = 1;                ///< size of the communicator
  const Cartesian* grid = nullptr;  ///< their numbering, if it is one of a grid
};

/// Steps of a collective or permutation inside a communicator; none for a single rank.
/// @param spec any pattern but `halo`, `phased` and `neighbor_alltoall`.
/// @param volume of the pattern, on which the number of segments and the choice of a library
/// depend.
/// @throws UsageError with the reason if the pattern does not exist there.
CommunicationSteps pattern_steps(const PatternSpec& spec, const PatternCommunicator& communicator,
                                 Bytes volume);

/// Most messages that a pattern may list.
inline constexpr double max_pattern_messages = 20e6;

/// Phases of a pattern over a topology: at least one, that of a pattern without messages is empty.
/// Patterns over communicators of MPI_Cart_sub run in all of them at once. What a rank would send
/// to itself in a permutation is left out. In a shuffled topology the pattern is that of the
/// topology inside, ranks renamed.
/// @param volume as for `make_comm_graph`; only `halo` and `phased` take more than one. `bytes` of
/// the pattern stands instead of it.
/// @throws UsageError with the reason if the pattern does not apply, or has more than
/// `max_pattern_messages`.
std::vector<SchedulePhase> make_phases(const PatternSpec& spec, const GuestTopology& topology,
                                       std::span<const Bytes> volume);

/// Adds the phases of a pattern to a schedule, by its keys `name` and `with`.
/// @throws UsageError as `make_phases` and `ScheduleBuilder::add`.
void add_pattern(const PatternSpec& spec, const GuestTopology& topology,
                 std::span<const Bytes> volume, ScheduleBuilder& builder);

/// Phases of several patterns, one after the other or by their keys `with` at the same time.
/// @param specs at least one.
Schedule make_schedule(std::span<const PatternSpec> specs, const GuestTopology& topology,
                       std::span<const Bytes> volume);

}  // namespace vtopo
