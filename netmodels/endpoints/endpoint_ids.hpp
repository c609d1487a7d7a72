#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/network.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// Numbers of nodes, places, links and vertices of a network with endpoints. Places are its hosts;
/// the inner network has the nodes as hosts. Links of the inner network keep their ids, then come
/// the links out of the nodes, those into them, and level by level those inside.
///
///     places          o o  o o  o o  o o        node=2x2, nics=2
///     links of level 1 \|   \|   \|   \|
///     vertices tier 1   o    o    o    o
///     links of level 2   \  /      \  /
///     vertices tier 2     o         o
///     NICs               | |       | |
///     hosts inside     --o---------o--
///
/// Where NICs are in several planes, each host inside is a port per plane.
/// Without NICs that limit anything the last tier is the hosts of the inner network.
class EndpointIds {
 public:
  /// @throws UsageError for more places, links or vertices than ids can count.
  EndpointIds(const Network& inner, const EndpointSpec& endpoints);

  int num_nodes() const { return nodes_; }
  int places_per_node() const { return groups_.back(); }
  int num_places() const { return nodes_ * places_per_node(); }
  int num_links() const { return num_links_; }
  int num_levels() const { return static_cast<int>(groups_.size()) - 1; }
  int node_of(HostId place) const { return by_group_.back().quotient(number(place)); }
  /// Within its node.
  int number_of(HostId place) const { return by_group_.back().remainder(number(place)); }

  /// Places below one vertex of a tier; tier 0 are the places.
  int places_per_vertex(int tier) const { return groups_[static_cast<std::size_t>(tier)]; }

  /// Level at which two places of one node meet; 0 for a place and itself.
  int meeting_level(HostId a, HostId b) const {
    int level = 0;
    while (above(a, level) != above(b, level)) ++level;
    return level;
  }

  /// Links out of each node, and as many into it: its NICs; 0: nothing limits.
  int interfaces() const { return interfaces_; }
  LinkId out(int node, int interface) const {
    return LinkId{inner_links_ + node * interfaces_ + interface};
  }
  LinkId in(int node, int interface) const {
    return LinkId{inner_links_ + (nodes_ + node) * interfaces_ + interface};
  }
  /// From the tier below `level`, counted from 1, above which `place` is.
  LinkId up(int level, HostId place) const {
    return LinkId{first_link_[static_cast<std::size_t>(level)] + 2 * above(place, level - 1)};
  }
  LinkId down(int level, HostId place) const { return LinkId{number(up(level, place)) + 1}; }

  /// A link in its parts.
  struct Part {
    int level = 0;         ///< 0: a NIC
    bool outwards = true;  ///< out of the node, or up
    int node = 0;
    int number = 0;  ///< of the NIC, or of the vertex below, within the node
  };
  bool is_inner(LinkId link) const { return vtopo::number(link) < inner_links_; }
  /// Of a link that is not one of the inner network.
  Part part(LinkId link) const;

  /// Vertex of the inner network in this one: of hosts, the port of a plane.
  int inner_vertex(int vertex, int plane) const {
    return vertex < nodes_ ? port(vertex, plane) : first_inner_vertex_ + vertex;
  }
  /// Where the interfaces of a node in one plane meet its cables; ports stand between the vertices
  /// of nodes and those of routers.
  int port(int node, int plane) const { return first_port() + node * ports_ + plane; }
  int first_port() const { return first_inner_vertex_ - nodes_ * (ports_ - 1); }
  int ports_per_node() const { return ports_; }
  /// To add to the numbers of routers of the inner network.
  int first_inner_vertex() const { return first_inner_vertex_; }
  /// Tiers with vertices of their own, from 1 on.
  int num_tiers() const { return static_cast<int>(first_vertex_.size()) - 1; }
  int first_vertex(int tier) const { return first_vertex_[static_cast<std::size_t>(tier)]; }
  /// Vertex of a tier, or port of a node, with this number in its node.
  int vertex(int tier, int node, int number) const;

 private:
  /// Vertex of a tier above a place, counted over all nodes.
  int above(HostId place, int tier) const {
    return by_group_[static_cast<std::size_t>(tier)].quotient(number(place));
  }

