#include "sim/mapping/search/near_places.hpp"

#include <algorithm>
#include <optional>

namespace vtopo::detail {

namespace {

/// How far places next to each other by number of host are looked at.
constexpr std::int64_t number_window = 12;

/// Host numbers around a host of a grid: one step along up to two axes, or two steps along one.
class GridSteps {
 public:
  /// @param enough host numbers, so that those of two steps are not looked for.
  GridSteps(const HostCoordinates& grid, std::size_t enough) : grid_(grid), enough_(enough) {
    std::int64_t stride = grid.hosts_per_router;
    for (const NetworkAxis& axis : grid.axes) {
      strides_.push_back(stride);
      stride *= axis.size;
    }
  }

  /// Two steps only where one leads to few hosts.
  void append_around(std::int64_t host, std::vector<std::int64_t>& found) {
    for (std::size_t d = 0; d < grid_.axes.size(); ++d) append_stepped(host, d, found);
    if (found.size() >= enough_) return;
    const std::size_t near = found.size();
    for (std::size_t i = 0; i < near; ++i)
      for (std::size_t d = 0; d < grid_.axes.size(); ++d) append_stepped(found[i], d, found);
  }

 private:
  void append_stepped(std::int64_t host, std::size_t dimension,
                      std::vector<std::int64_t>& found) const {
    const std::int64_t stride = strides_[dimension];
    const auto [size, kind] = grid_.axes[dimension];
    const std::int64_t at = host / stride % size;
    if (kind == AxisKind::complete) {
      for (int to = 0; to < size; ++to)
        if (to != at) found.push_back(host + (to - at) * stride);
      return;
    }
    for (const int step : {-1, 1}) {
      const std::int64_t to = at + step;
      if (to >= 0 && to < size)
        found.push_back(host + step * stride);
      else if (kind == AxisKind::ring && size > 2)
        found.push_back(host + (to < 0 ? size - 1 : 1 - size) * stride);
    }
  }

  const HostCoordinates& grid_;
  std::size_t enough_;
  std::vector<std::int64_t> strides_;
};

}  // namespace

NearPlaces::NearPlaces(int num_places, int max)
    : count_(static_cast<std::size_t>(std::clamp(max, 0, std::max(num_places - 1, 0)))),
      places_(count_ * index(num_places)) {}

NearPlaces::NearPlaces(const HopTable& table, int max) : NearPlaces(table.num_places(), max) {
  for (int p = 0; p < table.num_places(); ++p) {
    found_.clear();
    if (table.kept_row(Place{p}) != nullptr)
      list_from_row(table, Place{p});
    else
      list_from_offsets(table, Place{p});
    std::nth_element(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count_),
                     found_.end());
    keep_found(Place{p});
  }
}

/// `apart` is how far the position is ahead, cyclically, so that places at the same distance do not
/// all list the first one.
void NearPlaces::list_from_row(const HopTable& table, Place place) {
  const int size = table.num_places();
  const std::uint16_t* const row = table.kept_row(place);
  for (int ahead = 1; ahead < size; ++ahead) {
    const Place other{(number(place) + ahead) % size};
    found_.push_back({row[index(other)], ahead, other});
  }
}

void NearPlaces::list_from_offsets(const HopTable& table, Place place) {
  const int size = table.num_places();
  std::vector<int> offsets;
  const int close = static_cast<int>(count_);
  for (int offset = 1; offset <= close; ++offset) offsets.push_back(offset);
  for (int offset = 1; offset < size / 2; offset *= 2)
    for (const int times : {2, 3, 5})
      if (offset <= size / 2 / times) offsets.push_back(offset * times);
  std::vector<int> ahead;
  for (const int offset : offsets) {
    ahead.push_back(offset);
    ahead.push_back(size - offset);
  }
  std::sort(ahead.begin(), ahead.end());
  ahead.erase(std::unique(ahead.begin(), ahead.end()), ahead.end());
  for (const int a : ahead)
    if (a > 0 && a < size) {
      const Place other{(number(place) + a) % size};
      found_.push_back({table.hops(place, other), a, other});
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
  std::optional<GridSteps> steps;
  if (grid) steps.emplace(*grid, static_cast<std::size_t>(max));
  std::vector<std::int64_t> around;
  for (std::int64_t i = 0; i < size; ++i) {
    const Place place = by_number[static_cast<std::size_t>(i)];
    const HostId host = hosts[index(place)];
    found_.clear();
    around.clear();
    if (steps) steps->append_around(number(host), around);
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

std::shared_ptr<const NearPlaces> SharedNearPlaces::of(const HopTable& table, int max) {
  std::call_once(listed_, [&] { near_ = std::make_shared<const NearPlaces>(table, max); });
  return near_;
}

std::shared_ptr<const NearPlaces> SharedNearPlaces::of(const Network& network,
                                                       const Allocation& allocation, int max) {
  std::call_once(listed_by_network_, [&] {
    near_by_network_ = std::make_shared<const NearPlaces>(network, allocation, max);
  });
  return near_by_network_;
}

namespace {

constexpr int num_near_places = 16;

/// One change in so many goes anywhere.
constexpr std::size_t changes_per_far_one = 16;

std::shared_ptr<const NearPlaces> near_places(const MappingProblem& problem,
                                              const HopTable& table) {
  if (problem.shared != nullptr) return problem.shared->near_places.of(table, num_near_places);
  return std::make_shared<const NearPlaces>(table, num_near_places);
}

}  // namespace

ChangeDraw::ChangeDraw(const MappingProblem& problem, const Partners& partners,
                       const HopTable& table, const Occupancy& occupancy)
    : partners_(partners),
      occupancy_(occupancy),
      near_(near_places(problem, table)),
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
