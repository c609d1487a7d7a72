#include <algorithm>
#include <array>

#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/dtd.hpp"
#include "netmodels/platform/lint/inventory.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::lint {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Those have a rule of their own.
bool is_of_network_model(pugi::xml_node property) {
  return is_one_of(property.attribute("id").value(),
                   {"network/model", "network/latency-factor", "network/bandwidth-factor",
                    "network/crosstraffic", "network/weight-S"});
}

bool has_other_settings(pugi::xml_node config) {
  const auto properties = config.children("prop");
  return properties.begin() == properties.end() ||
         !std::all_of(properties.begin(), properties.end(), is_of_network_model);
}

void check_refused(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  if (name == "config" && has_other_settings(element))
    findings.add("config", element, element.attribute("id").value(),
                 "<config> changes the simulator, and can create or truncate files; vtopo ignores "
                 "it",
                 "nothing here; --network-model of vtopo, --cfg of SimGrid");
  if (is_one_of(name, {"trace", "trace_connect"}))
    findings.add("opens-file", element, element.attribute("file").value(),
                 fmt::format("<{}> changes resources over time, and may open a file; vtopo "
                             "ignores it",
                             name),
                 "nothing");
  if (is_one_of(name, {"actor", "process"}))
    findings.add("actor", element, element.attribute("function").value(),
                 fmt::format("<{}> belongs into a deployment file; vtopo refuses it", name),
                 "nothing here");
  if (is_one_of(name, {"include", "random", "storage_type", "storage", "mount"}))
    findings.add("removed-element", element, name,
                 fmt::format("<{}> is gone from SimGrid 3.32, which aborts on it", name),
                 name == "include" ? "the content of the file" : "nothing");
}

void check_deprecated(Findings& findings, pugi::xml_node element) {
  const std::string& instead = dtd_element(element.name())->instead;
  if (!instead.empty())
    findings.add("deprecated", element, element.name(),
                 fmt::format("<{}> is the old name of <{}>", element.name(), instead),
                 "<" + instead + ">");
  const auto sharing = element.attribute("sharing_policy");
  if (std::string_view(sharing.value()) == "FULLDUPLEX")
    findings.add("deprecated", element, sharing, "FULLDUPLEX is the old name of SPLITDUPLEX",
                 "SPLITDUPLEX");
  if (std::string_view(element.name()) == "peer" && element.attribute("lat"))
    findings.add("deprecated", element, element.attribute("lat"),
                 "SimGrid ignores the latency of a <peer>", "the third of its coordinates");
}

void check_files(Findings& findings, pugi::xml_node element) {
  for (const auto attribute : element.attributes())
    if (std::string_view(attribute.name()).ends_with("_file"))
      findings.add("opens-file", element, attribute,
                   fmt::format("{}={} would open another file; vtopo ignores it",
                               shortened(attribute.name()), in_quotes(attribute.value())),
                   "nothing");
}

void check_routing(Findings& findings, pugi::xml_node zone) {
  const auto attribute = zone.attribute("routing");
  const std::string routing = lower(shortened(attribute.value()));
  if (!attribute || is_one_of(routing, {"full", "floyd", "dijkstra", "dijkstracache", "none",
                                        "vivaldi", "cluster", "wifi"}))
    return;
  const std::array<std::string, 8> known{"Full", "Floyd",   "Dijkstra", "DijkstraCache",
                                         "None", "Vivaldi", "Cluster",  "Wifi"};
  const bool topology = routing.find("torus") != std::string::npos ||
                        routing.find("tree") != std::string::npos ||
                        routing.find("dragonfly") != std::string::npos;
  findings.add("unknown-routing", zone, attribute,
               fmt::format("routing={} is none that SimGrid knows", in_quotes(attribute.value())),
               topology ? "<cluster topology=\"TORUS|FAT_TREE|DRAGONFLY\" topo_parameters=\"...\">"
                        : known_name(attribute.value(), known));
}

