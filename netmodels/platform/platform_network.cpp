#include "netmodels/platform/platform_network.hpp"

#include <strings.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "netmodels/graph/found_cuts.hpp"
#include "netmodels/links_at_hosts.hpp"
#include "netmodels/platform/link_kinds.hpp"
#include "netmodels/platform/link_vertices.hpp"
#include "netmodels/platform/passed_hosts.hpp"
#include "netmodels/platform/platform_ignored.hpp"
#include "netmodels/platform/platform_rewrite.hpp"
#include "netmodels/platform/platform_routes.hpp"
#include "netmodels/platform/route_cache.hpp"
#include "netmodels/platform/symmetric_hosts.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Names = std::set<std::string>;

int count_elements(pugi::xml_node element) {
  const std::string_view name = element.name();
  if (name == "host" || name == "peer" || name.ends_with("oute")) return 1;
  int count = 0;
  for (const auto child : element.children()) count += count_elements(child);
  return count;
}

/// Hosts of Vivaldi zones that have no coordinates.
void collect_unplaced(pugi::xml_node element, std::vector<std::string>& names) {
  const bool vivaldi = strcasecmp(element.attribute("routing").value(), "Vivaldi") == 0;
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    if (vivaldi && (name == "host" || name == "router") &&
        trim(child.attribute("coordinates").value()).empty())
      names.emplace_back(child.attribute("id").value());
    if (name == "zone" || name == "AS") collect_unplaced(child, names);
  }
}

bool has_bypass_route(pugi::xml_node element) {
  for (const auto child : element.children())
    if (std::string_view(child.name()).starts_with("bypass") || has_bypass_route(child))
      return true;
  return false;
}

/// First bandwidths of wireless links: what a station nearby gets.
void collect_wireless(pugi::xml_node element, std::map<std::string, BytesPerSecond>& bandwidths) {
  for (const auto child : element.children()) {
    if (std::string_view(child.name()) == "link" &&
        std::string_view(child.attribute("sharing_policy").value()) == "WIFI") {
      const auto list = split(child.attribute("bandwidth").value(), ',');
      bandwidths[child.attribute("id").value()] = parse_bandwidth(trim(list.front()));
    }
    collect_wireless(child, bandwidths);
  }
}

PlatformText source_of(const PlatformFile& file) {
  const std::string text = text_for_simgrid(file);
  PlatformText source{file.path, text, count_elements(file.document)};
  const auto platform = file.document.child("platform");
  collect_unplaced(platform, source.unplaced);
  collect_wireless(platform, source.wireless);
  const auto cached = text == file.text ? with_cached_searches(file)
                                        : with_cached_searches(parse_platform(file.path, text));
  if (cached) source.text = *cached;
  return source;
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
        routes_(source_of(file), progress, limits),
        cache_(routes_),
        symmetry_(file.document.child("platform"), routes_.inventory()),
        inventory_(routes_.inventory()),
        kinds_(sort_links(file.document.child("platform"), inventory_)),
        passes_hosts_(routes_may_pass_hosts(file.document.child("platform"))),
        has_bypass_(has_bypass_route(file.document.child("platform"))) {
    if (inventory_.host_names.empty()) throw input_error({path_}, "the platform has no hosts");
  }

  int num_hosts() const override { return int_size(inventory_.host_names); }
  int num_links() const override { return int_size(inventory_.links); }
  LinkProperties link(LinkId link) const override { return inventory_.links[index(link)]; }
  std::string link_name(LinkId link) const override { return inventory_.link_names[index(link)]; }
  std::string host_name(HostId host) const override { return inventory_.host_names[index(host)]; }
  std::vector<LinkClass> link_classes() const override { return kinds_.classes; }
  int link_class(LinkId link) const override { return kinds_.class_of[index(link)]; }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    return concluded().ends[index(link)];
  }
  std::optional<LinkEnds> link_sides(LinkId link) const override {
    return concluded().sides[index(link)];
  }
  bool routes_pass_hosts() const override { return passes_hosts_; }

  /// None where routes may not be walks along the links.
  std::vector<VertexCells> cuts() const override {
    if (inventory_.adds_latency || has_bypass_) return {};
    std::call_once(cuts_known_, [this] { cuts_ = find_cuts(*this); });
    return cuts_;
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

  Seconds flow_latency(HostId source, HostId destination) const override {
    if (source == destination || !inventory_.adds_latency) return {};
    return route_between(source, destination, symmetry_.model(source, destination)).added;
  }

  /// Hosts of a Vivaldi zone may be at no hops from each other.
  std::vector<std::int64_t> distance_profile(std::int64_t count) const override {
    if (!inventory_.adds_latency) return Network::distance_profile(count);
    return {num_hosts()};
  }

  int diameter() const override {
    int longest = 0;
    for_each_model([&](HostId a, HostId b) { longest = std::max(longest, hops(a, b)); });
    return longest;
  }

  BytesPerSecond injection_bandwidth(HostId host) const override;
  std::shared_ptr<const Network> without_links(std::span<const LinkId> links) const override;
  std::string description() const override { return path_; }

 private:
  const ConcludedLinks& concluded() const {
    std::call_once(ends_known_, [this] {
      std::vector<Chain> chains;
      {
        const std::scoped_lock lock(routes_);
        chains = routes_.chains();
      }
      ends_ = conclude_link_ends(chains, num_hosts(), cables_of(inventory_.link_names));
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
    const KnownRoute route = cache_.route(model.first, model.second);
    if (!route.exists()) fail(source, destination, model);
    return route;
  }

  [[noreturn]] void fail(HostId source, HostId destination, std::pair<HostId, HostId> model) const {
    std::string why;
    {
      const std::scoped_lock lock(routes_);
      why = routes_.end_on(model.first, model.second);
    }
    if (!why.empty()) why = fmt::format(": SimGrid {}; run vtopo platform lint {}", why, path_);
    if (why.empty() && inventory_.adds_latency)
      why =
          ": between members of a Vivaldi zone it takes coordinates of both, which zones cannot "
          "have";
    throw input_error({path_}, fmt::format("there is no route from \"{}\" to \"{}\"{}",
                                           host_name(source), host_name(destination), why));
  }

  std::string path_;
  Names failed_;  ///< links that the file's routes do without
  Limits limits_;
  mutable PlatformRoutes routes_;
  mutable RouteCache cache_;
  SymmetricHosts symmetry_;
  PlatformInventory inventory_;
  LinkKinds kinds_;
  mutable std::once_flag ends_known_;
  mutable ConcludedLinks ends_;
  LinksAtHosts links_at_hosts_;
  bool passes_hosts_;
  bool has_bypass_;
  mutable std::once_flag cuts_known_;
  mutable std::vector<VertexCells> cuts_;
};

/// The first links of all routes, of which those without links limit nothing; those to the models
/// stand for those to symmetric hosts. Also links at the host that none of these routes begins
/// with: those of another routing may.
BytesPerSecond PlatformNetwork::injection_bandwidth(HostId host) const {
  std::set<LinkId> first_links = links_at_hosts_.of(*this, host);
  for (const HostId other : symmetry_.models()) {
    if (other == host) continue;
    const auto route =
        cache_.route(symmetry_.model(host, other).first, symmetry_.model(host, other).second);
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
