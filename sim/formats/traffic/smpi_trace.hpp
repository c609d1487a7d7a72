#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

// Time-independent traces as SMPI 3.32 writes and replays them: a list of files, one per rank, or
// one file of all ranks, with lines `rank action argument...`. Read here, used as traffic
// (smpi_flows) and as programs (sim/clock/programs/traces).

/// Whether a list of names of actions has a name.
template <class List>
bool holds(const List& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One line of a time-independent trace with its arguments, counted from 0 behind the name. All
/// that read one throw InputError with file, line and column.
class SmpiAction {
 public:
  /// @param words of the current line, at least rank and name; they and the file must outlive it.
  /// @param default_size bytes of an element whose datatype is not named.
  SmpiAction(const LineFile& file, std::span<const Token> words, Rank rank, double default_size,
             int num_ranks);

  Rank rank() const { return rank_; }
  const std::string& name() const { return name_; }                 ///< in small letters
  std::string_view written_name() const { return words_[1].text; }  ///< as the trace has it
  std::size_t num_arguments() const { return words_.size() - 2; }

  double count(std::size_t i) const;

  /// With sign.
  std::int64_t integer(std::size_t i) const;

  /// Absent: nobody is sent to.
  std::optional<Rank> partner(std::size_t i) const;

  Rank root(std::size_t i) const;

  /// Bytes of an element.
  double size(std::size_t i) const;

  /// Elements of a list of one number per rank, which starts at an argument.
  std::vector<double> counts(std::size_t first) const;

  [[noreturn]] void fail(std::string_view sentence) const;

 private:
  const Token& argument(std::size_t i, std::string_view what) const;

  const LineFile& file_;
  std::span<const Token> words_;
  Rank rank_;
  double default_size_;
  int num_ranks_;
  std::string name_;
};

/// Sends that end before the next action of their rank.
inline constexpr std::array<std::string_view, 4> smpi_blocking_sends{"send", "ssend", "bsend",
                                                                     "rsend"};
/// Sends that are waited for later.
inline constexpr std::array<std::string_view, 4> smpi_started_sends{"isend", "issend", "ibsend",
                                                                    "irsend"};

/// A collective of equal parts, and which of its arguments are what: the first one is the number of
/// elements.
struct SmpiEvenCollective {
  std::string_view name;  ///< without the i of the kind that does not block
  std::size_t types = 0;  ///< datatype of what a rank sends
  std::optional<std::size_t> root = {};
  std::optional<std::size_t> work = {};  ///< number of flops
};

/// The collective of that name; null: another action.
const SmpiEvenCollective* find_even_collective(std::string_view name);

/// Makes actions of lines: knows what datatypes that are not named stand for on each rank.
class SmpiLines {
 public:
  explicit SmpiLines(int num_ranks) : default_sizes_(num_ranks, 1) {}

  int num_ranks() const { return default_sizes_.size(); }

  /// Action of the current line of a file; both must outlive it.
  /// @param owner of the file; nothing: it has lines of all ranks.
  /// @throws InputError for a line of another rank than `owner`, and for one without an action.
  SmpiAction action(LineFile& file, std::optional<Rank> owner);

 private:
  IdVector<Rank, double> default_sizes_;  ///< bytes of an element whose datatype is not named
};

/// Files that the list of a trace names, in rank order.
/// @throws InputError for a line that is not a file, and for none.
std::vector<std::string> smpi_trace_files(const std::string& path);

/// Whether the first line with content is `rank action...`.
/// @throws InputError if the file cannot be read.
bool has_smpi_actions(const std::string& path);

}  // namespace vtopo::detail
