#include "netmodels/endpoints/endpoint_ids.hpp"

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

}  // namespace vtopo::detail
