#include "netmodels/platform/platform.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <set>
#include <span>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "netmodels/platform/platform_routes.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

namespace {

/// Platform whose routes SimGrid computes; rows are fetched when first used and kept.
class PlatformNetwork final : public Network {
 public:
  explicit PlatformNetwork(const std::string& path)
      : path_(path),
        routes_(path),
        rows_(routes_.inventory().host_names.size()),
        published_(rows_.size()) {
    if (rows_.empty()) throw input_error({path}, "the platform has no hosts");
  }

  int num_hosts() const override { return int_size(inventory().host_names); }
  int num_links() const override { return int_size(inventory().links); }
  LinkProperties link(LinkId link) const override { return inventory().links[index(link)]; }
  std::string link_name(LinkId link) const override { return inventory().link_names[index(link)]; }
  std::string host_name(HostId host) const override { return inventory().host_names[index(host)]; }
  std::optional<LinkEnds> link_ends(LinkId) const override { return std::nullopt; }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const auto route = route_between(source, destination);
    links.insert(links.end(), route.begin(), route.end());
  }

  int hops(HostId source, HostId destination) const override {
    const auto route = route_between(source, destination);
    return narrow<int>(std::count_if(route.begin(), route.end(), [this](LinkId id) {
      return inventory().links[index(id)].counts_as_hop;
    }));
  }

  int diameter() const override {
    int longest = 0;
    for (int a = 0; a < num_hosts(); ++a)
      for (int b = 0; b < num_hosts(); ++b) longest = std::max(longest, hops(HostId{a}, HostId{b}));
    return longest;
  }

  BytesPerSecond injection_bandwidth(HostId host) const override {
    std::set<LinkId> first_links;
    for (int b = 0; b < num_hosts(); ++b)
      if (const auto route = declared_route(host, HostId{b}); !route.empty())
        first_links.insert(route.front());
    BytesPerSecond sum;
    for (const LinkId id : first_links)
      sum += link(id).sharing == LinkSharing::fatpipe
                 ? BytesPerSecond{std::numeric_limits<double>::infinity()}
                 : link(id).bandwidth;
    return sum;
  }

  std::string description() const override { return path_; }

 private:
  const PlatformInventory& inventory() const { return routes_.inventory(); }

  /// A row that is there is read without a lock: a child forked by another thread can read it too.
  const RouteRow& row(HostId source) const {
    std::atomic<const RouteRow*>& published = published_[index(source)];
    if (const RouteRow* row = published.load(std::memory_order_acquire)) return *row;
    const std::scoped_lock lock(mutex_);
    auto& row = rows_[index(source)];
    if (!row) row = std::make_unique<RouteRow>(routes_.row(source));
    published.store(row.get(), std::memory_order_release);
    return *row;
  }

  /// Links that SimGrid names; none if there is no route.
  std::span<const LinkId> declared_route(HostId source, HostId destination) const {
    const RouteRow& from = row(source);
    const std::size_t first = from.offsets[index(destination)];
    return {from.links.data() + first, from.offsets[index(destination) + 1] - first};
  }

  /// Links between two hosts; only the route of a host to itself is empty.
  std::span<const LinkId> route_between(HostId source, HostId destination) const {
    const auto route = declared_route(source, destination);
    if (route.empty() && source != destination)
      throw input_error({path_}, fmt::format("there is no route from \"{}\" to \"{}\"",
                                             host_name(source), host_name(destination)));
    return route;
  }

  std::string path_;
  mutable std::mutex mutex_;
  mutable PlatformRoutes routes_;
  mutable std::vector<std::unique_ptr<RouteRow>> rows_;
  mutable std::vector<std::atomic<const RouteRow*>> published_;
};

void check_clusters_for_simgrid(const PlatformFile& file, pugi::xml_node element) {
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    if (name == "cluster" || name == "cabinet") check_cluster_for_simgrid(file, child);
    check_clusters_for_simgrid(file, child);
  }
}

void check_routing(const std::string& path, const PlatformOptions& options) {
  if (options.routing == Routing::simgrid) return;
  throw UsageError(fmt::format(
      "routing \"{}\" for \"{}\": platform files have the routes that SimGrid computes{}; "
      "accepted: simgrid",
      to_string(options.routing), path,
      options.simgrid_compatible ? "" : " unless they are one torus, fat tree or dragonfly"));
}

}  // namespace

std::shared_ptr<const Network> load_platform(const std::string& path,
                                             const PlatformOptions& options) {
  const PlatformFile file = read_platform_file(path);
  if (!options.simgrid_compatible)
    if (const auto cluster = closed_form_cluster(file))
      return make_network(cluster->spec, cluster->defaults, {options.routing});
  check_routing(path, options);
  check_clusters_for_simgrid(file, file.document.child("platform"));
  return std::make_shared<PlatformNetwork>(path);
}

}  // namespace vtopo