/// Elements that SimGrid ignores, or does not survive, outside of zones of one kind.
void check_zone_around(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::string routing = lower(shortened(element.parent().attribute("routing").value()));
  if (name == "peer" && routing != "vivaldi")
    findings.add("zone-of-peer", element, element.attribute("id").value(),
                 "a <peer> outside of a Vivaldi zone: SimGrid aborts",
                 "<zone routing=\"Vivaldi\"> around it, or a <host>");
  if (name == "cabinet" && routing != "cluster")
    findings.add("zone-of-cabinet", element, element.attribute("id").value(),
                 "a <cabinet> outside of a Cluster zone: SimGrid crashes or forgets its hosts",
                 "<zone routing=\"Cluster\"> around it, or a <cluster>");
  if (is_one_of(name, {"zone", "AS", "cluster", "cabinet"}) && routing == "vivaldi")
    findings.add("missing-coordinates", element, element.attribute("id").value(),
                 fmt::format("a <{}> in a Vivaldi zone has no coordinates and cannot have any: "
                             "SimGrid aborts on every message that enters or leaves it",
                             name),
                 "<peer> and <host> with coordinates, or another routing around the zones");
  if (is_one_of(name, {"host_link", "backbone"}) && routing != "cluster")
    findings.add("ignored-element", element, element.attribute("id").value(),
                 fmt::format("SimGrid ignores a <{}> outside of a Cluster zone", name),
                 "<zone routing=\"Cluster\">, or <link> and <route>");
}

/// Settings that change what times mean.
void check_network_model(Findings& findings, pugi::xml_node property) {
  const std::string_view id = property.attribute("id").value();
  if (std::string_view(property.parent().name()) != "config") return;
  if (is_of_network_model(property))
    findings.add(
        "network-model", property, property.attribute("value"),
        fmt::format("{}={}: SimGrid's default model LV08 multiplies latencies by 13.01 and "
                    "bandwidths by 0.97 and adds 5 % cross traffic",
                    id, in_quotes(property.attribute("value").value())),
        "nothing here; say --network-model where the numbers are reported");
}

/// Numbers of `topo_parameters`: lists separated by `;`, numbers by `,`.
using Parameters = std::vector<std::vector<std::int64_t>>;

/// Nothing if a number is not >= 1.
std::optional<Parameters> read_parameters(std::string_view text) {
  constexpr std::size_t longest = 4096;
  if (text.size() > longest) return std::nullopt;
  Parameters lists;
  for (const auto list : split(text, ';')) {
    lists.emplace_back();
    for (const auto piece : split(list, ',')) {
      const auto number = parse_integer(trim(piece));
      if (!number || *number < 1 || *number > max_id) return std::nullopt;
      lists.back().push_back(*number);
    }
  }
  return lists;
}

std::int64_t product(const std::vector<std::int64_t>& factors) {
  std::int64_t result = 1;
  for (const auto factor : factors) {
    if (result > max_id / factor) return max_id + 1;
    result *= factor;
  }
  return result;
}

/// Checks of a cluster with a topology.
class TopologyCheck {
 public:
  TopologyCheck(Findings& findings, pugi::xml_node cluster)
      : findings_(findings), cluster_(cluster), attribute_(cluster.attribute("topo_parameters")) {}

  /// Hosts that the parameters mean; nothing if they are wrong.
  std::optional<std::int64_t> check(std::string_view topology) const {
    const auto parameters = read_parameters(attribute_.value());
    const std::string_view form = topology == "TORUS"      ? "4,4,2"
                                  : topology == "FAT_TREE" ? "2;4,4;1,2;1,2"
                                                           : "3,4;4,3;5,1;2";
    if (!parameters || !has_form(*parameters, topology)) {
      report("topo-parameters",
             fmt::format("topo_parameters={} are not those of a {}", in_quotes(attribute_.value()),
                         topology),
             fmt::format("numbers >= 1 in the form of \"{}\"{}", form, meaning(topology)));
      return std::nullopt;
    }
    if (topology == "TORUS") return check_torus((*parameters)[0]);
    if (topology == "FAT_TREE") return check_fat_tree(*parameters);
    return check_dragonfly(*parameters);
  }

 private:
  void report(std::string_view rule, std::string sentence, std::string instead) const {
    if (attribute_)
      findings_.add(rule, cluster_, attribute_, std::move(sentence), std::move(instead));
    else
      findings_.add(rule, cluster_, "", std::move(sentence), std::move(instead));
  }

