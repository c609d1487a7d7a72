#include "netmodels/link_shares.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace vtopo::detail {

namespace {

constexpr int digit_bits = 11;
constexpr std::size_t num_digits = std::size_t{1} << digit_bits;
constexpr std::size_t few = 128;  ///< entries for which comparing is faster than counting

std::size_t digit(const LinkShare& on, int shift) {
  return (static_cast<std::size_t>(number(on.link)) >> shift) & (num_digits - 1);
}

/// Sorts by link, digit by digit of its number from the last one on: entries of one link stay in
/// their order.
void sort_by_digits(std::vector<LinkShare>& shares, std::size_t first) {
  thread_local std::vector<LinkShare> sorted;
  std::uint32_t highest = 0;
  for (std::size_t s = first; s < shares.size(); ++s)
    highest |= static_cast<std::uint32_t>(number(shares[s].link));
  sorted.resize(shares.size() - first);
  for (int shift = 0; shift < 32 && highest >> shift != 0; shift += digit_bits) {
    std::array<std::size_t, num_digits> place{};
    for (std::size_t s = first; s < shares.size(); ++s) ++place[digit(shares[s], shift)];
    std::size_t next = 0;
    for (std::size_t& count : place) count = std::exchange(next, next + count);
    for (std::size_t s = first; s < shares.size(); ++s)
      sorted[place[digit(shares[s], shift)]++] = shares[s];
    std::copy(sorted.begin(), sorted.end(), shares.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace

bool takes_one_route(const std::vector<LinkShare>& shares, std::size_t first) {
  return std::all_of(shares.begin() + static_cast<std::ptrdiff_t>(first), shares.end(),
                     [](const LinkShare& on) { return on.share == 1; });
}

void join_entries(std::vector<LinkShare>& shares, std::size_t first) {
  const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(first);
  if (shares.size() - first > few)
    sort_by_digits(shares, first);
  else
    std::stable_sort(begin, shares.end(),
                     [](const LinkShare& a, const LinkShare& b) { return a.link < b.link; });
  auto last = begin;
  for (auto next = begin; next != shares.end(); ++next) {
    if (next == begin) continue;
    if (next->link == last->link)
      last->share += next->share;
    else
      *++last = *next;
  }
  if (begin != shares.end()) shares.erase(last + 1, shares.end());
}

}  // namespace vtopo::detail
