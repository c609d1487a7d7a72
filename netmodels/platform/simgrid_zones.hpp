#pragma once

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <atomic>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "netmodels/platform/platform_text.hpp"

namespace vtopo::detail {

using Link = simgrid::kernel::resource::StandardLinkImpl;

/// Why there is no route: `no_route` if SimGrid has none, else the number of the text that says how
/// it ends when it is asked; nothing where there may be one.
using Reason = std::optional<int>;
inline constexpr int no_route = -1;
inline constexpr int aborts = 0;
inline constexpr int throws = 1;

/// The zone that holds two net points, and those of its members that are or hold them.
struct Meeting {
  simgrid::kernel::routing::NetZoneImpl* zone = nullptr;
  const simgrid::kernel::routing::NetPoint* from = nullptr;
  const simgrid::kernel::routing::NetPoint* to = nullptr;
  auto operator<=>(const Meeting&) const = default;
};

/// The zones of the platform that SimGrid has loaded in this process: routes, and the routes that
/// the file declares. Internal to this room.
class SimGridZones {
 public:
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Zone = simgrid::kernel::routing::NetZoneImpl;

  /// From a vertex over links to a vertex: hosts are 0..n-1, other net points follow.
  using ChainVisitor = std::function<void(int from, int to, const std::vector<Link*>& links)>;

  /// To be called before SimGrid loads: hears of declared routes and counts them.
  void listen(std::atomic<int>& num_built);
  /// To be called when all zones are sealed.
  /// @param source what it has loaded.
  void seal(const std::vector<simgrid::s4u::Host*>& hosts, const PlatformText& source);

  /// Why SimGrid is not asked for a route.
  Reason reason_not_to_ask(const NetPoint* from, const NetPoint* to);

  /// Appends SimGrid's route and sets the latency that it has on top of its links. It may end this
  /// process.
  /// @return why there is none, as far as SimGrid says it.
  Reason route(const NetPoint* from, const NetPoint* to, std::vector<Link*>& links,
               double& latency);

  /// The members of one zone between which a route leads, if both are zones: what SimGrid does not
  /// survive between them ends it for all their hosts.
  std::optional<Meeting> zones_between(const NetPoint* from, const NetPoint* to) const;

  /// Asks for the route between two zones alone. It may end this process.
  void ask_between(const Meeting& zones) const;

  /// From now on SimGrid is not asked for routes between hosts of these zones.
  /// @param end number of the text that says how it has ended.
  void give_up(const Meeting& zones, int end) { given_up_.emplace(zones, end); }

  /// Whether routes may have a latency on top of their links: there is a Vivaldi zone.
  bool adds_latency() const { return adds_latency_; }

  /// Whether SimGrid has all routes ready, in tables or formulas, once the zones are sealed.
  bool only_looks_up() const { return edges_.empty(); }

  /// Whether only routes from a host to itself use the link.
  bool is_loopback(const Link* link) const { return loopbacks_.contains(link); }

  /// Declared routes, both ways, of zones that search for shortest routes; the table of Full zones;
  /// of stars as many routes as their links need.
  void for_each_chain(const ChainVisitor& visit);

  /// Names of the vertices of chains so far that are not hosts, by their numbers, a line each.
  std::string router_names() const;

 private:
  /// Vertices of a zone and those that its declared routes lead to from each.
  using Edges = std::unordered_map<const NetPoint*, std::vector<const NetPoint*>>;

  struct Declared {
    NetPoint* from;
    NetPoint* to;
    std::vector<Link*> links;
    bool both_ways;
  };

  void declare(bool both_ways, NetPoint* from, NetPoint* to, const std::vector<Link*>& links);
  void limit_search(int seconds) const;
  bool reaches(const Meeting& meeting);
  bool joins(const Meeting& zones) const;
  bool has_no_place(const NetPoint* member) const;
  void visit_local_route(const Zone* zone, NetPoint* from, NetPoint* to, const ChainVisitor& visit);
  void visit_zone(const Zone* zone, const ChainVisitor& visit);
  int vertex(const NetPoint* point);

  std::vector<Declared> declared_;
  std::unordered_set<const NetPoint*> gateways_;
  std::unordered_set<const Link*> loopbacks_;
  std::unordered_set<const Link*> used_;
  std::unordered_map<const Link*, double> latencies_;
  std::unordered_map<const Link*, Link*> way_back_;  ///< halves of split-duplex pairs
  std::map<const Zone*, Edges> edges_;               ///< of zones with routing Dijkstra
  std::unordered_map<const NetPoint*, int> vertices_;
  bool has_bypass_ = false;      ///< there may be routes that no zone knows
  bool has_empty_zone_ = false;  ///< with routing None, and no bypass routes
  bool searches_may_not_end_ = false;
  bool adds_latency_ = false;
  std::unordered_set<const NetPoint*> unplaced_;
  std::map<Meeting, int> given_up_;
  std::unordered_map<const NetPoint*, std::vector<bool>> reached_;  ///< members of their zone
};

}  // namespace vtopo::detail
