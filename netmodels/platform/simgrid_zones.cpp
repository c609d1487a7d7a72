#include "netmodels/platform/simgrid_zones.hpp"

#include <sys/time.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <typeinfo>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

namespace s4u = simgrid::s4u;
namespace kernel = simgrid::kernel::routing;
using kernel::NetPoint;
using Zone = kernel::NetZoneImpl;

/// CPU time after which a single route is given up. SimGrid's Dijkstra runs in circles on some
/// one-way links.
constexpr int route_seconds = 10;
/// More vertices than this, and a zone whose kind says nothing is not looked into.
constexpr std::size_t max_probed_vertices = 128;

/// `DijkstraZone`, `StarZone`, ...: SimGrid hides the classes, but not their names.
bool is_kind(const Zone* zone, std::string_view name) {
  return std::string_view(typeid(*zone).name()).find(name) != std::string_view::npos;
}

/// Opens SimGrid's question for the route inside one zone, which is protected in the base class.
struct LocalRoutes : Zone {
  static void ask(Zone* zone, const NetPoint* from, const NetPoint* to, kernel::Route* route,
                  double* latency) {
    (zone->*&LocalRoutes::get_local_route)(from, to, route, latency);
  }
};

const Zone* root_zone() {
  return s4u::Engine::get_instance()->get_netzone_root()->get_impl();
}

/// The root first.
std::vector<const Zone*> all_zones() {
  std::vector<const Zone*> zones{root_zone()};
  for (std::size_t z = 0; z < zones.size(); ++z)
    zones.insert(zones.end(), zones[z]->get_children().begin(), zones[z]->get_children().end());
  return zones;
}

/// Members of the zones from the one of `point` up to the root.
std::vector<const NetPoint*> members_above(const NetPoint* point) {
  std::vector<const NetPoint*> members{point};
  for (const auto* zone = point->get_englobing_zone(); zone->get_parent() != nullptr;
       zone = zone->get_parent())
    members.push_back(zone->get_netpoint());
  return members;
}

Meeting meeting_of(const NetPoint* from, const NetPoint* to) {
  if (from->get_englobing_zone() == to->get_englobing_zone())
    return {from->get_englobing_zone(), from, to};
  auto above_from = members_above(from), above_to = members_above(to);
  while (above_from.size() > 1 && above_to.size() > 1 && above_from.back() == above_to.back()) {
    above_from.pop_back();
    above_to.pop_back();
  }
  return {above_from.back()->get_englobing_zone(), above_from.back(), above_to.back()};
}

/// The split-duplex pair whose way up a link is, by its name.
const s4u::SplitDuplexLink* pair_up(const s4u::Link* link) {
  constexpr std::string_view end = "_UP";
  const std::string& name = link->get_name();
  if (!name.ends_with(end)) return nullptr;
  const std::string pair = name.substr(0, name.size() - end.size());
  if (root_zone()->get_split_duplex_link_by_name_or_null(pair) == nullptr) return nullptr;
  return s4u::SplitDuplexLink::by_name(pair);
}

}  // namespace

void SimGridZones::listen(std::atomic<int>& num_built) {
  Zone::on_route_creation.connect([this, &num_built](bool both_ways, NetPoint* from, NetPoint* to,
                                                     NetPoint*, NetPoint*,
                                                     const std::vector<Link*>& links) {
    ++num_built;
    declare(both_ways, from, to, links);
  });
}

void SimGridZones::declare(bool both_ways, NetPoint* from, NetPoint* to,
                           const std::vector<Link*>& links) {
  (from == to ? loopbacks_ : used_).insert(links.begin(), links.end());
  if (from == to) return;
  const Meeting meeting = meeting_of(from, to);
  if (meeting.from != from) gateways_.insert(from);
  if (meeting.to != to) gateways_.insert(to);
  const bool dijkstra = is_kind(meeting.zone, "Dijkstra");
  if (dijkstra) {
    searches_may_not_end_ = searches_may_not_end_ || !both_ways;
    edges_[meeting.zone][meeting.from].push_back(meeting.to);
    if (both_ways) edges_[meeting.zone][meeting.to].push_back(meeting.from);
  }
  if (dijkstra || is_kind(meeting.zone, "Floyd")) declared_.push_back({from, to, links, both_ways});
}

