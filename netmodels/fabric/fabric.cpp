#include "netmodels/fabric/fabric.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "netmodels/fabric/distances.hpp"
#include "netmodels/graph/found_cuts.hpp"
#include "netmodels/no_detours.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr LinkId no_link{-1};

/// Next link of one switch for every host.
using ForwardingTable = std::vector<LinkId>;

class Fabric final : public Network {
 public:
  Fabric(std::shared_ptr<const FabricSpec> spec, std::vector<bool> works)
      : spec_(std::move(spec)),
        works_(std::move(works)),
        distances_(*spec_, works_),
        tables_(spec_->switches.size()),
        published_(spec_->switches.size()) {
    number_parallel_cables();
    classify_links();
  }

  int num_hosts() const override { return int_size(spec_->hosts); }
  int num_links() const override { return int_size(works_); }
  LinkProperties link(LinkId link) const override {
    return {cable(link).bandwidth, cable(link).latency};
  }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    const int duplicate = duplicates_[index(link) / 2];
    const std::string suffix = duplicate < 0 ? "" : fmt::format("#{}", duplicate);
    return fmt::format("{}->{}{}", vertex_name(from), vertex_name(to), suffix);
  }

  std::string host_name(HostId host) const override { return spec_->hosts[index(host)]; }
  std::string vertex_name(int vertex) const override {
    return vertex < num_hosts() ? spec_->hosts[index(vertex)]
                                : spec_->switches[index(vertex - num_hosts())];
  }

  std::vector<VertexCells> cuts() const override { return find_cuts(*this); }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    const FabricCable& ends = cable(link);
    return number(link) % 2 == 0 ? LinkEnds{ends.a, ends.b} : LinkEnds{ends.b, ends.a};
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source == destination) return;
    const auto ways = next_links(number(source), destination);
    if (ways.empty()) fail(source, destination);
    const FabricPort& first = ways[index(destination) % ways.size()];
    links.push_back(first.link);
    for (int here = first.to; here != number(destination);) {
      const LinkId link = table(here)[index(destination)];
      links.push_back(link);
      here = link_ends(link)->to;
    }
  }

  Routing routing() const override { return spec_->routing.rule; }
  bool splits_flows() const override { return routing() == Routing::ecmp; }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (!splits_flows()) return Network::append_shares(source, destination, shares);
    if (source == destination) return;
    if (next_links(number(source), destination).empty()) fail(source, destination);
    std::map<int, double> here{{number(source), 1.0}}, next;
    while (!here.empty()) {
      next.clear();
      for (const auto& [vertex, part] : here) {
        if (vertex == number(destination)) continue;
        const auto ways = next_links(vertex, destination);
        for (const auto& [link, to] : ways) {
          shares.push_back({link, part / static_cast<double>(ways.size())});
          next[to] += shares.back().share;
        }
      }
      here.swap(next);
    }
  }

  int hops(HostId source, HostId destination) const override {
    if (source == destination) return 0;
    const int distance = distances_.to_host(number(source), destination);
    if (distance == FabricDistances::unreachable) fail(source, destination);
    return distance;
  }

  int diameter() const override { return distances_.diameter(); }

  BytesPerSecond injection_bandwidth(HostId host) const override {
    BytesPerSecond sum;
    for (const auto& port : distances_.ports(number(host))) sum += cable(port.link).bandwidth;
    return sum;
  }

  std::vector<LinkClass> link_classes() const override { return classes_; }
  int link_class(LinkId link) const override { return class_of_[index(link) / 2]; }

  std::shared_ptr<const Network> without_links(std::span<const LinkId> links) const override {
    std::vector<bool> works = works_;
    for (const LinkId link : links) works[index(link)] = false;
    return std::make_shared<Fabric>(spec_, std::move(works));
  }

  std::string description() const override { return spec_->description; }

 private:
  const FabricCable& cable(LinkId link) const { return spec_->cables[index(link) / 2]; }

  [[noreturn]] void fail(HostId source, HostId destination) const {
    throw input_error({spec_->description}, fmt::format("there is no route from \"{}\" to \"{}\"",
                                                        host_name(source), host_name(destination)));
  }

  /// Links out of `vertex` that lie on a shortest path to a host.
  std::vector<FabricPort> next_links(int vertex, HostId destination) const {
    const int distance = distances_.to_host(vertex, destination);
    std::vector<FabricPort> ways;
    if (distance == FabricDistances::unreachable) return ways;
    for (const FabricPort& port : distances_.ports(vertex))
      if (port.to == number(destination) ||
          (port.to >= num_hosts() && distances_.to_host(port.to, destination) == distance - 1))
        ways.push_back(port);
    return ways;
  }

  /// Made when first asked for; a table that is there is read without a lock.
  const ForwardingTable& table(int vertex) const {
    const auto at = index(vertex - num_hosts());
    if (const ForwardingTable* table = published_[at].load(std::memory_order_acquire))
      return *table;
    const std::scoped_lock lock(mutex_);
    if (!tables_[at]) tables_[at] = std::make_unique<ForwardingTable>(make_table(vertex));
    published_[at].store(tables_[at].get(), std::memory_order_release);
    return *tables_[at];
  }

  /// Every destination takes, among its shortest paths, the link with the fewest destinations yet.
  ForwardingTable make_table(int vertex) const {
    ForwardingTable result(spec_->hosts.size(), no_link);
    std::map<LinkId, int> destinations;
    for (int h = 0; h < num_hosts(); ++h) {
      const auto ways = next_links(vertex, HostId{h});
      if (ways.empty()) continue;
      const auto fewest = std::min_element(
          ways.begin(), ways.end(), [&](const FabricPort& left, const FabricPort& right) {
            return destinations[left.link] < destinations[right.link];
          });
      ++destinations[fewest->link];
      result[index(h)] = fewest->link;
    }
    return result;
  }

  /// Cables between the same two vertices get numbers, so that their names differ.
  void number_parallel_cables() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> between;
    for (std::size_t c = 0; c < spec_->cables.size(); ++c)
      between[std::minmax(spec_->cables[c].a, spec_->cables[c].b)].push_back(c);
    duplicates_.resize(spec_->cables.size(), -1);
    for (const auto& [ends, cables] : between)
      for (std::size_t k = 0; cables.size() > 1 && k < cables.size(); ++k)
        duplicates_[cables[k]] = narrow<int>(k);
  }

  /// Kinds: cables of hosts and cables between switches, by what they carry.
  void classify_links() {
    std::map<std::tuple<bool, double, double>, int> known;
    for (const auto& [a, b, bandwidth, latency] : spec_->cables) {
      const bool inner = std::min(a, b) >= num_hosts();
      const auto [entry, is_new] =
          known.emplace(std::tuple(inner, bandwidth.value, latency.value), int_size(known));
      if (is_new)
        classes_.push_back(
            {inner ? "between switches" : "hosts to switches", 0, bandwidth, latency});
      classes_[index(entry->second)].links += 2;
      class_of_.push_back(entry->second);
    }
  }

  std::shared_ptr<const FabricSpec> spec_;
  std::vector<bool> works_;  ///< one entry per link
  FabricDistances distances_;
  std::vector<int> duplicates_;  ///< number among parallel cables, or -1; one entry per cable
  std::vector<LinkClass> classes_;
  std::vector<int> class_of_;  ///< one entry per cable
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<ForwardingTable>> tables_;  ///< one entry per switch
  mutable std::vector<std::atomic<const ForwardingTable*>> published_;
};

}  // namespace

