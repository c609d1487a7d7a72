#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// A vector with one entry per id, read by the id itself, so that no entry of a host is taken for
/// that of a rank: `Id` is Rank, HostId, LinkId, another enumeration, or int for numbers from 0.
/// Positions are checked where those of std::vector are (_GLIBCXX_ASSERTIONS).
template <class Id, class T>
class IdVector {
 public:
  using value_type = T;                                              ///< as in std::vector
  using reference = typename std::vector<T>::reference;              ///< a proxy for bool
  using const_reference = typename std::vector<T>::const_reference;  ///< a value for bool

  IdVector() = default;
  /// `size` >= 0 equal entries.
  explicit IdVector(int size, const T& entry = T()) : entries_(index(size), entry) {}
  /// The entries of ids 0, 1, ...
  explicit IdVector(std::vector<T> entries) : entries_(std::move(entries)) {}

  /// Entry of an id, which must be in [0, size).
  reference operator[](Id id) { return entries_[index(id)]; }
  /// Entry of an id, which must be in [0, size).
  const_reference operator[](Id id) const { return entries_[index(id)]; }

  int size() const { return static_cast<int>(entries_.size()); }  ///< number of entries
  bool empty() const { return entries_.empty(); }                 ///< whether there is no entry
  /// Replaces all entries.
  void assign(int size, const T& entry) { entries_.assign(index(size), entry); }
  void push_back(T entry) { entries_.push_back(std::move(entry)); }  ///< entry of the next id

  auto begin() { return entries_.begin(); }        ///< entry of id 0
  auto end() { return entries_.end(); }            ///< behind the last entry
  auto begin() const { return entries_.begin(); }  ///< entry of id 0
  auto end() const { return entries_.end(); }      ///< behind the last entry

  /// The same as a plain vector, for readers that count positions.
  const std::vector<T>& entries() const& { return entries_; }
  std::vector<T> entries() && { return std::move(entries_); }  ///< moved out

  friend bool operator==(const IdVector&, const IdVector&) = default;  ///< entry by entry

 private:
  std::vector<T> entries_;
};

/// Ranks 0 to `num_ranks` - 1.
inline std::vector<Rank> all_ranks(int num_ranks) {
  std::vector<Rank> ranks(static_cast<std::size_t>(num_ranks));
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = id_at<Rank>(r);
  return ranks;
}

}  // namespace vtopo::detail
