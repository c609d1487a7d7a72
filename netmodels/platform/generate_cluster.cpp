#include <cmath>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate_forms.hpp"
#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail {

namespace {

std::string loopback_attributes(const std::optional<LoopbackLink>& loopback) {
  if (!loopback) return {};
  return fmt::format("\n             loopback_bw=\"{}\" loopback_lat=\"{}\"",
                     xml_bandwidth(loopback->bandwidth), xml_latency(loopback->latency));
}

std::string element_of(const SimgridCluster& cluster, int num_hosts, const LinkProperties& link,
                       const std::optional<LoopbackLink>& loopback = std::nullopt) {
  return fmt::format(
      "  <zone id=\"machine\" routing=\"Full\">\n"  // SimGrid 4.0 crashes on a cluster without
      "    <cluster id=\"vtopo\" prefix=\"host-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n"
      "             bw=\"{}\" lat=\"{}\" topology=\"{}\" topo_parameters=\"{}\"{}/>\n"
      "  </zone>\n",
      num_hosts - 1, xml_bandwidth(link.bandwidth), xml_latency(link.latency), cluster.topology,
      cluster.parameters, loopback_attributes(loopback));
}

/// A link that the cluster gives its plain bandwidth: dragonflies widen the later ones.
LinkProperties plain_link(const Network& network) {
  return network.num_links() == 0 ? LinkProperties{{10e9}, {0}} : network.link(LinkId{0});
}

/// What vtopo reads out of a file with this element.
std::shared_ptr<const Network> read_back(const std::string& element) {
  PlatformFile file{"", "<platform>" + element + "</platform>", {}};
  file.document.load_buffer(file.text.data(), file.text.size());
  const auto model = closed_form_cluster(file);
  return model ? make_network(model->spec, model->defaults) : nullptr;
}

bool same_hosts_and_links(const Network& a, const Network& b) {
  if (a.num_hosts() != b.num_hosts() || a.num_links() != b.num_links()) return false;
  for (int h = 0; h < a.num_hosts(); ++h)
    if (a.host_name(HostId{h}) != b.host_name(HostId{h})) return false;
  for (int l = 0; l < a.num_links(); ++l) {
    const LinkProperties left = a.link(LinkId{l}), right = b.link(LinkId{l});
    if (left.bandwidth.value != right.bandwidth.value ||
        left.latency.value != right.latency.value || left.sharing != right.sharing)
      return false;
    const auto left_ends = a.link_ends(LinkId{l}), right_ends = b.link_ends(LinkId{l});
    if (!left_ends || !right_ends || left_ends->from != right_ends->from ||
        left_ends->to != right_ends->to)
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> why_no_cluster(const Network& network) {
  constexpr int max_hosts = 1 << 22;  // what vtopo asks SimGrid to build
  if (network.num_hosts() > max_hosts)
    return fmt::format("SimGrid is asked to build at most {} hosts", max_hosts);
  const auto cluster = network.simgrid_cluster();
  if (!cluster)
    return "SimGrid's clusters have no mesh dimensions and none of the keys of a specification";
  if (!cluster->difference.empty()) return cluster->difference;
  if (!cluster->fatal.empty()) return "SimGrid cannot build " + cluster->fatal;
  if (network.routing() != Routing::simgrid)
    return fmt::format(
        "SimGrid's clusters do not know the routing \"{}\", theirs is --routing simgrid",
        to_string(network.routing()));
  const LinkProperties link = plain_link(network);
  if (!std::isfinite(link.bandwidth.value)) return "SimGrid's links have finite bandwidths";
  const auto read = read_back(element_of(*cluster, network.num_hosts(), link));
  if (!read || !same_hosts_and_links(*read, network))
    return "SimGrid's clusters have one bandwidth and one latency for all cables";
  return std::nullopt;
}

std::string cluster_element(const Network& network, const std::optional<LoopbackLink>& loopback) {
  return element_of(network.simgrid_cluster().value(), network.num_hosts(), plain_link(network),
                    loopback);
}

}  // namespace vtopo::detail
