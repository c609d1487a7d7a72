#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vtopo::detail {

/// Links by fair share, least first, where equal shares are in the order of the links.
///
/// Shares of one size, 1/64 of an octave, are in one bucket, which is a heap of its own and mostly
/// a small one. One heap of all takes longer: nearly all links come to its top for nothing, since
/// other links have held back their flows by then.
class ShareQueue {
 public:
  /// Link with a fair share that it had at some time.
  struct Entry {
    double share;  ///< >= 0
    std::int32_t link;
  };

  void push(const Entry& entry) {
    const std::size_t at = bucket_of(entry.share);
    buckets_[at].push_back(entry);
    std::push_heap(buckets_[at].begin(), buckets_[at].end(), Behind());
    words_[at / 64] |= std::uint64_t{1} << at % 64;
    word_ = std::min(word_, at / 64);
    ++size_;
  }

  /// The least one, of which there is one.
  const Entry& top() {
    while (words_[word_] == 0) ++word_;
    return first_bucket().front();
  }

  /// Takes it out, right after `top`.
  void pop() {
    std::vector<Entry>& in = first_bucket();
    std::pop_heap(in.begin(), in.end(), Behind());
    in.pop_back();
    if (in.empty()) words_[word_] &= words_[word_] - 1;
    --size_;
  }

  /// Takes out all of them.
  /// @param visit is called with each.
  template <class Visitor>
  void clear(Visitor&& visit) {
    for (; size_ > 0; ++word_)
      for (; words_[word_] != 0; words_[word_] &= words_[word_] - 1) {
        std::vector<Entry>& in = first_bucket();
        for (const Entry& entry : in) visit(entry);
        size_ -= in.size();
        in.clear();
      }
    word_ = 0;
  }

 private:
  static constexpr std::size_t num_buckets = 4096;  // 64 octaves
  static constexpr int shift = 52 - 6;              // bits of a double that a bucket leaves open

  struct Behind {
    bool operator()(const Entry& one, const Entry& other) const {
      return one.share > other.share || (one.share == other.share && one.link > other.link);
    }
  };

  std::vector<Entry>& first_bucket() {
    return buckets_[word_ * 64 + static_cast<std::size_t>(std::countr_zero(words_[word_]))];
  }

  /// Shares from 2^-1 to 2^63 have buckets of their own, which is all that bytes per second can be;
  /// others are in the first and the last one.
  static std::size_t bucket_of(double share) {
    constexpr std::uint64_t first = std::bit_cast<std::uint64_t>(0.5) >> shift;
    const std::uint64_t size = std::bit_cast<std::uint64_t>(share > 0.5 ? share : 0.5) >> shift;
    return size - first < num_buckets ? size - first : num_buckets - 1;
  }

  std::vector<std::vector<Entry>> buckets_ = std::vector<std::vector<Entry>>(num_buckets);
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(num_buckets / 64);  ///< not empty
  std::size_t size_ = 0, word_ = 0;
};

}  // namespace vtopo::detail
