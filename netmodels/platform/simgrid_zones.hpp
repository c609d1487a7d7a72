#pragma once

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <atomic>
#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vtopo::detail {

using Link = simgrid::kernel::resource::StandardLinkImpl;

/// The zones of the platform that SimGrid has loaded in this process: routes, and the routes that
/// the file declares. Internal to this room.
class SimGridZones {
 public:
  /// From a vertex over links to a vertex: hosts are 0..n-1, other net points follow.
  using ChainVisitor = std::function<void(int from, int to, const std::vector<Link*>& links)>;

  /// To be called before SimGrid loads: hears of declared routes and counts them.
  void listen(std::atomic<int>& num_built);
  /// To be called when all zones are sealed.
  void seal(const std::vector<simgrid::s4u::Host*>& hosts);

  /// Appends SimGrid's route and returns the latency that it has on top of its links; nothing and 0
  /// if there is none, as far as that is known beforehand or SimGrid says it. It may end this
  /// process.
  double route(int source, int destination, std::vector<Link*>& links);

  /// Whether routes may have a latency on top of their links: there is a Vivaldi zone.
  bool adds_latency() const { return adds_latency_; }

  /// The members of one zone between which a route between two hosts leads, if both are zones: what
  /// SimGrid does not survive between them ends it for all their hosts.
  struct ZonePair {
    simgrid::kernel::routing::NetZoneImpl* zone = nullptr;
    const simgrid::kernel::routing::NetPoint* from = nullptr;
    const simgrid::kernel::routing::NetPoint* to = nullptr;
    auto operator<=>(const ZonePair&) const = default;
  };
  std::optional<ZonePair> zones_between(int source, int destination) const;

  /// Asks for the route between two zones alone. It may end this process.
  static void ask_between(const ZonePair& zones);

  /// There are no routes from or to this member of a Vivaldi zone: it has no coordinates.
  void give_up(const simgrid::kernel::routing::NetPoint* unplaced) { unplaced_.insert(unplaced); }

  /// From now on there is no route between hosts of these zones.
  void give_up(const ZonePair& zones) { given_up_.insert(zones); }

  /// Whether a search may run in circles although its end can be reached: SimGrid's Dijkstra does
  /// so for some one-way links, and inside of nested zones nothing is known beforehand.
  bool searches_may_not_end() const { return searches_may_not_end_; }

  /// Whether SimGrid has all routes ready, in tables or formulas, once the zones are sealed.
  bool only_looks_up() const { return edges_.empty(); }

  /// Whether only routes from a host to itself use the link.
  bool is_loopback(const Link* link) const { return loopbacks_.contains(link); }

  /// Declared routes, both ways, of zones that search for shortest routes; the table of Full zones;
  /// of stars as many routes as their links need.
  void for_each_chain(const ChainVisitor& visit) const;

 private:
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Zone = simgrid::kernel::routing::NetZoneImpl;
  /// Vertices of a zone and those that its declared routes lead to from each.
  using Edges = std::unordered_map<const NetPoint*, std::vector<const NetPoint*>>;

  struct Declared {
    NetPoint* from;
    NetPoint* to;
    std::vector<Link*> links;
    bool both_ways;
  };

  void declare(bool both_ways, NetPoint* from, NetPoint* to, const std::vector<Link*>& links);
  std::vector<bool> reached_from(const Zone* zone, const NetPoint* from) const;
  bool reaches(const Zone* zone, const NetPoint* from, const NetPoint* to);
  bool is_hopeless(const NetPoint* from, const NetPoint* to);
  void visit_local_route(const Zone* zone, NetPoint* from, NetPoint* to,
                         const ChainVisitor& visit) const;
  void visit_zone(const Zone* zone, const ChainVisitor& visit) const;
  int vertex(const NetPoint* point) const;

  std::vector<Declared> declared_;
  std::unordered_set<const NetPoint*> gateways_;
  std::unordered_set<const Link*> loopbacks_;
  std::unordered_set<const Link*> used_;
  std::unordered_map<const Link*, double> latencies_;
  std::unordered_map<const Link*, Link*> way_back_;  ///< halves of split-duplex pairs
  std::map<const Zone*, Edges> edges_;               ///< of zones with routing Dijkstra
  std::vector<NetPoint*> hosts_;
  mutable std::unordered_map<const NetPoint*, int> vertices_;
  bool searches_may_not_end_ = false;
  bool adds_latency_ = false;
  std::set<ZonePair> given_up_;
  std::unordered_set<const NetPoint*> unplaced_;
  std::unordered_map<const NetPoint*, std::vector<bool>> reached_;  ///< members of their zone
};

}  // namespace vtopo::detail