  static std::string_view meaning(std::string_view topology) {
    if (topology == "TORUS") return ": sizes of the dimensions";
    if (topology == "FAT_TREE")
      return ": levels; children, parents and cables of each level, hosts first";
    return ": groups,links; chassis,links; blades,links; hosts per blade";
  }

  static bool has_form(const Parameters& lists, std::string_view topology) {
    if (topology == "TORUS") return lists.size() == 1;
    if (lists.size() != 4) return false;
    const auto has_sizes = [&lists](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
      return lists[0].size() == a && lists[1].size() == b && lists[2].size() == c &&
             lists[3].size() == d;
    };
    if (topology == "DRAGONFLY") return has_sizes(2, 2, 2, 1);
    const auto levels = static_cast<std::size_t>(lists[0][0]);
    return has_sizes(1, levels, levels, levels);
  }

  std::int64_t check_torus(const std::vector<std::int64_t>& sizes) const {
    const auto ones = std::count(sizes.begin(), sizes.end(), 1);
    if (ones > 1)
      report("torus-ones", fmt::format("{} dimensions of size 1: SimGrid aborts", ones),
             "leave dimensions of size 1 out");
    else if (ones == 1 && sizes.size() > 1)
      report("torus-one", "a dimension of size 1 is a cable from each host to itself",
             "leave it out");
    if (std::count(sizes.begin(), sizes.end(), 2) > 0)
      report("torus-two",
             "in a dimension of size 2 SimGrid sends both ways over one cable and leaves the other "
             "idle",
             "as it is if one cable is what the machine has");
    return product(sizes);
  }

  std::int64_t check_fat_tree(const Parameters& lists) const {
    const auto& cables = lists[3];
    if (std::any_of(cables.begin(), cables.end(), [](std::int64_t p) { return p > 1; }))
      report("fat-tree-cables",
             "with parallel cables SimGrid chooses the one downwards by the source: shifts that "
             "D-mod-k routes without conflict share links",
             "one cable of the sum of their bandwidths, where this matters");
    return product(lists[1]);
  }

  std::int64_t check_dragonfly(const Parameters& lists) const {
    const auto groups = lists[0][0];
    const auto chassis = lists[1][0];
    const auto blades = lists[2][0];
    if (groups > blades)
      report("dragonfly-groups",
             fmt::format("more groups ({}) than blades per chassis ({}): SimGrid crashes, or "
                         "computes nonsense",
                         groups, blades),
             fmt::format("at most {} groups; or vtopo's --network dragonfly:{}", blades,
                         attribute_.value()));
    if (chassis > 1)
      report("dragonfly-chassis",
             "with several chassis SimGrid's routes inside a group are not valid paths; vtopo's "
             "own, which it takes without --simgrid-compatible, are right",
             "one chassis, where SimGrid's routes matter");
    return product({groups, chassis, blades, lists[3][0]});
  }

  Findings& findings_;
  pugi::xml_node cluster_;
  pugi::xml_attribute attribute_;
};

void check_radical(Findings& findings, pugi::xml_node cluster, const RadicalText& radical) {
  const auto attribute = cluster.attribute("radical");
  if (!attribute) return;
  if (radical.count > max_cluster_hosts)
    findings.add("too-many-hosts", cluster, attribute,
                 fmt::format("radical={}: {}", in_quotes(attribute.value()), radical.problem),
                 fmt::format("at most {} hosts", max_cluster_hosts));
  else if (!radical.problem.empty())
    findings.add("bad-radical", cluster, attribute,
                 fmt::format("radical={}: {}", in_quotes(attribute.value()), radical.problem),
                 "numbers and ranges such as 0-63 or 0-3,8-11,20");
  else if (names_a_host_twice(radical.ranges))
    findings.add("duplicate-host", cluster, attribute,
                 fmt::format("radical={} names a host twice", in_quotes(attribute.value())),
                 "each number once");
}

