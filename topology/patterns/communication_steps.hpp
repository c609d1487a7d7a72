#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "topology/base/units.hpp"

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

}  // namespace vtopo