void SimGridZones::seal(const std::vector<s4u::Host*>& hosts, const PlatformText& source) {
  for (const auto* link : used_) loopbacks_.erase(link);
  used_.clear();
  for (const auto* link : s4u::Engine::get_instance()->get_all_links()) {
    latencies_.emplace(link->get_impl(), link->get_latency());
    const auto* pair = pair_up(link);
    if (pair == nullptr) continue;
    auto *up = pair->get_link_up()->get_impl(), *down = pair->get_link_down()->get_impl();
    way_back_.insert({{up, down}, {down, up}});
  }
  for (const auto* host : hosts) vertex(host->get_netpoint());
  for (const auto& host : source.unplaced)
    unplaced_.insert(s4u::Engine::get_instance()->netpoint_by_name_or_null(host));
  has_bypass_ = source.has_bypass;
  const auto zones = all_zones();
  for (const Zone* zone : zones) {
    if (is_kind(zone, "Dijkstra")) edges_[zone];
    adds_latency_ = adds_latency_ || is_kind(zone, "Vivaldi");
    has_empty_zone_ = has_empty_zone_ || (!has_bypass_ && is_kind(zone, "EmptyZone"));
  }
  searches_may_not_end_ = !edges_.empty() && (searches_may_not_end_ || zones.size() > 1);
}

