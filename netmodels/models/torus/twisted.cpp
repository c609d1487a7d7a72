#include "netmodels/models/torus/twisted.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

int TwistedRoutes::find_steps(int source, int destination, Steps& steps) const {
  const auto& axes = grid_.axes();
  const TorusAxis &turned = axes[twist_.turned], &shifted = axes[twist_.shifted];
  int total = 0;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const int from = axes[a].coordinate(source), to = axes[a].coordinate(destination);
    steps[a] = axes[a].signed_steps(from, to, ties_);
    if (a != twist_.turned && a != twist_.shifted) total += std::abs(steps[a]);
  }
  const int along = turned.coordinate(destination) - turned.coordinate(source);
  const int beside = shifted.coordinate(source);
  const int across = shifted.forward(beside, shifted.coordinate(destination));
  int best = std::numeric_limits<int>::max();
  const auto try_wraps = [&](std::int64_t wraps) {
    const std::int64_t forwards = along + wraps * turned.size;
    const auto apart = static_cast<int>((across - wraps * twist_.by) % shifted.size);
    const int to = beside + (apart < 0 ? apart + shifted.size : apart);
    const int rest =
        shifted.signed_steps(beside, to < shifted.size ? to : to - shifted.size, ties_);
    const std::int64_t length = std::abs(forwards) + std::abs(rest);
    if (length >= best) return;
    best = static_cast<int>(length);
    steps[twist_.turned] = static_cast<int>(forwards);
    steps[twist_.shifted] = rest;
  };
  try_wraps(0);
  // Passing the wrap w times takes more than (w - 1) * size steps.
  for (std::int64_t wraps = 1; (wraps - 1) * turned.size < best; ++wraps) {
    try_wraps(wraps);
    try_wraps(-wraps);
  }
  return total + best;
}

int TwistedRoutes::distance(int source, int destination) const {
  Steps steps;
  return find_steps(source, destination, steps);
}

LinkId TwistedRoutes::link(int router, std::size_t axis, bool forwards) const {
  const TorusAxis& along = grid_.axes()[axis];
  const int lower = forwards ? router : neighbour(router, axis, false);
  const int cable =
      along.cable(lower / along.stride / along.size, lower % along.stride, along.coordinate(lower));
  return LinkId{2 * cable + (forwards ? 0 : 1)};
}

void TwistedRoutes::append_ecmp(int source, int destination, std::vector<LinkShare>& shares) const {
  std::map<int, double> here{{source, 1}};
  for (int left = distance(source, destination); left > 0; --left) {
    std::map<int, double> next;
    for (const auto& [router, share] : here) {
      std::vector<std::pair<LinkId, int>> onwards;
      for (std::size_t a = 0; a < grid_.axes().size(); ++a)
        for (const bool forwards : {true, false}) {
          const TorusAxis& axis = grid_.axes()[a];
          const int last = forwards ? axis.size - 1 : 0;
          if (!axis.wraps && axis.coordinate(router) == last) continue;
          const int to = neighbour(router, a, forwards);
          if (distance(to, destination) < left) onwards.emplace_back(link(router, a, forwards), to);
        }
      for (const auto& [link, to] : onwards) {
        shares.push_back({link, share / static_cast<double>(onwards.size())});
        next[to] += shares.back().share;
      }
    }
    here = std::move(next);
  }
}

void TwistedRoutes::append_valiant(int source, int destination,
                                   std::vector<LinkShare>& shares) const {
  if (source == destination) return;
  std::vector<double> sums(2 * static_cast<std::size_t>(grid_.num_cables()));
  const double each = 1.0 / grid_.num_routers();
  const auto add = [&](LinkId link) { sums[index(link)] += each; };
  for (int by = 0; by < grid_.num_routers(); ++by) {
    for_each_link(source, by, add);
    for_each_link(by, destination, add);
  }
  for (std::size_t l = 0; l < sums.size(); ++l)
    if (sums[l] > 0) shares.push_back({id_at<LinkId>(l), sums[l]});
}

const std::vector<std::int64_t>& TwistedRoutes::plane_profile() const {
  std::call_once(profile_known_, [&] {
    const TorusAxis &turned = grid_.axes()[twist_.turned], &shifted = grid_.axes()[twist_.shifted];
    for (int z = 0; z < turned.size; ++z)
      for (int x = 0; x < shifted.size; ++x) {
        const auto at =
            static_cast<std::size_t>(distance(0, z * turned.stride + x * shifted.stride));
        if (at >= profile_.size()) profile_.resize(at + 1);
        ++profile_[at];
      }
  });
  return profile_;
}

int TwistedRoutes::diameter() const {
  int total = static_cast<int>(plane_profile().size()) - 1;
  for (std::size_t a = 0; a < grid_.axes().size(); ++a)
    if (const TorusAxis& axis = grid_.axes()[a]; a != twist_.turned && a != twist_.shifted)
      total += axis.wraps ? axis.size / 2 : axis.size - 1;
  return total;
}

double TwistedRoutes::mean_distance(int router) const {
  double sum = 0, routers = 0;
  for (std::size_t h = 0; h < plane_profile().size(); ++h) {
    sum += static_cast<double>(h) * static_cast<double>(plane_profile()[h]);
    routers += static_cast<double>(plane_profile()[h]);
  }
  double mean = sum / routers;
  for (std::size_t a = 0; a < grid_.axes().size(); ++a) {
    if (a == twist_.turned || a == twist_.shifted) continue;
    const TorusAxis& axis = grid_.axes()[a];
    double along = 0;
    for (int to = 0; to < axis.size; ++to) along += axis.distance(axis.coordinate(router), to);
    mean += along / axis.size;
  }
  return mean;
}

std::unique_ptr<LinkTraffic> make_twisted_valiant_traffic(const TwistedRoutes& routes,
                                                          const TorusGrid& grid,
                                                          const TorusHosts& hosts, int num_links) {
  return make_visited_leg_traffic(hosts, grid.num_routers(), num_links,
                                  [&routes](int from, int to, double share, const auto& add) {
                                    routes.for_each_link(from, to,
                                                         [&](LinkId link) { add(link, share); });
                                  });
}

}  // namespace vtopo::detail
