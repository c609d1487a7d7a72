#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vtopo {

/// Lists of entries, one list per row, stored one behind the other (compressed sparse rows). Rows
/// are filled in order: `push` the entries of a row, then `end_row`.
template <class Entry>
class CompressedRows {
 public:
  CompressedRows() : offsets_{0} {}

  /// Reserves memory for so many rows and entries in all.
  void reserve(std::size_t rows, std::size_t entries) {
    offsets_.reserve(rows + 1);
    entries_.reserve(entries);
  }
  /// Appends an entry to the row that is being filled.
  void push(const Entry& entry) { entries_.push_back(entry); }
  /// Ends the row that is being filled; it may be empty.
  void end_row() { offsets_.push_back(entries_.size()); }

  std::size_t num_rows() const { return offsets_.size() - 1; }  ///< that have been ended
  std::size_t num_entries() const { return entries_.size(); }   ///< of all rows

  /// Entries of a row in the order given.
  std::span<const Entry> row(std::size_t position) const {
    const std::size_t first = offsets_[position];
    return {entries_.data() + first, offsets_[position + 1] - first};
  }

  /// Entries of all rows, rows ascending.
  std::span<const Entry> entries() const { return entries_; }

  /// Rows of items that come in any order: `row_of(item)` says where, `entry_of(item)` what. Items
  /// of one row keep their order.
  template <class Items, class RowOf, class EntryOf>
  static CompressedRows sorted(std::size_t rows, const Items& items, RowOf row_of,
                               EntryOf entry_of) {
    CompressedRows result;
    result.offsets_.assign(rows + 1, 0);
    for (const auto& item : items) ++result.offsets_[row_of(item) + 1];
    for (std::size_t r = 1; r <= rows; ++r) result.offsets_[r] += result.offsets_[r - 1];
    result.entries_.resize(items.size());
    std::vector<std::size_t> next(result.offsets_.begin(), result.offsets_.end() - 1);
    for (const auto& item : items) result.entries_[next[row_of(item)]++] = entry_of(item);
    return result;
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Entry> entries_;
};

}  // namespace vtopo
