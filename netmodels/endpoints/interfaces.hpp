#pragma once

#include <memory>
#include <span>
#include <vector>

#include "netmodels/endpoints/endpoint_ids.hpp"

namespace vtopo::detail {

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

}  // namespace vtopo::detail