std::shared_ptr<const Network> make_fabric(FabricSpec spec) {
  if (spec.routing.rule != Routing::simgrid && spec.routing.rule != Routing::ecmp) {
    const auto sentence = fmt::format(
        "routing {} on {}: switches of a real machine know simgrid (one shortest route) and ecmp",
        to_string(spec.routing.rule), spec.description);
    if (spec.routing.rule == Routing::valiant) throw NoDetours(sentence);
    throw UsageError(sentence);
  }
  if (2 * spec.cables.size() > max_id || spec.hosts.size() + spec.switches.size() > max_id)
    throw UsageError(
        fmt::format("{}: more than {} links, hosts or switches", spec.description, max_id));
  const auto vertices = static_cast<int>(spec.hosts.size() + spec.switches.size());
  for (std::size_t c = 0; c < spec.cables.size(); ++c)
    for (const int end : {spec.cables[c].a, spec.cables[c].b})
      if (end < 0 || end >= vertices)
        throw UsageError(fmt::format("{}: cable {} at vertex {} of {} hosts and switches",
                                     spec.description, c, end, vertices));
  std::vector<bool> works(2 * spec.cables.size(), true);
  return std::make_shared<Fabric>(std::make_shared<const FabricSpec>(std::move(spec)),
                                  std::move(works));
}

}  // namespace vtopo
