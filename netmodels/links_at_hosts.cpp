#include "netmodels/links_at_hosts.hpp"

namespace vtopo::detail {

std::vector<std::vector<LinkId>> links_at_hosts(const Network& network) {
  std::vector<std::vector<LinkId>> links(index(network.num_hosts()));
  const auto add = [&](int vertex, LinkId link) {
    if (vertex < network.num_hosts()) links[index(vertex)].push_back(link);
  };
  for (int l = 0; l < network.num_links(); ++l) {
    const auto sides = network.link_sides(LinkId{l});
    if (!sides || network.link(LinkId{l}).hops == 0 || !network.link_is_up(LinkId{l})) continue;
    add(sides->from, LinkId{l});
    if (!network.link_ends(LinkId{l})) add(sides->to, LinkId{l});
  }
  return links;
}

}  // namespace vtopo::detail
