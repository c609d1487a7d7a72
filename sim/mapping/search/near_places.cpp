#include "sim/mapping/search/near_places.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace vtopo::detail {

namespace {

/// How far places next to each other by number of host are looked at.
constexpr std::int64_t number_window = 12;

}  // namespace

void append_steps(const HostCoordinates& grid, std::int64_t host,
                  std::vector<std::int64_t>& found) {
  std::int64_t stride = grid.hosts_per_router;
  for (const auto& [size, kind] : grid.axes) {
    const std::int64_t at = host / stride % size;
    if (kind == AxisKind::complete) {
      for (int to = 0; to < size; ++to)
        if (to != at) found.push_back(host + (to - at) * stride);
    } else {
      if (at > 0 || (kind == AxisKind::ring && size > 2))
        found.push_back(host + (at > 0 ? -1 : size - 1) * stride);
      if (at + 1 < size || (kind == AxisKind::ring && size > 2))
        found.push_back(host + (at + 1 < size ? 1 : 1 - size) * stride);
    }
    stride *= size;
  }
}

NearPlaces::NearPlaces(int num_places, int max)
    : count_(static_cast<std::size_t>(std::clamp(max, 0, std::max(num_places - 1, 0)))),
      places_(count_ * index(num_places)) {}

/// `apart` is how far the position is ahead, cyclically, so that places at the same distance do not
/// all list the first one.
NearPlaces::NearPlaces(const HopTable& table, int max) : NearPlaces(table.num_places(), max) {
  const int size = table.num_places();
  std::set<int> found;
  const auto look_at = [&](int offset) {
    if (offset < size) found.insert({offset, size - offset});
  };
  const bool all = size > 0 && table.kept_row(Place{0}) != nullptr;
  for (int offset = 1; offset <= (all ? size - 1 : static_cast<int>(count_)); ++offset)
    look_at(offset);
  for (int offset = 1; offset < size / 2; offset *= 2)
    for (const int times : {2, 3, 5})
      if (offset <= size / 2 / times) look_at(offset * times);
  const std::vector<int> aheads(found.begin(), found.end());
  for (int p = 0; p < size; ++p) {
    found_.clear();
    table.visit_from(Place{p}, [&](auto&& hops) {
      for (const int ahead : aheads) {
        const Place other{(p + ahead) % size};
        found_.push_back({hops(other), ahead, other});
      }
    });
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count_),
                     found_.end());
    keep_found(Place{p});
  }
}

NearPlaces::NearPlaces(const Network& network, const Allocation& allocation, int max)
    : NearPlaces(static_cast<int>(allocation.hosts.size()), max) {
  const auto& hosts = allocation.hosts;
  const auto size = static_cast<std::int64_t>(hosts.size());
  constexpr Place none{-1};
  std::vector<Place> place_of(index(network.num_hosts()), none);
  for (std::size_t p = 0; p < hosts.size(); ++p) place_of[index(hosts[p])] = id_at<Place>(p);
  std::vector<Place> by_number;
  for (const Place place : place_of)
    if (place != none) by_number.push_back(place);
  const auto grid = network.coordinates();
  std::vector<std::int64_t> around;
  for (std::int64_t i = 0; i < size; ++i) {
    const Place place = by_number[static_cast<std::size_t>(i)];
    const HostId host = hosts[index(place)];
    found_.clear();
    around.clear();
    if (grid) append_steps(*grid, number(host), around);
    // Two steps only where one leads to few hosts.
    if (const std::size_t near = around.size(); near < index(max))
      for (std::size_t k = 0; k < near; ++k) append_steps(*grid, around[k], around);
    const auto add = [&](Place near) {
      if (near == none || near == place) return;
      const std::int64_t ahead = (number(near) - number(place) + size) % size;
      found_.push_back({network.hops(host, hosts[index(near)]), ahead, near});
    };
    for (const std::int64_t other : around) add(place_of[static_cast<std::size_t>(other)]);
    sort_found();
    if (found_.size() < std::max<std::size_t>(count_ / 2, 1)) {
      for (std::int64_t step = 1; step <= std::min(number_window, size - 1); ++step)
        for (const std::int64_t at : {i + step, i - step + size})
          add(by_number[static_cast<std::size_t>(at % size)]);
      sort_found();
    }
    keep_found(place);
  }
}

NearPlaces::NearPlaces(const HopTable& table, const HostHierarchy& hierarchy, std::size_t window,
                       int max)
    : NearPlaces(table.num_places(), max) {
  const auto& order = hierarchy.order;
  for (std::size_t i = 0; i < order.size(); ++i) {
    found_.clear();
    for (std::size_t j = i > window ? i - window : 0; j < std::min(order.size(), i + window + 1);
         ++j) {
      // 1 and 2: one before and one behind, 3 and 4: two ...
      const auto apart = static_cast<std::int64_t>(i > j ? 2 * (i - j) - 1 : 2 * (j - i));
      if (i != j) found_.push_back({table.hops(order[i], order[j]), apart, order[j]});
    }
    const std::size_t length = std::min(count_, found_.size());
    std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(length),
                      found_.end());
    found_.resize(length);
    keep_found(order[i]);
  }
}

void NearPlaces::sort_found() {
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

void NearPlaces::keep_found(Place place) {
  for (std::size_t k = 0; k < count_; ++k)
    places_[index(place) * count_ + k] = found_[k % found_.size()].place;
}

namespace {

/// One change in so many goes anywhere.
constexpr std::size_t changes_per_far_one = 16;

}  // namespace

ChangeDraw::ChangeDraw(const MappingProblem& problem, const Partners& partners,
                       const HopTable& table, const Occupancy& occupancy)
    : partners_(partners),
      occupancy_(occupancy),
      near_(shared_near_places(problem, &MappingProblem::Shared::by_table, table)),
      random_(problem.seed) {}

std::optional<RankChange> ChangeDraw::next() {
  if (occupancy_.num_ranks() == 0) return std::nullopt;
  const Rank rank = id_at<Rank>(below(static_cast<std::size_t>(occupancy_.num_ranks())));
  if (below(changes_per_far_one) > 0) return into(rank, near_partner(rank));
  return into(rank, id_at<Place>(below(static_cast<std::size_t>(occupancy_.num_places()))));
}

Place ChangeDraw::near_partner(Rank rank) {
  const auto partners = partners_.of(rank);
  if (partners.empty())
    return id_at<Place>(below(static_cast<std::size_t>(occupancy_.num_places())));
  const Place place = occupancy_.place_of(partners[below(partners.size())].rank);
  const auto near = near_->of(place);
  const std::uint32_t chosen = below(near.size() + 1);
  return chosen < near.size() ? near[chosen] : place;
}

std::optional<RankChange> ChangeDraw::into(Rank rank, Place to) {
  if (occupancy_.place_of(rank) == to) return std::nullopt;
  const auto there = occupancy_.ranks_at(to);
  if (there.empty() || (occupancy_.has_free_slot(to) && below(2) == 0))
    return RankChange{rank, std::nullopt, to};
  return RankChange{rank, there[there.size() == 1 ? 0 : below(there.size())], to};
}

}  // namespace vtopo::detail
