#include "netmodels/fabric/fabric.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "netmodels/fabric/found_cuts.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// A link that leaves a vertex.
struct FabricPort {
  LinkId link;
  int to = 0;
};

/// Working links and least hops of a fabric. Hosts with the same switches form a group: what leads
/// to one of them leads to all.
class FabricDistances {
 public:
  static constexpr std::uint16_t unreachable = 65535;

  /// @param works one entry per link.
  FabricDistances(const FabricSpec& spec, const std::vector<bool>& works);

  /// Working links out of a vertex, by link id.
  const std::vector<FabricPort>& ports(int vertex) const { return ports_[vertex]; }

  int num_hosts() const { return num_hosts_; }
  int group(HostId host) const { return groups_[host]; }

  /// Links from a switch to any host of a group; `unreachable` if there is no way.
  int to_group(int switch_vertex, int group) const {
    return rows_[group][switch_vertex - num_hosts_];
  }

  /// Links from any vertex that is not `destination` to it; `unreachable` if there is no way.
  int to_host(int vertex, HostId destination) const;

  /// Most links between any two hosts that reach each other.
  int diameter() const;

 private:
  void group_hosts();
  IdVector<int, std::uint16_t> distances_to(HostId member) const;

  int num_hosts_;
  int num_vertices_;
  IdVector<int, std::vector<FabricPort>> ports_;  ///< one entry per vertex
  IdVector<int, std::vector<FabricPort>>
      incoming_;  ///< the same links; `to` is where they come from
  IdVector<HostId, int> groups_;
  std::vector<HostId> members_;  ///< one host of each group
  int num_groups_ = 0;
  IdVector<int, IdVector<int, std::uint16_t>> rows_;  ///< per group one entry per switch
};

FabricDistances::FabricDistances(const FabricSpec& spec, const std::vector<bool>& works)
    : num_hosts_(int_size(spec.hosts)),
      num_vertices_(num_hosts_ + int_size(spec.switches)),
      ports_(num_vertices_),
      incoming_(num_vertices_) {
  for (std::size_t c = 0; c < spec.cables.size(); ++c) {
    const auto [a, b, bandwidth, latency] = spec.cables[c];
    for (const std::size_t link : {2 * c, 2 * c + 1}) {
      if (!works[link]) continue;
      const int from = link % 2 == 0 ? a : b, to = link % 2 == 0 ? b : a;
      ports_[from].push_back({id_at<LinkId>(link), to});
      incoming_[to].push_back({id_at<LinkId>(link), from});
    }
  }
  group_hosts();
  for (const HostId member : members_) rows_.push_back(distances_to(member));
}

int FabricDistances::to_host(int vertex, HostId destination) const {
  if (vertex >= num_hosts_) return to_group(vertex, group(destination));
  int least = unreachable;
  for (const auto& [link, to] : ports(vertex)) {
    if (to == number(destination)) return 1;
    if (to < num_hosts_) continue;
    least = std::min(least, to_group(to, group(destination)));
  }
  return least == unreachable ? unreachable : least + 1;
}

int FabricDistances::diameter() const {
  int longest = 0;
  for (const HostId a : members_)
    for (int b = 0; b < num_hosts_; ++b) {
      if (number(a) == b) continue;
      const int distance = to_host(number(a), HostId{b});
      if (distance != unreachable) longest = std::max(longest, distance);
    }
  return longest;
}

/// Groups by the sorted list of neighbours that lead to and from a host.
void FabricDistances::group_hosts() {
  std::map<std::pair<std::vector<int>, std::vector<int>>, int> known;
  auto neighbours = [](const std::vector<FabricPort>& links) {
    std::vector<int> result;
    result.reserve(links.size());
    for (const auto& port : links) result.push_back(port.to);
    std::sort(result.begin(), result.end());
    return result;
  };
  for (int h = 0; h < num_hosts_; ++h) {
    const auto [entry, is_new] =
        known.emplace(std::pair(neighbours(ports_[h]), neighbours(incoming_[h])), num_groups_);
    if (is_new) {
      members_.push_back(HostId{h});
      ++num_groups_;
    }
    groups_.push_back(entry->second);
  }
}

/// Breadth-first search against the direction of the links, through switches alone.
IdVector<int, std::uint16_t> FabricDistances::distances_to(HostId member) const {
  IdVector<int, std::uint16_t> row(num_vertices_ - num_hosts_, unreachable);
  std::vector<int> frontier{number(member)}, next;
  for (std::uint16_t distance = 1; !frontier.empty() && distance < unreachable; ++distance) {
    next.clear();
    for (const int vertex : frontier)
      for (const auto& port : incoming_[vertex]) {
        if (port.to < num_hosts_) continue;
        std::uint16_t& entry = row[port.to - num_hosts_];
        if (entry != unreachable) continue;
        entry = distance;
        next.push_back(port.to);
      }
    frontier.swap(next);
  }
  return row;
}

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
    return vertex < distances_.num_hosts()
               ? spec_->hosts[index(vertex)]
               : spec_->switches[index(vertex - distances_.num_hosts())];
  }

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

  std::shared_ptr<const Network> without_links(std::span<const LinkId> links) const override {
    std::vector<bool> works = works_;
    for (const LinkId link : links) works[index(link)] = false;
    return std::make_shared<Fabric>(spec_, std::move(works));
  }

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts;
    facts.num_hosts = distances_.num_hosts();
    facts.num_links = int_size(works_);
    facts.description = spec_->description;
    facts.routing = spec_->routing.rule;
    facts.splits_flows = facts.routing == Routing::ecmp;
    facts.link_classes = classes_;
    facts.link_class = [this](LinkId link) { return class_of_[index(link) / 2]; };
    facts.injection_bandwidth = [this](HostId host) {
      BytesPerSecond sum;
      for (const auto& port : distances_.ports(number(host))) sum += cable(port.link).bandwidth;
      return sum;
    };
    facts.diameter = [this] { return distances_.diameter(); };
    facts.cuts = [this] { return find_cuts(*this); };
    return facts;
  }

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
          (port.to >= distances_.num_hosts() &&
           distances_.to_host(port.to, destination) == distance - 1))
        ways.push_back(port);
    return ways;
  }

  /// Made when first asked for; a table that is there is read without a lock.
  const ForwardingTable& table(int vertex) const {
    const auto at = index(vertex - distances_.num_hosts());
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
    for (int h = 0; h < distances_.num_hosts(); ++h) {
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
      const bool inner = std::min(a, b) >= distances_.num_hosts();
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
