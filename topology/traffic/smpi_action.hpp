#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

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
  const std::string& name() const { return name_; }  ///< in small letters
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

}  // namespace vtopo::detail