/// A limit of CPU time for searches that may run in circles although their end can be reached:
/// SimGrid's Dijkstra does so for some one-way links, and inside of nested zones nothing is known
/// beforehand.
void SimGridZones::limit_search(int seconds) const {
  if (!searches_may_not_end_) return;
  const itimerval timer{{}, {seconds, 0}};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

/// SimGrid's Dijkstra crashes or runs in circles where there is no way: it is not asked then.
bool SimGridZones::reaches(const Meeting& meeting) {
  const auto [known, is_new] = reached_.try_emplace(meeting.from);
  std::vector<bool>& reached = known->second;
  if (!is_new) return reached[meeting.to->id()];
  const Edges& edges = edges_.at(meeting.zone);
  reached.resize(meeting.zone->get_table_size());
  reached[meeting.from->id()] = true;
  std::vector<const NetPoint*> open{meeting.from};
  while (!open.empty()) {
    const auto found = edges.find(open.back());
    open.pop_back();
    if (found == edges.end()) continue;
    for (const auto* next : found->second) {
      if (!reached[next->id()]) open.push_back(next);
      reached[next->id()] = true;
    }
  }
  return reached[meeting.to->id()];
}

/// No element of a platform file gives a zone the coordinates that a Vivaldi zone asks for.
bool SimGridZones::has_no_place(const NetPoint* member) const {
  return member->is_netzone() || unplaced_.contains(member);
}

Reason SimGridZones::reason_not_to_ask(const NetPoint* from, const NetPoint* to) {
  if (edges_.empty() && !adds_latency_ && !has_empty_zone_ && given_up_.empty())
    return std::nullopt;
  const Meeting meeting = meeting_of(from, to);
  if (edges_.contains(meeting.zone) && !reaches(meeting)) return no_route;
  if (adds_latency_ && is_kind(meeting.zone, "Vivaldi") &&
      (has_no_place(meeting.from) || has_no_place(meeting.to)))
    return no_route;
  if (has_empty_zone_ && is_kind(meeting.zone, "EmptyZone")) return aborts;
  const auto end = given_up_.find(meeting);
  return end == given_up_.end() ? std::nullopt : Reason(end->second);
}

Reason SimGridZones::route(const NetPoint* from, const NetPoint* to, std::vector<Link*>& links,
                           double& latency) {
  Reason reason;
  limit_search(route_seconds);
  try {
    Zone::get_global_route(from, to, links, &latency);
  } catch (const std::invalid_argument&) {
    reason = no_route;  // "No route from ... to ..."
  } catch (const std::exception&) {
    reason = throws;  // "Bad gateways for route from ... to ..."
  }
  limit_search(0);
  if (reason == throws && !has_bypass_)
    if (const auto zones = zones_between(from, to); zones && !joins(*zones))
      give_up(*zones, throws);
  if (reason) links.clear();
  if (adds_latency_ && !reason)
    for (const Link* link : links) latency -= latencies_.at(link);
  constexpr double rounding = 1e-12;  // seconds
  if (!adds_latency_ || reason || latency <= rounding) latency = 0;
  return reason;
}

/// Whether there is a route between two zones. To be called when SimGrid has thrown an exception on
/// a route between their hosts: it has survived this question then.
bool SimGridZones::joins(const Meeting& zones) const {
  kernel::Route route;
  double latency = 0;
  try {
    LocalRoutes::ask(zones.zone, zones.from, zones.to, &route, &latency);
  } catch (const std::exception&) {
    return false;
  }
  return route.gw_src_ != nullptr && route.gw_dst_ != nullptr;
}

std::optional<Meeting> SimGridZones::zones_between(const NetPoint* from, const NetPoint* to) const {
  const Meeting meeting = meeting_of(from, to);
  if (!meeting.from->is_netzone() || !meeting.to->is_netzone()) return std::nullopt;
  return meeting;
}

void SimGridZones::ask_between(const Meeting& zones) const {
  kernel::Route route;
  double latency = 0;
  limit_search(route_seconds);
  LocalRoutes::ask(zones.zone, zones.from, zones.to, &route, &latency);
}

/// Hosts keep their numbers; the other net points follow as they are met.
int SimGridZones::vertex(const NetPoint* point) {
  return vertices_.emplace(point, int_size(vertices_)).first->second;
}

void SimGridZones::visit_local_route(const Zone* zone, NetPoint* from, NetPoint* to,
                                     const ChainVisitor& visit) {
  kernel::Route route;
  LocalRoutes::ask(const_cast<Zone*>(zone), from, to, &route, nullptr);
  const NetPoint* first = from->is_netzone() ? route.gw_src_ : from;
  const NetPoint* last = to->is_netzone() ? route.gw_dst_ : to;
  if (first != nullptr && last != nullptr && first != last && !route.link_list_.empty())
    visit(vertex(first), vertex(last), route.link_list_);
}

void SimGridZones::visit_zone(const Zone* zone, const ChainVisitor& visit) {
  // A router that nothing outside leads to is on no route.
  std::vector<NetPoint*> members;
  for (auto* point : zone->get_vertices())
    if (!point->is_router() || gateways_.contains(point)) members.push_back(point);
  const bool star = is_kind(zone, "StarZone") || is_kind(zone, "Vivaldi");
  if (!star && !is_kind(zone, "Full") && members.size() > max_probed_vertices) return;
  const std::size_t hubs = star ? std::min<std::size_t>(3, members.size()) : members.size();
  for (std::size_t a = 0; a < hubs; ++a)
    for (std::size_t b = 0; b < members.size(); ++b)
      if (a != b) {
        visit_local_route(zone, members[a], members[b], visit);
        if (star) visit_local_route(zone, members[b], members[a], visit);
      }
}

void SimGridZones::for_each_chain(const ChainVisitor& visit) {
  for (const auto& [from, to, links, both_ways] : declared_) {
    visit(vertex(from), vertex(to), links);
    if (!both_ways) continue;
    std::vector<Link*> back(links.rbegin(), links.rend());
    for (auto*& link : back)
      if (const auto other = way_back_.find(link); other != way_back_.end()) link = other->second;
    visit(vertex(to), vertex(from), back);
  }
  for (const Zone* zone : all_zones())
    if (!is_kind(zone, "Dijkstra") && !is_kind(zone, "Floyd")) visit_zone(zone, visit);
}

std::string SimGridZones::router_names() const {
  std::map<int, std::string> names;
  for (const auto& [point, number] : vertices_)
    if (!point->is_host()) names.emplace(number, point->get_name());
  std::string text;
  for (const auto& [number, name] : names) text += name + '\n';
  return text;
}

}  // namespace vtopo::detail
