#include "sim/mapping/search/near_hosts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

/// How far places next to each other by number are looked at.
constexpr std::int64_t window = 12;

/// Host numbers around a host of a torus or mesh: one step in up to two dimensions, or two steps.
class GridSteps {
 public:
  explicit GridSteps(const TorusSpec& torus) : torus_(torus) {}

  void append_around(std::int64_t host, std::vector<std::int64_t>& found) const {
    for (std::size_t d = 0; d < torus_.dimensions.size(); ++d)
      for (const int step : {-1, 1}) {
        const std::int64_t next = stepped(host, d, step);
        if (next < 0) continue;
        found.push_back(next);
        add(found, stepped(next, d, step));
        for (std::size_t e = d + 1; e < torus_.dimensions.size(); ++e)
          for (const int other : {-1, 1}) add(found, stepped(next, e, other));
      }
  }

 private:
  static void add(std::vector<std::int64_t>& found, std::int64_t host) {
    if (host >= 0) found.push_back(host);
  }

  /// -1 beyond the end of a mesh.
  std::int64_t stepped(std::int64_t host, std::size_t dimension, int step) const {
    std::int64_t stride = torus_.hosts_per_router;
    for (std::size_t d = 0; d < dimension; ++d) stride *= torus_.dimensions[d].size;
    const auto [size, wraps, rates] = torus_.dimensions[dimension];
    const std::int64_t at = host / stride % size;
    const std::int64_t to = at + step;
    if (to >= 0 && to < size) return host + step * stride;
    return wraps && size > 2 ? host + (to < 0 ? size - 1 : 1 - size) * stride : -1;
  }

  const TorusSpec& torus_;
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
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  std::vector<std::int64_t> around;
  std::vector<std::pair<int, std::int64_t>> found;
  near_.resize(count_ * hosts.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const std::int32_t place = by_number[static_cast<std::size_t>(i)];
    const HostId host = hosts[static_cast<std::size_t>(place)];
    found.clear();
    around.clear();
    if (torus != nullptr) GridSteps(*torus).append_around(number(host), around);
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
