#include "sim/bounds/assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/bounds/host_profiles.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<double>>& costs)
      : costs_(costs),
        columns_(costs.front().size()),
        row_price_(costs.size(), 0),
        column_price_(columns_ + 1, 0),
        row_of_(columns_ + 1, nobody) {
    for (std::size_t row = 0; row < costs.size(); ++row) add(row);
  }

  double cost() const {
    double sum = 0;
    for (std::size_t column = 0; column < columns_; ++column)
      if (row_of_[column] != nobody) sum += costs_[row_of_[column]][column];
    return sum;
  }

  AssignmentPrices prices() && {
    column_price_.pop_back();
    for (double& price : column_price_) price = std::min(price, 0.0);  // but for rounding it is
    return {std::move(row_price_), std::move(column_price_)};
  }

 private:
  /// A shortest path from the new row to a free column; the column beyond the last one stands for
  /// where the path starts.
  void add(std::size_t row) {
    std::vector<double> least(columns_, infinity);
    std::vector<std::size_t> way(columns_, columns_);
    std::vector<bool> done(columns_ + 1, false);
    std::size_t here = columns_;
    row_of_[here] = row;
    while (row_of_[here] != nobody) {
      done[here] = true;
      const std::size_t next = step(here, least, way, done);
      move_prices(least[next], least, done);
      here = next;
    }
    for (; here != columns_; here = way[here]) row_of_[here] = row_of_[way[here]];
  }

  /// The nearest column that is not done, after those seen from `here`.
  std::size_t step(std::size_t here, std::vector<double>& least, std::vector<std::size_t>& way,
                   const std::vector<bool>& done) const {
    const std::size_t row = row_of_[here];
    std::size_t next = columns_;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (done[column]) continue;
      const double reduced = costs_[row][column] - row_price_[row] - column_price_[column];
      if (reduced < least[column]) {
        least[column] = reduced;
        way[column] = here;
      }
      if (next == columns_ || least[column] < least[next]) next = column;
    }
    return next;
  }

  void move_prices(double by, std::vector<double>& least, const std::vector<bool>& done) {
    for (std::size_t column = 0; column <= columns_; ++column) {
      if (done[column]) {
        row_price_[row_of_[column]] += by;
        column_price_[column] -= by;
      } else if (column < columns_) {
        least[column] -= by;
      }
    }
  }

  const std::vector<std::vector<double>>& costs_;
  std::size_t columns_;
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<std::size_t> row_of_;
};

}  // namespace

double least_assignment(const std::vector<std::vector<double>>& costs) {
  return costs.empty() ? 0 : Assignment(costs).cost();
}

AssignmentPrices least_assignment_prices(const std::vector<std::vector<double>>& costs) {
  return costs.empty() ? AssignmentPrices() : Assignment(costs).prices();
}

namespace {

constexpr double banned = std::numeric_limits<double>::infinity();
constexpr std::size_t max_star_slots = 256;
constexpr double max_star_work = 2e6;    ///< entries of stars: some hundredths of a second
constexpr double max_shares = 2e5;       ///< listed in evidence, too
constexpr int steps_between_looks = 3;   ///< at what the ascent has gained
constexpr double least_gain = 1e-4;      ///< of a step, below which the ascent ends
constexpr double star_rounding = 1e-10;  ///< of sums of costs, far above theirs

using StarCosts = std::vector<std::vector<double>>;

/// By place, the fewer of both directions.
StarCosts hops_between(const Network& network, const std::vector<HostId>& hosts) {
  StarCosts hops(hosts.size(), std::vector<double>(hosts.size(), 0));
  for (std::size_t a = 0; a < hosts.size(); ++a)
    for (std::size_t b = 0; b < hosts.size(); ++b)
      if (a != b) hops[a][b] = network.hops(hosts[a], hosts[b]);
  for (std::size_t a = 0; a < hosts.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) hops[a][b] = hops[b][a] = std::min(hops[a][b], hops[b][a]);
  return hops;
}

class StarAscent {
 public:
  StarAscent(const Partners& partners, const Allocation& allocation, const StarCosts& hops)
      : partners_(partners), places_(hops.size()), slot_price_(hops.size(), 0) {
    for (std::size_t place = 0; place < places_; ++place)
      place_of_.insert(place_of_.end(), index(allocation.slots[place]), place);
    first_.push_back(0);
    for (int r = 0; r < partners.num_ranks(); ++r)
      first_.push_back(first_.back() + partners.of(Rank{r}).size());
    for (int r = 0; r < partners.num_ranks(); ++r)
      for (const Partner& partner : partners.of(Rank{r})) {
        other_way_.push_back(position(partner.rank, Rank{r}));
        for (const auto& row : hops)
          for (const double distance : row) shares_.push_back(partner.both().value / 2 * distance);
      }
  }

  StarBound run() {
    StarBound best;
    double before = 0;
    for (int step = 0; step < 2 || (work_ < max_star_work && best.value > before); ++step) {
      if (step % steps_between_looks == 0) before = best.value * (1 + least_gain);
      costs_.assign(index(partners_.num_ranks()), {});
      stars_.assign(index(partners_.num_ranks()), {});
      for (int r = 0; r < partners_.num_ranks(); ++r) look_at_stars(Rank{r}, false);
      AssignmentPrices prices = least_assignment_prices(costs_);
      const double value = std::accumulate(prices.rows.begin(), prices.rows.end(), 0.0) +
                           std::accumulate(prices.columns.begin(), prices.columns.end(), 0.0);
      keep_slot_prices(prices);
      if (value > best.value) best = {value, stars_, std::move(prices)};
      for (int r = 0; r < partners_.num_ranks(); ++r) look_at_stars(Rank{r}, true);
    }
    best.value *= 1 - star_rounding;
    return best;
  }

