#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// By which algorithms the collectives of a trace are done.
struct CollectiveChoice {
  std::string library = "openmpi";           ///< one of `ruled_libraries`: its rules choose
  std::vector<PatternSpec> algorithms = {};  ///< instead, for the collectives that they name
};

/// One call of a collective that `collective_algorithms` has.
struct CollectiveCall {
  std::string_view name;  ///< of the collective
  Bytes volume;           ///< as in `collective_algorithms`
  int root = 0;           ///< rank of the communicator
};

/// Who takes part in a collective.
struct CallMembers {
  std::span<const Rank> ranks;  ///< rank of the program for each rank of the communicator
  int self = 0;                 ///< rank of the communicator whose operations are asked for
  std::int32_t communicator = 0;
};

/// Appends what one rank does in collectives. A rank waits for the messages of a step before it
/// starts the next one; requests that it has open are left alone.
class CollectiveCalls {
 public:
  /// @throws UsageError for a library without rules and for patterns that are not collectives.
  explicit CollectiveCalls(CollectiveChoice choice);

  /// @param has_open_requests whether the rank has started what it has not waited for.
  /// @throws UsageError if the chosen algorithm does not exist for so many ranks.
  void append(const CollectiveCall& call, const CallMembers& members, bool has_open_requests,
              std::vector<Operation>& operations);

  /// Messages to and from each member at once, in one step; those without bytes are not sent.
  /// @param sent, received bytes, one entry per member.
  static void append_exchange(std::span<const double> sent, std::span<const double> received,
                              const CallMembers& members, std::vector<Operation>& operations);

  /// Every member gets the blocks of all, around a ring.
  /// @param volumes one entry per member.
  static void append_ring(std::span<const double> volumes, const CallMembers& members,
                          std::vector<Operation>& operations);

  /// From rank to rank: a prefix reduction.
  static void append_chain(Bytes volume, const CallMembers& members,
                           std::vector<Operation>& operations);

 private:
  using Key = std::tuple<std::string_view, double, int, std::size_t>;

  /// What each rank of a communicator does, with its ranks as those of the program.
  const Program& template_of(const CollectiveCall& call, int ranks);
  PatternSpec spec_of(const CollectiveCall& call, int ranks) const;

  CollectiveChoice choice_;
  std::map<Key, Program> templates_;
};

}  // namespace vtopo::detail
