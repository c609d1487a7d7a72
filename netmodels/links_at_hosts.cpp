#include "netmodels/links_at_hosts.hpp"

namespace vtopo::detail {

namespace {

std::vector<std::set<LinkId>> links_at_hosts(const Network& network) {
  std::vector<std::set<LinkId>> links(index(network.num_hosts()));
  const auto add = [&](int vertex, LinkId link) {
    if (vertex < network.num_hosts()) links[index(vertex)].insert(link);
  };
  for (int l = 0; l < network.num_links(); ++l) {
    const auto sides = network.link_sides(LinkId{l});
    if (!sides || network.link(LinkId{l}).hops == 0 || !network.link_is_up(LinkId{l})) continue;
    add(sides->from, LinkId{l});
    if (!network.link_ends(LinkId{l})) add(sides->to, LinkId{l});
  }
  return links;
}

}  // namespace

const std::set<LinkId>& LinksAtHosts::of(const Network& network, HostId host) const {
  std::call_once(listed_, [&] { links_ = links_at_hosts(network); });
  return links_[index(host)];
}

}  // namespace vtopo::detail
