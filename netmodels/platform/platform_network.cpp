#include "netmodels/platform/platform_network.hpp"

#include <strings.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "netmodels/fabric/found_cuts.hpp"
#include "netmodels/links.hpp"
#include "netmodels/platform/link_vertices.hpp"
#include "netmodels/platform/platform_routes.hpp"
#include "netmodels/platform/platform_text.hpp"
#include "netmodels/platform/symmetric_hosts.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Names = std::set<std::string>;

/// Names of links that have a part of their own in a cluster.
struct NamedParts {
  std::unordered_set<std::string> backbones;
  std::unordered_set<std::string> limited_clusters;

  void walk(pugi::xml_node element) {
    const std::string_view name = element.name();
    const std::string id = element.attribute("id").value();
    if (name == "backbone") backbones.insert(id);
    if (name == "cluster" && element.attribute("bb_bw")) backbones.insert(id + "_backbone");
    if (name == "cluster" && element.attribute("limiter_link")) limited_clusters.insert(id);
    if (name.ends_with("oute")) return;  // routes only name links
    for (const auto child : element.children()) walk(child);
  }

  /// `<cluster>_link_<number>_limiter`
  bool is_limiter(const std::string& link) const {
    constexpr std::string_view end = "_limiter", middle = "_link_";
    if (!link.ends_with(end)) return false;
    const auto place = link.rfind(middle);
    return place != link.npos && limited_clusters.contains(link.substr(0, place));
  }

  std::string_view kind(const std::string& link, LinkSharing sharing) const {
    if (is_limiter(link)) return "limiter";
    if (backbones.contains(link)) return "backbone";
    return sharing == LinkSharing::fatpipe ? "fatpipe" : "links";
  }
};

/// Kinds of a platform's links, in the order in which they are first met.
struct LinkKinds {
  /// With the lowest bandwidth and the highest latency of the kind.
  std::vector<LinkClass> classes;
  std::vector<int> class_of;  ///< by link
};

/// Sorts the links into `links`, `fatpipe`, `limiter` (of a cluster) and `backbone`, and marks the
/// limiters as no hops. Links from a host to itself are in no inventory.
LinkKinds sort_links(pugi::xml_node platform, PlatformInventory& inventory) {
  NamedParts parts;
  parts.walk(platform);
  LinkKinds kinds;
  for (std::size_t l = 0; l < inventory.links.size(); ++l) {
    LinkProperties& link = inventory.links[l];
    const std::string_view name = parts.kind(inventory.link_names[l], link.sharing);
    link.hops = name == "limiter" ? 0 : 1;
    auto kind = std::find_if(kinds.classes.begin(), kinds.classes.end(),
                             [&](const LinkClass& known) { return known.name == name; });
    if (kind == kinds.classes.end())
      kind = kinds.classes.insert(kind, {std::string(name), 0, link.bandwidth, link.latency});
    ++kind->links;
    kind->bandwidth = std::min(kind->bandwidth, link.bandwidth);
    kind->latency = std::max(kind->latency, link.latency);
    kinds.class_of.push_back(narrow<int>(kind - kinds.classes.begin()));
  }
  return kinds;
}

bool searches(pugi::xml_node zone) {
  const char* routing = zone.attribute("routing").value();
  return strcasecmp(routing, "Floyd") == 0 || strcasecmp(routing, "Dijkstra") == 0 ||
         strcasecmp(routing, "DijkstraCache") == 0;
}

bool is_member(pugi::xml_node element) {
  const std::string_view name = element.name();
  return name == "host" || name == "zone" || name == "AS" || name == "cluster" ||
         name == "router" || name == "peer";
}

class PassedHosts {
 public:
  bool found = false;

  void walk(pugi::xml_node zone) {
    const auto members = zone.children();
    const bool alone = std::count_if(members.begin(), members.end(), is_member) < 2;
    for (const auto member : members)
      if (!alone && std::string_view(member.name()) == "host")
        hosts_.insert(member.attribute("id").value());
    std::unordered_map<std::string, std::set<std::string>> neighbours;
    for (const auto child : members) {
      const std::string_view name = child.name();
      if (name == "zone" || name == "AS") walk(child);
      if (!name.ends_with("oute")) continue;
      for (const char* end : {"gw_src", "gw_dst"})
        if (const auto gateway = child.attribute(end))
          found = found || hosts_.contains(gateway.value());
      neighbours[child.attribute("src").value()].insert(child.attribute("dst").value());
      neighbours[child.attribute("dst").value()].insert(child.attribute("src").value());
    }
    if (!searches(zone)) return;
    for (const auto& [member, others] : neighbours)
      if (others.size() > others.count(member) + 1) found = found || hosts_.contains(member);
  }

