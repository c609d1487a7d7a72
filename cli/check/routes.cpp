#include "cli/check/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/check/distances.hpp"

namespace vtopo::detail::checking {
namespace {

constexpr std::size_t max_distance = 1 << 20;  // hops

class RouteReader {
 public:
  RouteReader(const Job& job, const std::string& rule, Claims& claims)
      : job_(job),
        claims_(claims),
        takes_detours_(rule == "valiant" || rule == "adaptive" || rule == "ideal") {}

  Routes read(const Json& list) {
    Routes routes;
    for (const Json& entry : list) {
      const std::size_t from = whole(entry.at(0)), to = whole(entry.at(1));
      const bool splits = entry.size() > 4 && !entry.at(4).is_null();
      Route route{static_cast<double>(whole(entry.at(2), max_distance)), 0,
                  entry.size() > 5 ? real(entry.at(5)) : 0};
      claims_.where = fmt::format("route from host {} to host {}: ", from, to);
      std::map<std::size_t, double> flow{{from, 1.0}, {to, -1.0}};  // still to leave a vertex
      for (const Json& l : entry.at(3)) {
        const Link& link = job_.links[whole(l, job_.links.size())];
        const double share = splits ? real(entry.at(4).at(route.parts.size())) : 1.0;
        const bool back = !link.is_directed && flow[link.from] < share / 2;
        claims_.require(link.is_up && share > 0 && share <= 1 + rounding,
                        "it cannot use " + link.name);
        const bool is_walk = !splits && !takes_detours_ && job_.knows_ends;
        claims_.require(!is_walk || flow[back ? link.to : link.from] > 0.5,
                        link.name + " does not begin where the link before ends");
        flow[back ? link.to : link.from] -= share;
        flow[back ? link.from : link.to] += share;
        route.parts.emplace_back(whole(l), share);
        route.mean_hops += link.hops * share, route.latency += link.latency * share;
      }
      for (const auto& [vertex, amount] : flow)
        claims_.require(!job_.knows_ends || std::abs(amount) < 1e-6,
                        fmt::format("ends at vertex {}", vertex));
      check_distance(from, to, route, splits);
      claims_.require(routes.emplace(std::pair(from, to), route).second, "it is listed twice");
    }
    claims_.where.clear();
    return routes;
  }

 private:
  void check_distance(std::size_t from, std::size_t to, const Route& route, bool splits) {
    if (!takes_detours_) {
      claims_.require(splits ? route.distance <= route.mean_hops + 1e-6
                             : std::abs(route.mean_hops - route.distance) < 1e-6,
                      fmt::format("it has {} hops and not {}", route.mean_hops, route.distance));
      if (splits) claims_.open.insert("distances where flows split (only that no mean is smaller)");
      return;
    }
    claims_.open.insert("distances where flows take detours (only that no path is shorter)");
    const auto host = std::find(job_.hosts.begin(), job_.hosts.end(), to);
    if (!job_.knows_ends || host == job_.hosts.end()) return;
    if (!shortest_.contains(from)) shortest_[from] = Distances(job_).to_hosts(from);
    const double least = shortest_[from][static_cast<std::size_t>(host - job_.hosts.begin())];
    claims_.require(least <= route.distance + 1e-6,
                    fmt::format("its distance cannot be {} hops: the shortest path has {}",
                                route.distance, least));
  }

  const Job& job_;
  Claims& claims_;
  bool takes_detours_;  ///< so that a distance is not the length of what a flow takes
  std::map<std::size_t, Numbers> shortest_ = {};  ///< by source: hops to each host
};

}  // namespace

Routes read_routes(const Json& list, const std::string& rule, Job& job, Claims& claims) {
  const auto splits = [](const Json& entry) { return entry.size() > 4 && !entry.at(4).is_null(); };
  job.splits = job.splits || std::any_of(list.begin(), list.end(), splits);
  return RouteReader(job, rule, claims).read(list);
}

}  // namespace vtopo::detail::checking
