#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/line_values.hpp"
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

}  // namespace vtopo::detail