 private:
  std::unordered_set<std::string> hosts_;  ///< of zones with other members
};

/// Whether SimGrid may lead routes through hosts: one is a gateway of a zone with other members, or
/// stands between two routes of a zone that searches.
bool routes_may_pass_hosts(pugi::xml_node platform) {
  PassedHosts hosts;
  for (const auto zone : platform.children()) hosts.walk(zone);
  return hosts.found;
}

/// Equal numbers for the halves of split-duplex pairs.
std::vector<int> cables_of(const std::vector<std::string>& link_names) {
  std::unordered_map<std::string, int> ids;
  for (std::size_t l = 0; l < link_names.size(); ++l) ids.emplace(link_names[l], narrow<int>(l));
  std::vector<int> cables;
  for (const std::string& name : link_names) {
    cables.push_back(int_size(cables));
    if (!name.ends_with("_UP")) continue;
    const auto other = ids.find(name.substr(0, name.size() - 2) + "DOWN");
    if (other != ids.end()) cables.back() = other->second;
  }
  return cables;
}

class PlatformNetwork final : public Network {
 public:
  PlatformNetwork(const PlatformFile& file, const Names& failed, const Progress& progress,
                  const Limits& limits)
      : path_(file.path),
        failed_(failed),
        limits_(limits),
        routes_(make_platform_text(file), progress, limits),
        symmetry_(file.document.child("platform"), routes_.inventory()),
        inventory_(routes_.inventory()),
        kinds_(sort_links(file.document.child("platform"), inventory_)),
        passes_hosts_(routes_may_pass_hosts(file.document.child("platform"))) {
    if (inventory_.host_names.empty()) throw input_error({path_}, "the platform has no hosts");
  }

  LinkProperties link(LinkId link) const override { return inventory_.links[index(link)]; }
  std::string link_name(LinkId link) const override { return inventory_.link_names[index(link)]; }
  std::string host_name(HostId host) const override { return inventory_.host_names[index(host)]; }

  std::string vertex_name(int vertex) const override {
    concluded();
    const int router = vertex - num_hosts();
    if (router < 0 || router >= int_size(routers_)) return Network::vertex_name(vertex);
    return routers_[index(router)];
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    return concluded().ends[index(link)];
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return;
    const auto model = symmetry_.model(source, destination);
    for (const LinkId link : route_between(source, destination, model).links)
      links.push_back(symmetry_.translate(link, model, source, destination));
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return count_hops(
        route_between(source, destination, symmetry_.model(source, destination)).links);
  }

