#include "netmodels/platform/simgrid_zones.hpp"

#include <algorithm>
#include <string_view>
#include <typeinfo>

namespace vtopo::detail {

namespace {

namespace routing = simgrid::kernel::routing;

/// More vertices than this, and a zone whose kind says nothing is not looked into.
constexpr std::size_t max_probed_vertices = 128;

/// `DijkstraZone`, `StarZone`, ...: SimGrid hides the classes, but not their names.
bool is_kind(const routing::NetZoneImpl* zone, std::string_view name) {
  return std::string_view(typeid(*zone).name()).find(name) != std::string_view::npos;
}

/// Opens SimGrid's question for the route inside one zone, which is protected in the base class.
struct LocalRoutes : routing::NetZoneImpl {
  static void ask(routing::NetZoneImpl* zone, const routing::NetPoint* from,
                  const routing::NetPoint* to, routing::Route* route, double* latency = nullptr) {
    (zone->*&LocalRoutes::get_local_route)(from, to, route, latency);
  }
};

/// The zone that holds both, and those of its members that are or hold them.
struct Meeting {
  routing::NetZoneImpl* zone;
  const routing::NetPoint* from;
  const routing::NetPoint* to;
};

/// Members of the zones from the one of `point` up to the root.
std::vector<const routing::NetPoint*> members_above(const routing::NetPoint* point) {
  std::vector<const routing::NetPoint*> members{point};
  for (const auto* zone = point->get_englobing_zone(); zone->get_parent() != nullptr;
       zone = zone->get_parent())
    members.push_back(zone->get_netpoint());
  return members;
}

Meeting meeting_of(const routing::NetPoint* from, const routing::NetPoint* to) {
  if (from->get_englobing_zone() == to->get_englobing_zone())
    return {from->get_englobing_zone(), from, to};
  auto above_from = members_above(from), above_to = members_above(to);
  while (above_from.size() > 1 && above_to.size() > 1 && above_from.back() == above_to.back()) {
    above_from.pop_back();
    above_to.pop_back();
  }
  auto* zone = above_from.back()->get_englobing_zone();
  return {zone, above_from.back(), above_to.back()};
}

/// The split-duplex pair whose way up a link is, by its name.
const simgrid::s4u::SplitDuplexLink* pair_up(const simgrid::s4u::Link* link) {
  constexpr std::string_view end = "_UP";
  const std::string& name = link->get_name();
  if (!name.ends_with(end)) return nullptr;
  const std::string pair = name.substr(0, name.size() - end.size());
  const auto* root = simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl();
  if (root->get_split_duplex_link_by_name_or_null(pair) == nullptr) return nullptr;
  return simgrid::s4u::SplitDuplexLink::by_name(pair);
}

}  // namespace

void SimGridZones::listen(std::atomic<int>& num_built) {
  routing::NetZoneImpl::on_route_creation.connect(
      [this, &num_built](bool both_ways, NetPoint* from, NetPoint* to, NetPoint*, NetPoint*,
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

void SimGridZones::seal(const std::vector<simgrid::s4u::Host*>& hosts) {
  for (const auto* link : used_) loopbacks_.erase(link);
  used_.clear();
  for (const auto* link : simgrid::s4u::Engine::get_instance()->get_all_links()) {
    latencies_.emplace(link->get_impl(), link->get_latency());
    const auto* pair = pair_up(link);
    if (pair == nullptr) continue;
    auto *up = pair->get_link_up()->get_impl(), *down = pair->get_link_down()->get_impl();
    way_back_.insert({{up, down}, {down, up}});
  }
  for (const auto* host : hosts) hosts_.push_back(host->get_netpoint());
  for (auto* host : hosts_) vertices_.emplace(host, static_cast<int>(vertices_.size()));
  std::vector<const Zone*> zones{
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl()};
  for (std::size_t z = 0; z < zones.size(); ++z) {
    if (is_kind(zones[z], "Dijkstra")) edges_[zones[z]];
    adds_latency_ = adds_latency_ || is_kind(zones[z], "Vivaldi");
    zones.insert(zones.end(), zones[z]->get_children().begin(), zones[z]->get_children().end());
  }
  searches_may_not_end_ = !edges_.empty() && (searches_may_not_end_ || zones.size() > 1);
}

std::vector<bool> SimGridZones::reached_from(const Zone* zone, const NetPoint* from) const {
  const Edges& edges = edges_.at(zone);
  std::vector<bool> reached(zone->get_table_size());
  reached[from->id()] = true;
  std::vector<const NetPoint*> open{from};
  while (!open.empty()) {
    const auto found = edges.find(open.back());
    open.pop_back();
    if (found == edges.end()) continue;
    for (const auto* next : found->second) {
      if (!reached[next->id()]) open.push_back(next);
      reached[next->id()] = true;
    }
  }
  return reached;
}

/// SimGrid's Dijkstra crashes or runs in circles where there is no way: it is not asked then.
bool SimGridZones::reaches(const Zone* zone, const NetPoint* from, const NetPoint* to) {
  auto known = reached_.find(from);
  if (known == reached_.end()) known = reached_.emplace(from, reached_from(zone, from)).first;
  return known->second[to->id()];
}

std::optional<SimGridZones::ZonePair> SimGridZones::zones_between(int source,
                                                                  int destination) const {
  const Meeting meeting = meeting_of(hosts_[static_cast<std::size_t>(source)],
                                     hosts_[static_cast<std::size_t>(destination)]);
  if (!meeting.from->is_netzone() || !meeting.to->is_netzone()) return std::nullopt;
  return ZonePair{meeting.zone, meeting.from, meeting.to};
}

void SimGridZones::ask_between(const ZonePair& zones) {
  routing::Route route;
  double latency = 0;
  LocalRoutes::ask(zones.zone, zones.from, zones.to, &route, &latency);
}

/// Whether SimGrid is known not to survive the question.
bool SimGridZones::is_hopeless(const NetPoint* from, const NetPoint* to) {
  if (edges_.empty() && !adds_latency_ && given_up_.empty()) return false;
  const Meeting meeting = meeting_of(from, to);
  if (edges_.contains(meeting.zone) && !reaches(meeting.zone, meeting.from, meeting.to))
    return true;
  // No element of a platform file gives a zone the coordinates that a Vivaldi zone asks for.
  const auto has_no_place = [this](const NetPoint* member) {
    return member->is_netzone() || unplaced_.contains(member);
  };
  if (adds_latency_ && is_kind(meeting.zone, "Vivaldi") &&
      (has_no_place(meeting.from) || has_no_place(meeting.to)))
    return true;
  return given_up_.contains({meeting.zone, meeting.from, meeting.to});
}

double SimGridZones::route(int source, int destination, std::vector<Link*>& links) {
  const NetPoint* from = hosts_[static_cast<std::size_t>(source)];
  const NetPoint* to = hosts_[static_cast<std::size_t>(destination)];
  if (is_hopeless(from, to)) return 0;
  double latency = 0;  // bypass routes add to it without looking
  try {
    Zone::get_global_route(from, to, links, &latency);
  } catch (const std::invalid_argument&) {
    links.clear();  // "No route from ... to ..."
    return 0;
  }
  if (!adds_latency_) return 0;
  for (const Link* link : links) latency -= latencies_.at(link);
  constexpr double rounding = 1e-12;  // seconds
  return latency > rounding ? latency : 0;
}

/// Hosts keep their numbers; the other net points follow as they are met.
int SimGridZones::vertex(const NetPoint* point) const {
  return vertices_.emplace(point, static_cast<int>(vertices_.size())).first->second;
}

void SimGridZones::visit_local_route(const Zone* zone, NetPoint* from, NetPoint* to,
                                     const ChainVisitor& visit) const {
  routing::Route route;
  LocalRoutes::ask(const_cast<Zone*>(zone), from, to, &route);
  const NetPoint* first = from->is_netzone() ? route.gw_src_ : from;
  const NetPoint* last = to->is_netzone() ? route.gw_dst_ : to;
  if (first != nullptr && last != nullptr && first != last && !route.link_list_.empty())
    visit(vertex(first), vertex(last), route.link_list_);
}

void SimGridZones::visit_zone(const Zone* zone, const ChainVisitor& visit) const {
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

void SimGridZones::for_each_chain(const ChainVisitor& visit) const {
  for (const auto& [from, to, links, both_ways] : declared_) {
    visit(vertex(from), vertex(to), links);
    if (!both_ways) continue;
    std::vector<Link*> back(links.rbegin(), links.rend());
    for (auto*& link : back)
      if (const auto other = way_back_.find(link); other != way_back_.end()) link = other->second;
    visit(vertex(to), vertex(from), back);
  }
  std::vector<const Zone*> zones{
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl()};
  for (std::size_t z = 0; z < zones.size(); ++z) {
    if (!is_kind(zones[z], "Dijkstra") && !is_kind(zones[z], "Floyd")) visit_zone(zones[z], visit);
    zones.insert(zones.end(), zones[z]->get_children().begin(), zones[z]->get_children().end());
  }
}

}  // namespace vtopo::detail
