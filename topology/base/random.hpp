#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace vtopo::detail {

/// SplitMix64 of Steele, Lea and Flood (OOPSLA 2014): the same numbers from the same seed with
/// every compiler and library, which the standard distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 uniformly distributed bits.
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, bound), without bias: values of the incomplete last block are drawn again.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t rejected = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t draw = bits();
      if (draw >= rejected) return draw % bound;
    }
  }

 private:
  std::uint64_t state_;
};

/// Fisher-Yates shuffle in place.
template <class T>
void shuffle(std::span<T> items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace vtopo::detail
