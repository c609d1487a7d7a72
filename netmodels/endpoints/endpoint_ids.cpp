#include "netmodels/endpoints/endpoint_ids.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

void check_count(std::int64_t count, const char* what, const Network& inner) {
  if (count > max_id)
    throw UsageError(fmt::format("{} with its endpoints has {} {}; accepted: up to {}",
                                 inner.description(), count, what, max_id));
}

int interfaces_of(const EndpointSpec& endpoints) {
  if (!endpoints.has_interfaces()) return 0;
  return endpoints.policy == NicPolicy::round_robin ? 1 : endpoints.nics;
}

}  // namespace

EndpointIds::EndpointIds(const Network& inner, const EndpointSpec& endpoints)
    : nodes_(inner.num_hosts()),
      inner_links_(inner.num_links()),
      interfaces_(interfaces_of(endpoints)),
      ports_(endpoints.planes),
      groups_{1},
      by_group_{ExactDivision(1)} {
  const std::int64_t nodes = nodes_;
  std::int64_t places = nodes;
  for (const NodeLevel& level : endpoints.levels) {
    places *= level.arity;
    check_count(places, "hosts", inner);
    groups_.push_back(narrow<int>(places / nodes));
    by_group_.emplace_back(groups_.back());
  }
  std::int64_t links = inner_links_ + 2 * nodes * interfaces_;
  check_count(links, "links", inner);
  std::int64_t vertices = places;
  first_link_.push_back(0);
  first_vertex_.push_back(0);
  for (int level = 1; level <= num_levels(); ++level) {
    check_count(links, "links", inner);
    first_link_.push_back(narrow<int>(links));
    links += 2 * (places / places_per_vertex(level - 1));
    if (level == num_levels() && interfaces_ == 0) break;
    first_vertex_.push_back(narrow<int>(vertices));
    vertices += places / places_per_vertex(level);
    check_count(vertices, "vertices", inner);
  }
  check_count(links, "links", inner);
  num_links_ = narrow<int>(links);
  // No network has more vertices than hosts and links.
  vertices += nodes * (ports_ - 1);
  check_count(vertices + nodes + inner_links_, "vertices", inner);
  first_inner_vertex_ = narrow<int>(vertices);
}

auto EndpointIds::part(LinkId link) const -> Part {
  const int own = vtopo::number(link) - inner_links_;
  if (own < 2 * nodes_ * interfaces_) {
    const int end = own / interfaces_;
    return {0, end < nodes_, end % nodes_, own % interfaces_};
  }
  int level = num_levels();
  while (vtopo::number(link) < first_link_[static_cast<std::size_t>(level)]) --level;
  const int place = vtopo::number(link) - first_link_[static_cast<std::size_t>(level)];
  const int per_node = places_per_node() / places_per_vertex(level - 1);
  return {level, place % 2 == 0, place / 2 / per_node, place / 2 % per_node};
}

int EndpointIds::vertex(int tier, int node, int number) const {
  if (tier > num_tiers()) return port(node, number);
  return first_vertex(tier) + node * (places_per_node() / places_per_vertex(tier)) + number;
}

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
