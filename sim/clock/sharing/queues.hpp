#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace vtopo::detail {

/// Links by fair share, least first, where equal shares are in the order of the links.
///
/// Shares of one size, 1/1024 of an octave, are in one bucket. The least bucket is a heap, mostly a
/// small one, the others are lists. One heap of all takes longer: nearly all links come to its top
/// for nothing, since other links have held back their flows by then.
class ShareQueue {
 public:
  /// Link with a fair share that it had at some time.
  struct Entry {
    double share;  ///< >= 0
    std::int32_t link;
  };

  void push(const Entry& entry) {
    const std::size_t at = bucket_of(entry.share);
    ++size_;
    if (at == heap_of_) {
      heap_.push_back(entry);
      std::push_heap(heap_.begin(), heap_.end(), Behind());
      return;
    }
    if (at < heap_of_) put_back_heap();
    list(at, entry);
  }

  bool empty() const { return size_ == 0; }

  /// The least one, of which there is one.
  const Entry& top() {
    if (heap_.empty()) make_heap();
    return heap_.front();
  }

  /// Takes it out, right after `top`.
  void pop() {
    if (heap_.size() > 1) std::pop_heap(heap_.begin(), heap_.end(), Behind());
    heap_.pop_back();
    --size_;
  }

  /// Takes out all of them, in no particular order.
  /// @param visit is called with each.
  template <class Visitor>
  void clear(Visitor&& visit) {
    for (const Entry& entry : heap_) visit(entry);
    for_each_bucket([&](std::int32_t first) {
      for (std::int32_t at = first; at != none; at = listed_[static_cast<std::size_t>(at)].next)
        visit(Entry{listed_[static_cast<std::size_t>(at)].share,
                    listed_[static_cast<std::size_t>(at)].link});
    });
    clear();
  }

  /// The same, without a look at them.
  void clear() {
    for_each_bucket([](std::int32_t& first) { first = none; });
    std::fill(words_.begin() + static_cast<std::ptrdiff_t>(std::min(word_, words_.size())),
              words_.end(), 0);
    heap_.clear();
    listed_.clear();
    free_ = none;
    size_ = 0;
    heap_of_ = num_buckets;
    word_ = num_buckets / 64;
  }

 private:
  static constexpr int bits = 10;                                      // of a bucket in an octave
  static constexpr std::size_t num_buckets = std::size_t{64} << bits;  // 64 octaves
  static constexpr int shift = 52 - bits;  // bits of a double that a bucket leaves open
  static constexpr std::int32_t none = -1;

  struct Behind {
    bool operator()(const Entry& one, const Entry& other) const {
      return one.share > other.share || (one.share == other.share && one.link > other.link);
    }
  };

  /// An entry in the list of a bucket or of free ones.
  struct Listed {
    double share;
    std::int32_t link;
    std::int32_t next;
  };

  /// Shares from 2^-1 to 2^63 have buckets of their own, which is all that bytes per second can be;
  /// others are in the first and the last one.
  static std::size_t bucket_of(double share) {
    constexpr std::uint64_t first = std::bit_cast<std::uint64_t>(0.5) >> shift;
    const std::uint64_t size = std::bit_cast<std::uint64_t>(share > 0.5 ? share : 0.5) >> shift;
    return size - first < num_buckets ? size - first : num_buckets - 1;
  }

  template <class Visitor>
  void for_each_bucket(Visitor&& visit) {
    for (std::size_t word = size_ > heap_.size() ? word_ : words_.size(); word < words_.size();
         ++word)
      for (std::uint64_t left = words_[word]; left != 0; left &= left - 1)
        visit(buckets_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))]);
  }

  void list(std::size_t at, const Entry& entry) {
    std::int32_t to = free_;
    if (to == none) {
      to = static_cast<std::int32_t>(listed_.size());
      listed_.push_back({entry.share, entry.link, buckets_[at]});
    } else {
      Listed& listed = listed_[static_cast<std::size_t>(to)];
      free_ = listed.next;
      listed = {entry.share, entry.link, buckets_[at]};
    }
    buckets_[at] = to;
    words_[at / 64] |= std::uint64_t{1} << at % 64;
    word_ = std::min(word_, at / 64);
  }

  /// Of the least bucket.
  void make_heap() {
    while (words_[word_] == 0) ++word_;
    heap_of_ = word_ * 64 + static_cast<std::size_t>(std::countr_zero(words_[word_]));
    words_[word_] &= words_[word_] - 1;
    for (std::int32_t next = std::exchange(buckets_[heap_of_], none); next != none;) {
      Listed& listed = listed_[static_cast<std::size_t>(next)];
      heap_.push_back({listed.share, listed.link});
      const std::int32_t freed = std::exchange(next, listed.next);
      listed.next = std::exchange(free_, freed);
    }
    if (heap_.size() > 1) std::make_heap(heap_.begin(), heap_.end(), Behind());
  }

  void put_back_heap() {
    for (const Entry& entry : heap_) list(heap_of_, entry);
    heap_.clear();
    heap_of_ = num_buckets;
  }

  std::vector<std::int32_t> buckets_ = std::vector(num_buckets, none);  ///< the first of each
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(num_buckets / 64);  ///< not empty
  std::vector<Listed> listed_;
  std::int32_t free_ = none;           ///< of `listed_`
  std::vector<Entry> heap_;            ///< entries of the least bucket
  std::size_t heap_of_ = num_buckets;  ///< which it is; none: `num_buckets`
  std::size_t size_ = 0, word_ = num_buckets / 64;
};

