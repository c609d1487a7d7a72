#include "sim/mapping/search/near_hosts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

/// How far places next to each other by number are looked at.
constexpr std::int64_t window = 12;

/// Host numbers around a host of a grid: one step along up to two axes, or two steps along one.
class GridSteps {
 public:
  explicit GridSteps(const HostCoordinates& grid) : grid_(grid) {
    std::int64_t stride = grid.hosts_per_router;
    for (const NetworkAxis& axis : grid.axes) {
      strides_.push_back(stride);
      stride *= axis.size;
    }
  }

  /// Two steps only where one leads to few hosts.
  void append_around(std::int64_t host, std::vector<std::int64_t>& found) {
    for (std::size_t d = 0; d < grid_.axes.size(); ++d) append_stepped(host, d, found);
    if (found.size() >= NearHosts::most) return;
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
  std::vector<std::int64_t> strides_;
};

}  // namespace

NearHosts::NearHosts(const Network& network, const Allocation& allocation)
    : count_(std::min(most, std::max<std::size_t>(allocation.hosts.size(), 1) - 1)) {
  const auto size = static_cast<std::int64_t>(allocation.hosts.size());
  const auto& hosts = allocation.hosts;
  std::vector<std::int32_t> place_of(static_cast<std::size_t>(network.num_hosts()), -1);
  for (std::size_t p = 0; p < hosts.size(); ++p)
    place_of[index(hosts[p])] = narrow<std::int32_t>(p);
  std::vector<std::int32_t> by_number;
  for (const std::int32_t place : place_of)
    if (place >= 0) by_number.push_back(place);
  const auto grid = network.coordinates();
  std::optional<GridSteps> steps;
  if (grid) steps.emplace(*grid);
  std::vector<std::int64_t> around;
  std::vector<std::pair<int, std::int64_t>> found;
  near_.resize(count_ * hosts.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int32_t place = by_number[static_cast<std::size_t>(i)];
    const HostId host = hosts[static_cast<std::size_t>(place)];
    found.clear();
    around.clear();
    if (steps) steps->append_around(number(host), around);
    const auto add = [&](std::int32_t near) {
      if (near < 0 || near == place) return;
      const HostId other = hosts[static_cast<std::size_t>(near)];
      const std::int64_t ahead = (near - place + size) % size;
      found.emplace_back(network.hops(host, other), ahead);
    };
    for (const std::int64_t other : around) add(place_of[static_cast<std::size_t>(other)]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (found.size() < count_ / 2) {
      for (std::int64_t step = 1; step <= std::min(window, size - 1); ++step)
        for (const std::int64_t at : {i + step, i - step + size})
          add(by_number[static_cast<std::size_t>(at % size)]);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const std::int64_t ahead = found[k % found.size()].second;
      near_[static_cast<std::size_t>(place) * count_ + k] =
          static_cast<std::int32_t>((place + ahead) % size);
    }
  }
}

}  // namespace vtopo
