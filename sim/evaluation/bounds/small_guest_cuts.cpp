#include "sim/evaluation/bounds/small_guest_cuts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

namespace vtopo::detail {

namespace {

/// Whole numbers are added up and taken off again without rounding.
double error_of_sums(const Partners& partners) {
  double sum = 0;
  bool whole = true;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      sum += partner.sent.value;
      whole = whole && std::trunc(partner.sent.value) == partner.sent.value;
    }
  return whole && sum < 0x1p53 ? 0 : 1e-13 * sum;
}

}  // namespace

SmallGuestCuts::SmallGuestCuts(const Partners& partners)
    : ranks_(partners.num_ranks()),
      sent_(std::size_t{1} << ranks_, 0),
      received_(sent_),
      least_(static_cast<std::size_t>(ranks_) + 1, std::numeric_limits<double>::infinity()),
      one_way_(least_) {
  const double error = error_of_sums(partners);
  for (unsigned set = 1; set < sent_.size(); ++set) {
    const auto last = static_cast<int>(std::bit_width(set)) - 1;
    const unsigned others = set ^ 1U << last;
    double sent = sent_[others], received = received_[others];
    for (const Partner& partner : partners.of(Rank{last})) {
      const bool inside = (others >> number(partner.rank) & 1U) != 0;
      sent += inside ? -partner.received.value : partner.sent.value;
      received += inside ? -partner.sent.value : partner.received.value;
    }
    sent_[set] = sent;
    received_[set] = received;
  }
  for (std::vector<double>* const volumes : {&sent_, &received_})
    for (double& volume : *volumes) volume = std::max(0.0, volume - error);
  for (unsigned set = 0; set < sent_.size(); ++set) {
    const auto size = static_cast<std::size_t>(std::popcount(set));
    least_[size] = std::min(least_[size], sent_[set] + received_[set]);
    one_way_[size] = std::min(one_way_[size], std::max(sent_[set], received_[set]));
  }
}

/// Set by set of what is parted: the part that holds its first rank is tried in all ways.
SmallGuestCuts::Parted SmallGuestCuts::least_parted(int fewest, int most) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Parted> best(sent_.size(), {infinity, infinity, infinity});
  best[0] = {};
  for (unsigned set = 1; set < sent_.size(); ++set) {
    const unsigned first = set & (~set + 1), others = set ^ first;
    for (unsigned part = others;; part = (part - 1) & others) {
      const unsigned own = part | first;
      const int size = std::popcount(own);
      if (size >= fewest && size <= most) {
        const Parted& rest = best[set ^ own];
        const double sent = sent_[own], received = received_[own];
        Parted& here = best[set];
        here.sum = std::min(here.sum, rest.sum + sent + received);
        here.most_one_way =
            std::min(here.most_one_way, std::max({rest.most_one_way, sent, received}));
        here.most_sent = std::min(here.most_sent, std::max(rest.most_sent, sent));
      }
      if (part == 0) break;
    }
  }
  const Parted& all = best.back();
  return all.sum < infinity ? all : Parted();
}

}  // namespace vtopo::detail