  std::shared_ptr<const Network> without_links(std::span<const LinkId> links) const override;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = int_size(inventory_.host_names);
    facts.num_links = int_size(inventory_.links);
    facts.description = path_;
    facts.routes_pass_hosts = passes_hosts_;
    facts.link_classes = kinds_.classes;
    facts.link_class = [this](LinkId link) { return kinds_.class_of[index(link)]; };
    facts.link_sides = [this](LinkId link) { return concluded().sides[index(link)]; };
    facts.injection_bandwidth = [this](HostId host) { return first_links_bandwidth(host); };
    facts.diameter = [this] { return longest_model(); };
    // None where routes may not be walks along the links.
    if (!inventory_.adds_latency && !routes_.has_bypass())
      facts.cuts = [this] { return found_cuts(); };
    if (inventory_.adds_latency) {
      facts.flow_latency = [this](HostId source, HostId destination) {
        return added_latency(source, destination);
      };
      // Hosts of a Vivaldi zone may be at no hops from each other.
      facts.distance_profile = [hosts = facts.num_hosts](std::int64_t) {
        return std::vector<std::int64_t>{hosts};
      };
    }
    return facts;
  }

  const std::vector<VertexCells>& found_cuts() const {
    std::call_once(cuts_known_, [this] { cuts_ = find_cuts(*this); });
    return cuts_;
  }

  Seconds added_latency(HostId source, HostId destination) const {
    if (source == destination) return {};
    return route_between(source, destination, symmetry_.model(source, destination)).added;
  }

  int longest_model() const {
    int longest = 0;
    for_each_model([&](HostId a, HostId b) { longest = std::max(longest, hops(a, b)); });
    return longest;
  }

  BytesPerSecond first_links_bandwidth(HostId host) const;

  const ConcludedLinks& concluded() const {
    std::call_once(ends_known_, [this] {
      DeclaredRoutes declared = routes_.declared_routes();
      ends_ = conclude_link_ends(declared.chains, num_hosts(), cables_of(inventory_.link_names));
      routers_ = std::move(declared.routers);
    });
    return ends_;
  }

  /// All routes are like that of one of these pairs.
  template <class Visit>
  void for_each_model(const Visit& visit) const {
    for (const HostId a : symmetry_.models())
      for (const HostId b : symmetry_.models())
        if (a != b) visit(a, b);
  }

  int count_hops(std::span<const LinkId> route) const {
    return narrow<int>(std::count_if(route.begin(), route.end(), [this](LinkId id) {
      return inventory_.links[index(id)].hops > 0;
    }));
  }

  /// The route of the model of two different hosts.
  KnownRoute route_between(HostId source, HostId destination,
                           std::pair<HostId, HostId> model) const {
    const KnownRoute route = routes_.route(model.first, model.second);
    if (!route.exists()) throw no_route(source, destination, route);
    return route;
  }

  InputError no_route(HostId source, HostId destination, const KnownRoute& route) const {
    std::string why = routes_.end_description(route);
    if (!why.empty()) why = fmt::format(": SimGrid {}; run vtopo platform lint {}", why, path_);
    if (why.empty() && inventory_.adds_latency)
      why =
          ": between members of a Vivaldi zone it takes coordinates of both, which zones cannot "
          "have";
    return input_error({path_}, fmt::format("there is no route from \"{}\" to \"{}\"{}",
                                            host_name(source), host_name(destination), why));
  }

  std::string path_;
  Names failed_;  ///< links that the file's routes do without
  Limits limits_;
  mutable PlatformRoutes routes_;
  SymmetricHosts symmetry_;
  PlatformInventory inventory_;
  LinkKinds kinds_;
  mutable std::once_flag ends_known_;
  mutable ConcludedLinks ends_;
  mutable std::vector<std::string> routers_;  ///< names of the vertices behind the hosts
  LinksAtHosts links_at_hosts_;
  bool passes_hosts_;
  mutable std::once_flag cuts_known_;
  mutable std::vector<VertexCells> cuts_;
};

/// The first links of all routes, of which those without links limit nothing; those to the models
/// stand for those to symmetric hosts. Also links at the host that none of these routes begins
/// with: those of another routing may.
BytesPerSecond PlatformNetwork::first_links_bandwidth(HostId host) const {
  std::set<LinkId> first_links = links_at_hosts_.of(*this, host);
  for (const HostId other : symmetry_.models()) {
    if (other == host) continue;
    const auto route =
        routes_.route(symmetry_.model(host, other).first, symmetry_.model(host, other).second);
    if (route.links.empty() && route.exists())
      return BytesPerSecond{std::numeric_limits<double>::infinity()};
    if (!route.links.empty())
      first_links.insert(
          symmetry_.translate(route.links.front(), symmetry_.model(host, other), host, other));
  }
  BytesPerSecond sum;
  for (const LinkId id : first_links)
    sum += link(id).sharing == LinkSharing::fatpipe
               ? BytesPerSecond{std::numeric_limits<double>::infinity()}
               : link(id).bandwidth;
  return sum;
}

std::shared_ptr<const Network> PlatformNetwork::without_links(std::span<const LinkId> links) const {
  Names failed = failed_;
  for (const LinkId link : links) failed.insert(link_name(link));
  PlatformFile file = read_platform_file(path_);
  if (!remove_routes(file, failed)) return nullptr;
  file = parse_platform(path_, text_of(file.document));
  auto network = std::make_shared<PlatformNetwork>(file, failed, Progress(), limits_);
  if (network->inventory_.host_names != inventory_.host_names ||
      network->inventory_.link_names != inventory_.link_names)
    throw input_error({path_}, "the platform has changed since it was read");
  return network;
}

}  // namespace

std::shared_ptr<const Network> make_platform_network(const PlatformFile& file,
                                                     const PlatformOptions& options) {
  return std::make_shared<PlatformNetwork>(file, Names(), options.progress, options.limits);
}

}  // namespace vtopo::detail
