#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
};

/// What all ranks of a communicator do, in order.
struct CommunicationSteps {
  /// Size of a slot, as a share of the volume that the caller of the collective names.
  double slot_share = 1;
  int num_slots = 1;                     ///< of the buffer of each rank
  std::vector<CommunicationStep> steps;  ///< one starts when the one before has ended
};

}  // namespace vtopo