 private:
  /// Of the entry of a partner among those of all ranks.
  std::size_t position(Rank rank, Rank partner) const {
    const auto row = partners_.of(rank);
    const auto at = std::lower_bound(row.begin(), row.end(), partner,
                                     [](const Partner& p, Rank r) { return p.rank < r; });
    return first_[index(rank)] + static_cast<std::size_t>(at - row.begin());
  }

  double& share(std::size_t entry, std::size_t place, std::size_t there) {
    return shares_[(entry * places_ + place) * places_ + there];
  }

  /// Costs of the partners of a rank, which is on a slot of `place`.
  void set_star(Rank rank, std::size_t place) {
    star_.resize(partners_.of(rank).size());
    for (std::size_t k = 0; k < star_.size(); ++k) {
      star_[k].clear();
      for (const std::size_t there : place_of_)
        star_[k].push_back(share(first_[index(rank)] + k, place, there));
    }
    for (auto& row : star_) row[first_slot(place)] = banned;
  }

  void look_at_stars(Rank rank, bool gives) {
    std::vector<double> cost(places_, 0);
    std::vector<AssignmentPrices> prices;
    for (std::size_t place = 0; place < places_; ++place) {
      set_star(rank, place);
      prices.push_back(least_assignment_prices(star_));
      for (const double price : prices.back().rows) cost[place] += price;
      for (const double price : prices.back().columns) cost[place] += price;
      work_ += static_cast<double>((star_.size() + 2) * place_of_.size());
    }
    if (gives) return give(rank, cost, prices);
    for (const std::size_t place : place_of_) costs_[index(rank)].push_back(cost[place]);
    for (std::size_t place = 0; place < places_; ++place)
      stars_[index(rank)].push_back(by_place(place, std::move(prices[place])));
  }

  /// Of several slots of a place the largest price, the own slot left out.
  StarPrices by_place(std::size_t place, AssignmentPrices prices) const {
    std::vector<double> of_places(places_, -banned);
    const std::size_t own = first_slot(place);
    for (std::size_t slot = 0; slot < place_of_.size(); ++slot)
      if (slot != own && !prices.columns.empty())
        of_places[place_of_[slot]] = std::max(of_places[place_of_[slot]], prices.columns[slot]);
    for (double& price : of_places)
      if (price == -banned) price = 0;
    return {std::move(prices.rows), std::move(of_places)};
  }

  std::size_t first_slot(std::size_t place) const {
    return static_cast<std::size_t>(std::find(place_of_.begin(), place_of_.end(), place) -
                                    place_of_.begin());
  }

  /// What a star has beyond its least goes to the stars of the partners.
  void give(Rank rank, const std::vector<double>& cost,
            const std::vector<AssignmentPrices>& prices) {
    double least = banned;
    for (std::size_t place = 0; place < places_; ++place)
      least = std::min(least, cost[place] - slot_price_[place]);
    for (std::size_t place = 0; place < places_; ++place) {
      set_star(rank, place);
      const double rest = (cost[place] - slot_price_[place] - least) /
                          static_cast<double>(std::max<std::size_t>(1, star_.size()));
      for (std::size_t k = 0; k < star_.size(); ++k) {
        std::vector<double> slack(places_, banned);
        for (std::size_t slot = 0; slot < place_of_.size(); ++slot)
          slack[place_of_[slot]] =
              std::min(slack[place_of_[slot]],
                       star_[k][slot] - prices[place].rows[k] - prices[place].columns[slot]);
        const std::size_t entry = first_[index(rank)] + k;
        for (std::size_t there = 0; there < places_; ++there) {
          if (!(slack[there] < banned)) continue;
          const double given = std::max(0.0, rest + slack[there]);
          share(entry, place, there) -= given;
          share(other_way_[entry], there, place) += given;
        }
      }
    }
  }

  void keep_slot_prices(const AssignmentPrices& prices) {
    std::fill(slot_price_.begin(), slot_price_.end(), -banned);
    for (std::size_t slot = 0; slot < place_of_.size(); ++slot)
      slot_price_[place_of_[slot]] = std::max(slot_price_[place_of_[slot]], prices.columns[slot]);
  }

  const Partners& partners_;
  std::size_t places_;
  std::vector<std::size_t> place_of_;   ///< each slot
  std::vector<std::size_t> first_;      ///< of the partners of each rank
  std::vector<std::size_t> other_way_;  ///< by partner of a rank: the rank as that one's partner
  std::vector<double> shares_;          ///< by partner of a rank, place of the rank, of the partner
  std::vector<double> slot_price_;      ///< the most by place, of the last step
  StarCosts star_;                      ///< of one rank on one place: by partner and slot
  StarCosts costs_;                     ///< of ranks on slots
  std::vector<std::vector<StarPrices>> stars_;  ///< behind them, by rank and place
  double work_ = 0;
};

}  // namespace

std::optional<StarBound> ascend_stars(const Partners& partners, const Network& network,
                                      const Allocation& allocation) {
  if (allocation.num_slots() > static_cast<std::int64_t>(max_star_slots) ||
      partners.max_degree() == 0)
    return std::nullopt;
  double entries = 0;
  for (int r = 0; r < partners.num_ranks(); ++r)
    entries += static_cast<double>(partners.of(Rank{r}).size());
  if (entries * allocation.num_hosts() * allocation.num_hosts() > max_shares) return std::nullopt;
  const LeastHops least(network);
  try {
    return StarAscent(partners, allocation, hops_between(least.network(), allocation.hosts)).run();
  } catch (const InputError&) {  // no route
    return std::nullopt;
  }
}

}  // namespace vtopo::detail
