#include "netmodels/link_shares.hpp"

#include <algorithm>

namespace vtopo::detail {

void join_entries(std::vector<LinkShare>& shares, std::size_t first) {
  const auto begin = shares.begin() + static_cast<std::ptrdiff_t>(first);
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
