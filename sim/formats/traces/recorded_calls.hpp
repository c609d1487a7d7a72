#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/clock/programs/traces/trace.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Volume that a rank sends or receives in a collective of unequal parts.
struct RecordedPart {
  char side;     ///< '>': sent, '<': received
  Rank rank;     ///< of the world
  double bytes;  ///< >= 0
};

/// Words of a line in the recording of one rank; what is wrong is reported with file, line and
/// rank.
class RecordedLine {
 public:
  std::vector<Token> words;  ///< the first one is the call

  /// @param file whose present line it is; must outlive this.
  RecordedLine(LineFile& file, Rank rank, int num_ranks)
      : file_(file), rank_(rank), num_ranks_(num_ranks) {}

  Rank rank() const { return rank_; }           ///< whose file it is
  int num_ranks() const { return num_ranks_; }  ///< of the world

  /// @throws InputError with the sentence, at a word, or at the end of the line if it is missing.
  [[noreturn]] void fail(std::size_t word, std::string_view sentence) const;

  /// What a word says.
  /// @throws InputError if it is missing or not what is expected, as all below.
  std::string_view word(std::size_t i) const;
  std::int64_t integer(std::size_t i, std::int64_t least = 0) const;  ///< at most 2^53
  std::int32_t small(std::size_t i) const;                            ///< request or tag, >= 0
  Rank peer(std::size_t i) const;                                     ///< of the world
  Bytes bytes(std::size_t i) const;                                   ///< >= 0
  RecordedPart part(std::size_t i) const;                             ///< `>RANK:BYTES`

 private:
  LineFile& file_;
  Rank rank_;
  int num_ranks_;
};

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

/// Appends the messages of a collective that a rank has recorded.
/// @param name the first word of the line, `comm` its communicator.
/// @param has_open_requests whether the rank has started what it has not waited for.
/// @throws InputError for an unknown name and for arguments that it cannot have.
void append_recorded_collective(std::string_view name, const RecordedLine& line,
                                const OwnCommunicator& comm, bool has_open_requests,
                                CollectiveCalls& collectives, std::vector<Operation>& operations);

}  // namespace vtopo::detail
