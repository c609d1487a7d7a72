#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/clock/programs/traces/recorded_line.hpp"
#include "topology/base/all_ranks.hpp"
#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// Communicators of all ranks: the same members, made as often, are the same one.
class Communicators {
 public:
  /// Ranks of the world, in the order of the communicator.
  using Members = std::vector<Rank>;

  /// One of them, the same for all members.
  struct Communicator {
    const Members* members;  ///< ranks of the world
    std::int32_t number;     ///< messages have 2 * number, collectives one more
  };

  /// Of a world of so many ranks.
  explicit Communicators(int num_ranks) : all_(all_ranks(num_ranks)) {}

  /// @param nth how many of the same members were made before it, plus one.
  Communicator add(Members members, std::int64_t nth) {
    const auto next = static_cast<std::int32_t>(numbers_.size()) + 1;
    const auto place = numbers_.try_emplace({std::move(members), nth}, next).first;
    return {&place->first.first, place->second};
  }
  Communicator world() const { return {&all_, 0}; }                     ///< MPI_COMM_WORLD
  int num_ranks() const { return static_cast<int>(std::ssize(all_)); }  ///< of the world

 private:
  Members all_;
  std::map<std::pair<Members, std::int64_t>, std::int32_t> numbers_;
};

/// A communicator from the side of one of its members.
struct OwnCommunicator {
  Communicators::Communicator shared{};  ///< what all members know
  int self = 0;                          ///< rank of the member in it
};

/// Communicators of one rank, by their numbers in its file; 0 is the world.
class RankCommunicators {
 public:
  /// @param all must outlive this.
  RankCommunicators(Communicators& all, Rank rank);

  /// Communicator that a word of the line names.
  /// @throws InputError if no line has made it.
  const OwnCommunicator& at(const RecordedLine& line, std::size_t word) const;

  /// Reads `comm NUMBER NTH RANK FIRST-LAST ...`.
  /// @throws InputError for members that do not exist, or without the rank.
  void read(const RecordedLine& line);

 private:
  Communicators& all_;
  std::map<std::int64_t, OwnCommunicator> own_;
};

}  // namespace vtopo::detail