/// When flows will end, and who is next: a tree, whose leaves are the times and whose inner nodes
/// are the least of a block of nodes below. What changes is looked at when it is asked for. Links
/// by fair share as well, where only some of many are asked for at a time.
class EndTimes {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// Number of flows, not less than before; new ones never end.
  void resize(std::size_t num_flows) {
    if (levels_.empty() || num_flows > levels_.front().least.size()) make_levels(num_flows);
    for (std::size_t n = num_nodes(num_flows, top_); n > block; n = num_nodes(n, 1)) {
      ++top_;
      set(top_, 0, least_of(levels_[top_ - 1], 0));
    }
  }

  /// No flows, right after `next` has found that none ends.
  void clear() { top_ = 0; }

  double operator[](std::size_t flow) const { return levels_.front().least[flow]; }

  void set(std::size_t flow, double time) { set(std::size_t{0}, flow, time); }

  /// The next end; `never` if there is none.
  double next() {
    for (std::size_t above = 1; above <= top_; ++above) {
      Level& level = levels_[above - 1];
      for (const std::size_t of : level.changed) {
        set(above, of, least_of(level, of));
        level.is_changed[of] = 0;
      }
      level.changed.clear();
    }
    return levels_.empty() ? never : least_of(levels_[top_], 0);
  }

  /// The flow that ends next, the first of several, right after `next` has found one.
  std::size_t first() const {
    std::size_t node = 0;
    const double least = least_of(levels_[top_], 0);
    for (std::size_t at = top_ + 1; at-- > 0;)
      for (node *= block; levels_[at].least[node] != least;) ++node;
    return node;
  }

  /// Calls `visit(flow, time)` for the flows that end until `limit`, in their order, right after
  /// `next`; none of them ends again.
  template <class Visitor>
  void take_until(double limit, Visitor&& visit) {
    if (!levels_.empty()) take_until(limit, visit, top_, 0);
  }

 private:
  static constexpr std::size_t block = 16;

  struct Level {
    std::vector<double> least;
    std::vector<char> is_changed;  ///< by block
    std::vector<std::size_t> changed;
  };

  /// On a level, of so many nodes so many levels below.
  static std::size_t num_nodes(std::size_t nodes, std::size_t above) {
    for (; above > 0; --above) nodes = (nodes + block - 1) / block;
    return nodes;
  }

  void make_levels(std::size_t num_flows) {
    std::vector<double> times;
    if (!levels_.empty()) times = std::move(levels_.front().least);
    levels_.clear();
    std::size_t nodes = std::max({num_flows, 2 * times.size(), std::size_t{1}});
    do {
      const std::size_t blocks = num_nodes(nodes, 1);
      levels_.push_back(
          {std::vector<double>(blocks * block, never), std::vector<char>(blocks), {}});
      nodes = blocks;
    } while (nodes > 1);
    for (std::size_t flow = 0; flow < times.size(); ++flow) set(flow, times[flow]);
  }

  /// The level above learns at once of a time below the least of the block, and is to look at the
  /// block again where the least one itself has changed.
  void set(std::size_t at, std::size_t node, double time) {
    Level& level = levels_[at];
    const double before = std::exchange(level.least[node], time);
    if (at == top_) return;
    const std::size_t of = node / block;
    const double least = levels_[at + 1].least[of];
    if (time <= least) return set(at + 1, of, time);
    if (before != least || level.is_changed[of] != 0) return;
    level.is_changed[of] = 1;
    level.changed.push_back(of);
  }

  /// Four at once, since each comparison waits for the one before.
  static double least_of(const Level& level, std::size_t of) {
    const double* const node = level.least.data() + of * block;
    std::array<double, 4> least{node[0], node[1], node[2], node[3]};
    for (std::size_t i = 4; i < block; i += 4)
      for (std::size_t k = 0; k < 4; ++k) least[k] = std::min(least[k], node[i + k]);
    return std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
  }

  template <class Visitor>
  void take_until(double limit, Visitor& visit, std::size_t at, std::size_t of) {
    for (std::size_t node = of * block; node < (of + 1) * block; ++node) {
      const double least = levels_[at].least[node];
      if (least > limit || least == never) continue;
      if (at > 0) {
        take_until(limit, visit, at - 1, node);
      } else {
        visit(node, least);
        set(node, never);
      }
    }
  }

  std::vector<Level> levels_;  ///< times first, one block last
  std::size_t top_ = 0;        ///< the first level of which one block is used
};

// Links that may become full are tight, those far from it loose, in both solvers.
inline constexpr double reserved = 1.0 / 64;  ///< of a loose link's capacity
inline constexpr double loose_load = 0.92;    ///< of its capacity, up to which a link becomes loose
/// What loose links count a flow with, over its rate: as much, and up to how much without a change.
inline constexpr double promised_rate = 1.015;
inline constexpr double max_promised_rate = 1.03;

/// Takes what has ended from the flows of a link, of which the first `num_front` stay the first.
template <class FlowList, class HasEnded>
void drop_ended(FlowList& list, std::int32_t* flows, HasEnded has_ended) {
  std::int32_t* const front = flows + list.num_front;
  std::int32_t* const kept_front = std::remove_if(flows, front, has_ended);
  std::int32_t* const kept = std::remove_copy_if(front, flows + list.count, kept_front, has_ended);
  list.num_front = static_cast<std::int32_t>(kept_front - flows);
  list.count = static_cast<std::int32_t>(kept - flows);
}

}  // namespace vtopo::detail