/// Attributes that need, or exclude, each other.
void check_combinations(Findings& findings, pugi::xml_node cluster, bool has_topology) {
  const auto ignored = [&](const char* name, std::string_view why, std::string instead) {
    if (const auto attribute = cluster.attribute(name))
      findings.add("ignored-attribute", cluster, attribute,
                   fmt::format("SimGrid ignores {} {}", name, why), std::move(instead));
  };
  if (has_topology)
    for (const char* name : {"bb_bw", "bb_lat", "bb_sharing_policy", "router_id"})
      ignored(name, "of a cluster with a topology", "nothing: there is no backbone and no router");
  else
    ignored("topo_parameters", "of a cluster without topology",
            "topology=\"TORUS\", \"FAT_TREE\" or \"DRAGONFLY\" too");
  const auto needs = [&](const char* rate, const char* latency, std::string_view link) {
    if (cluster.attribute(latency) && !cluster.attribute(rate) && !(has_topology && link[0] == 'b'))
      findings.add(
          "zero-bandwidth", cluster, cluster.attribute(latency),
          fmt::format("{} without {}: SimGrid makes a {} of bandwidth 0", latency, rate, link),
          fmt::format("{}=\"10GBps\" too, or neither", rate));
  };
  needs("bb_bw", "bb_lat", "backbone");
  needs("loopback_bw", "loopback_lat", "loopback link");
}

void check_sharing(Findings& findings, pugi::xml_node cluster) {
  const auto attribute = cluster.attribute("sharing_policy");
  const std::string_view policy = attribute.value();
  if (policy == "FATPIPE")
    findings.add("fatpipe-shared", cluster, attribute,
                 "SimGrid shares the links of a cluster with sharing_policy=\"FATPIPE\", and "
                 "makes one link for both directions",
                 "SPLITDUPLEX");
  if (policy == "SHARED")
    findings.add("one-link-both-ways", cluster, attribute,
                 "sharing_policy=\"SHARED\" gives one link for both directions: traffic in "
                 "opposite directions halves each other's bandwidth",
                 "SPLITDUPLEX, unless the cables are half-duplex");
}

}  // namespace

bool is_air(pugi::xml_node link) {
  return std::string_view(link.name()) == "link" &&
         std::string_view(link.attribute("sharing_policy").value()) == "WIFI" &&
         lower(shortened(link.parent().attribute("routing").value())) == "wifi";
}

void check_element_kind(Findings& findings, pugi::xml_node element) {
  const std::string_view name = element.name();
  check_refused(findings, element);
  check_deprecated(findings, element);
  check_files(findings, element);
  check_zone_around(findings, element);
  if (name == "zone" || name == "AS") check_routing(findings, element);
  if (name == "prop") check_network_model(findings, element);
  const auto sharing = element.attribute("sharing_policy");
  if (name == "link" && std::string_view(sharing.value()) == "WIFI")
    findings.add("wireless", element, sharing,
                 "a wireless link: vtopo gives all stations its first bandwidth, shared",
                 "SPLITDUPLEX, SHARED or FATPIPE if it is not wireless");
}

void check_cluster_parameters(Findings& findings, pugi::xml_node cluster) {
  const RadicalText radical = read_radical(cluster.attribute("radical").value());
  check_radical(findings, cluster, radical);
  if (std::string_view(cluster.name()) != "cluster") return;
  const std::string_view topology = cluster.attribute("topology").value();
  const bool has_topology =
      topology == "TORUS" || topology == "FAT_TREE" || topology == "DRAGONFLY";
  check_combinations(findings, cluster, has_topology);
  check_sharing(findings, cluster);
  if (!has_topology) return;
  const auto hosts = TopologyCheck(findings, cluster).check(topology);
  if (hosts && radical.problem.empty() && *hosts != radical.count)
    findings.add("radical-count", cluster, cluster.attribute("radical"),
                 fmt::format("radical={} names {} hosts, but the {} {} has {}",
                             in_quotes(cluster.attribute("radical").value()), radical.count,
                             topology, in_quotes(cluster.attribute("topo_parameters").value()),
                             *hosts > max_id ? "too many" : std::to_string(*hosts)),
                 *hosts > max_id ? "fewer hosts" : fmt::format("radical=\"0-{}\"", *hosts - 1));
  const auto [latency, unit] = leading_number(cluster.attribute("lat").value());
  if (topology == "TORUS" && latency == 0.0 && !cluster.attribute("loopback_bw"))
    findings.add("zero-latency-loopback", cluster, cluster.attribute("lat"),
                 "with latency 0 and no loopback, a message of a host to itself aborts SimGrid",
                 "loopback_bw and loopback_lat, or a latency > 0");
}

}  // namespace vtopo::detail::lint
