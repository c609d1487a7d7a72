#include "netmodels/platform/platform_network.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>
#include <sstream>
#include <unordered_map>

#include "netmodels/platform/cluster_twins.hpp"
#include "netmodels/platform/link_kinds.hpp"
#include "netmodels/platform/link_vertices.hpp"
#include "netmodels/platform/platform_rewrite.hpp"
#include "netmodels/platform/platform_routes.hpp"
#include "netmodels/platform/route_cache.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

using Names = std::set<std::string>;

int count_elements(pugi::xml_node element) {
  const std::string_view name = element.name();
  if (name == "host" || name == "peer" || name.ends_with("oute")) return 1;
  int count = 0;
  for (const auto child : element.children()) count += count_elements(child);
  return count;
}

PlatformText source_of(const PlatformFile& file, bool rewritten) {
  PlatformText source{file.path, {}, count_elements(file.document)};
  source.text = with_cached_searches(file);
  if (rewritten && !source.text) source.text = file.text;
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
        routes_(source_of(file, !failed.empty()), progress, limits),
        cache_(routes_),
        twins_(file.document.child("platform"), routes_.inventory()),
        inventory_(routes_.inventory()),
        kinds_(sort_links(file.document.child("platform"), inventory_)) {
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
    std::call_once(ends_known_, [this] {
      std::vector<Chain> chains;
      {
        const std::scoped_lock lock(routes_);
        chains = routes_.chains();
      }
      ends_ = conclude_link_ends(chains, num_hosts(), cables_of(inventory_.link_names));
    });
    return ends_[index(link)];
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return;
    const auto model = twins_.model(source, destination);
    for (const LinkId link : route_between(source, destination, model))
      links.push_back(twins_.translate(link, model, source, destination));
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    return count_hops(route_between(source, destination, twins_.model(source, destination)));
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
  /// All routes are like that of one of these pairs.
  template <class Visit>
  void for_each_model(const Visit& visit) const {
    for (const HostId a : twins_.models())
      for (const HostId b : twins_.models())
        if (a != b) visit(a, b);
  }

  int count_hops(std::span<const LinkId> route) const {
    return narrow<int>(std::count_if(route.begin(), route.end(), [this](LinkId id) {
      return inventory_.links[index(id)].hops > 0;
    }));
  }

  /// Links between two different hosts, told by their model.
  std::span<const LinkId> route_between(HostId source, HostId destination,
                                        std::pair<HostId, HostId> model) const {
    const auto route = cache_.route(model.first, model.second);
    if (route.empty()) fail(source, destination, model);
    return route;
  }

  [[noreturn]] void fail(HostId source, HostId destination, std::pair<HostId, HostId> model) const {
    std::string why;
    {
      const std::scoped_lock lock(routes_);
      why = routes_.end_on(model.first, model.second);
    }
    throw input_error({path_},
                      fmt::format("there is no route from \"{}\" to \"{}\"{}", host_name(source),
                                  host_name(destination), why.empty() ? "" : ": SimGrid " + why));
  }

  std::string path_;
  Names failed_;  ///< links that the file's routes do without
  Limits limits_;
  mutable PlatformRoutes routes_;
  mutable RouteCache cache_;
  ClusterTwins twins_;
  PlatformInventory inventory_;
  LinkKinds kinds_;
  mutable std::once_flag ends_known_;
  mutable std::vector<std::optional<LinkEnds>> ends_;
};

/// The first links of all routes; those to the models stand for those to their twins.
BytesPerSecond PlatformNetwork::injection_bandwidth(HostId host) const {
  std::set<LinkId> first_links;
  for (const HostId other : twins_.models()) {
    if (other == host) continue;
    const auto route =
        cache_.route(twins_.model(host, other).first, twins_.model(host, other).second);
    if (!route.empty())
      first_links.insert(twins_.translate(route.front(), twins_.model(host, other), host, other));
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
  std::ostringstream text;
  text << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n";
  file.document.save(text, " ", pugi::format_default | pugi::format_no_declaration);
  file = parse_platform(path_, text.str());
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

}  // namespace vtopo
