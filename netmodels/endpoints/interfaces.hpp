#pragma once

#include <span>
#include <vector>

#include "netmodels/endpoints/endpoint_ids.hpp"

namespace vtopo::detail {

/// The interface that a message takes out of a node and into one; one that failed is replaced by
/// the next one of the node that works. The ids must outlive it.
class Interfaces {
 public:
  /// @param failed links out of nodes and into them.
  Interfaces(const EndpointIds& ids, NicPolicy policy, std::span<const LinkId> failed);

  /// Whether each node has an interface that works in both directions; else none may be asked for.
  bool join_all() const;

  LinkId out(HostId source, HostId destination) const {
    return working(ids_.out(ids_.node_of(source), 0),
                   choice(policy_ == NicPolicy::destination ? destination : source));
  }
  LinkId in(HostId destination) const {
    return working(ids_.in(ids_.node_of(destination), 0), choice(destination));
  }

 private:
  /// By the place in its node; where a node is one place, by the number of the host.
  int choice(HostId host) const {
    const int interfaces = ids_.interfaces();
    if (interfaces == 1) return 0;
    return (ids_.places_per_node() == 1 ? number(host) : ids_.number_of(host)) % interfaces;
  }

  /// @param first of the interfaces of a node in one direction.
  LinkId working(LinkId first, int choice) const {
    const auto link = [&](int k) { return LinkId{number(first) + k}; };
    if (!failed_.empty())
      while (failed_[entry(link(choice))]) choice = (choice + 1) % ids_.interfaces();
    return link(choice);
  }

  std::size_t entry(LinkId link) const { return index(link) - index(ids_.out(0, 0)); }

  const EndpointIds& ids_;
  NicPolicy policy_;
  std::vector<bool> failed_;  ///< one entry per link out of a node, then into one; empty: none
};

}  // namespace vtopo::detail