  int nodes_;
  int inner_links_;
  int interfaces_;
  int ports_;
  std::vector<int> groups_;              ///< places below a vertex of each tier
  std::vector<ExactDivision> by_group_;  ///< the same, to divide by
  std::vector<int> first_link_;          ///< of each level; the first entry is unused
  std::vector<int> first_vertex_;
  int first_inner_vertex_ = 0;
  int num_links_ = 0;
};

/// What a message takes between two nodes.
struct NodePath {
  LinkId out{};             ///< interface out of the sending node
  LinkId in{};              ///< interface into the receiving node
  std::size_t network = 0;  ///< that has the route between them, of `Interfaces::networks`
};

/// The interfaces that a message takes out of a node and into one, and the planes in which they
/// are. An interface that failed is replaced by the next one of the node that works; with planes,
/// by the next one with which a route joins the two nodes. The ids must outlive it.
class Interfaces {
 public:
  /// @param networks that flows take: one, or one per plane; under `RailPolicy::spine` one per
  /// plane of the sender and, varying faster, of the receiver.
  /// @param failed interfaces, as links out of nodes and into them.
  /// @param some_routes_fail whether the networks may have no route between two hosts.
  Interfaces(const EndpointIds& ids, const EndpointSpec& endpoints,
             std::vector<std::shared_ptr<const Network>> networks, std::span<const LinkId> failed,
             bool some_routes_fail);

  /// Between the nodes, which are their hosts.
  const std::vector<std::shared_ptr<const Network>>& networks() const { return networks_; }

  /// Whether each node has an interface that works in both directions, or planes decide; else no
  /// path may be asked for.
  bool join_all() const;

  /// Of places in different nodes.
  /// @throws InputError if no plane joins the two nodes any more.
  NodePath path(HostId source, HostId destination) const {
    if (ids_.interfaces() == 0) return {};
    const int from = choice(by_destination_ ? destination : source);
    const int to = choice(by_source_ ? source : destination);
    if (ids_.ports_per_node() > 1) return path_in_planes(source, destination, from, to);
    return {working(out(source, 0), from), working(in(destination, 0), to)};
  }

 private:
  /// By the place in its node; where a node is one place, by the number of the host.
  int choice(HostId host) const {
    const int interfaces = ids_.interfaces();
    if (interfaces == 1) return 0;
    return (ids_.places_per_node() == 1 ? number(host) : ids_.number_of(host)) % interfaces;
  }

  NodePath path_in_planes(HostId source, HostId destination, int from, int to) const;
  bool joins(const Network& network, HostId source, HostId destination) const;

  LinkId out(HostId place, int interface) const { return ids_.out(ids_.node_of(place), interface); }
  LinkId in(HostId place, int interface) const { return ids_.in(ids_.node_of(place), interface); }
  bool works(LinkId link) const { return failed_.empty() || !failed_[entry(link)]; }

  /// @param first of the interfaces of a node in one direction.
  LinkId working(LinkId first, int choice) const {
    const auto link = [&](int k) { return LinkId{number(first) + k}; };
    while (!works(link(choice))) choice = (choice + 1) % ids_.interfaces();
    return link(choice);
  }

  std::size_t entry(LinkId link) const { return index(link) - index(ids_.out(0, 0)); }

  const EndpointIds& ids_;
  bool by_destination_ = false;  ///< the receiver's place decides on both interfaces
  bool by_source_ = false;       ///< the sender's does
  bool crosses_planes_ = false;
  bool some_routes_fail_ = false;
  std::vector<std::shared_ptr<const Network>> networks_;
  std::vector<bool> failed_;  ///< one entry per link out of a node, then into one; empty: none
};

/// What a network with endpoints knows by what the inner one does, all but description, links,
/// diameter and bisection. What is given must outlive the facts.
/// @param same_hops whether the distances of nodes are those of the inner network.
NetworkFacts endpoint_facts(const Network& inner, const EndpointIds& ids,
                            const EndpointSpec& endpoints, bool same_hops);

/// Whether a byte from every host to every other one, over all shortest paths, fills the bisection:
/// then no set of hosts is cut off by less in proportion to the pairs between it and the others.
/// False also where that would take too long to look at.
bool is_filled_by_uniform_traffic(const Network& network, const Bisection& bisection);

}  // namespace vtopo::detail
