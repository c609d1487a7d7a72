#include <algorithm>
#include <cmath>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate_forms.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

/// A network's kind and parameters as SimGrid writes them.
struct ClusterText {
  std::string topology;
  std::string parameters;
};

/// The description of a network, if its parameters are numbers and separators alone: vtopo's mesh
/// dimensions and keys are not.
std::optional<ClusterText> cluster_text(const Network& network) {
  const std::string text = network.description();
  const auto colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const std::string kind = text.substr(0, colon);
  std::string parameters = text.substr(colon + 1);
  const bool torus = kind == "torus";
  if (torus) std::replace(parameters.begin(), parameters.end(), 'x', ',');
  if (parameters.find_first_not_of(torus ? "0123456789," : "0123456789,;") != std::string::npos)
    return std::nullopt;
  if (torus) return ClusterText{"TORUS", parameters};
  if (kind == "fat-tree") return ClusterText{"FAT_TREE", parameters};
  if (kind == "dragonfly") return ClusterText{"DRAGONFLY", parameters};
  return std::nullopt;
}

/// Why SimGrid cannot build the cluster, or routes it otherwise.
std::optional<std::string> why_not_in_simgrid(const ClusterText& text) {
  if (text.topology == "TORUS") {
    const auto sizes = split(text.parameters, ',');
    if (std::find(sizes.begin(), sizes.end(), "1") != sizes.end())
      return "SimGrid gives a dimension of size 1 links that vtopo has not, and cannot build two";
  }
  if (text.topology != "DRAGONFLY") return std::nullopt;
  const auto parts = split(text.parameters, ';');
  if (parse_integer(split(parts.at(1), ',')[0]) != 1)
    return "SimGrid's routes inside a dragonfly group of several chassis are no walks";
  if (parse_integer(split(parts.at(0), ',')[0]) > parse_integer(split(parts.at(2), ',')[0]))
    return "SimGrid cannot build a dragonfly with more groups than blades per chassis";
  return std::nullopt;
}

std::string loopback_attributes(const std::optional<LoopbackLink>& loopback) {
  if (!loopback) return {};
  return fmt::format("\n           loopback_bw=\"{}\" loopback_lat=\"{}\"",
                     xml_bandwidth(loopback->bandwidth), xml_latency(loopback->latency));
}

std::string element_of(const ClusterText& text, int num_hosts, const LinkProperties& link,
                       const std::optional<LoopbackLink>& loopback = std::nullopt) {
  return fmt::format(
      "  <cluster id=\"vtopo\" prefix=\"host-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\"\n"
      "           bw=\"{}\" lat=\"{}\" topology=\"{}\" topo_parameters=\"{}\"{}/>\n",
      num_hosts - 1, xml_bandwidth(link.bandwidth), xml_latency(link.latency), text.topology,
      text.parameters, loopback_attributes(loopback));
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
  if (network.routing() != Routing::simgrid)
    return fmt::format("SimGrid's clusters do not know the routing \"{}\"",
                       to_string(network.routing()));
  constexpr int most_hosts = 1 << 22;  // what vtopo asks SimGrid to build
  if (network.num_hosts() > most_hosts)
    return fmt::format("SimGrid is asked to build at most {} hosts", most_hosts);
  const auto text = cluster_text(network);
  if (!text)
    return "SimGrid's clusters have no mesh dimensions and none of the keys of a specification";
  if (auto reason = why_not_in_simgrid(*text)) return reason;
  const LinkProperties link = plain_link(network);
  if (!std::isfinite(link.bandwidth.value)) return "SimGrid's links have finite bandwidths";
  const auto cluster = read_back(element_of(*text, network.num_hosts(), link));
  if (!cluster || !same_hosts_and_links(*cluster, network))
    return "SimGrid's clusters have one bandwidth and one latency for all cables";
  return std::nullopt;
}

std::string cluster_element(const Network& network, const std::optional<LoopbackLink>& loopback) {
  return element_of(cluster_text(network).value(), network.num_hosts(), plain_link(network),
                    loopback);
}

}  // namespace vtopo
