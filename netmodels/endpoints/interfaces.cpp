#include "netmodels/endpoints/interfaces.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/error.hpp"

namespace vtopo::detail {

Interfaces::Interfaces(const EndpointIds& ids, const EndpointSpec& endpoints,
                       std::vector<std::shared_ptr<const Network>> networks,
                       std::span<const LinkId> failed, bool some_routes_fail)
    : ids_(ids), some_routes_fail_(some_routes_fail), networks_(std::move(networks)) {
  const RailPolicy rail = endpoints.rail.value_or(RailPolicy::receiver);
  const bool has_planes = endpoints.planes > 1;
  by_destination_ =
      endpoints.policy == NicPolicy::destination || (has_planes && rail == RailPolicy::receiver);
  by_source_ = !by_destination_ && has_planes && rail == RailPolicy::sender;
  crosses_planes_ = !by_destination_ && has_planes && rail == RailPolicy::spine;
  if (failed.empty()) return;
  failed_.resize(2 * index(ids.interfaces()) * index(ids.num_nodes()));
  for (const LinkId link : failed) failed_[entry(link)] = true;
}

bool Interfaces::join_all() const {
  if (ids_.ports_per_node() > 1) return true;
  for (auto node = failed_.begin(); node != failed_.end(); node += ids_.interfaces())
    if (std::find(node, node + ids_.interfaces(), false) == node + ids_.interfaces()) return false;
  return true;
}

/// Looks at the interfaces from the chosen ones on: at pairs of the same number, or at those of the
/// receiver for each of the sender where routes cross planes.
NodePath Interfaces::path_in_planes(HostId source, HostId destination, int from, int to) const {
  const int interfaces = ids_.interfaces(), planes = ids_.ports_per_node();
  for (int k = 0; k < interfaces; ++k)
    for (int j = 0; j < (crosses_planes_ ? interfaces : 1); ++j) {
      const int leaving = (from + k) % interfaces;
      const int arriving = crosses_planes_ ? (to + j) % interfaces : leaving;
      const LinkId out_link = out(source, leaving), in_link = in(destination, arriving);
      if (!works(out_link) || !works(in_link)) continue;
      const int plane = leaving % planes;
      const auto network = index(crosses_planes_ ? plane * planes + arriving % planes : plane);
      if (joins(*networks_[network], source, destination)) return {out_link, in_link, network};
    }
  const auto name = [&](HostId place) {
    return networks_.front()->host_name(HostId{ids_.node_of(place)});
  };
  throw InputError(
      fmt::format("there is no route from \"{}\" to \"{}\": in no plane both have an interface "
                  "that works and links that join them",
                  name(source), name(destination)));
}

bool Interfaces::joins(const Network& network, HostId source, HostId destination) const {
  if (!some_routes_fail_) return true;
  try {
    network.hops(HostId{ids_.node_of(source)}, HostId{ids_.node_of(destination)});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace vtopo::detail
