#include "netmodels/edits/edited_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "netmodels/graph/distances.hpp"
#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/links.hpp"
#include "netmodels/wrapped_network.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace detail {

namespace {

/// Hops between hosts that are costly to find, kept row by row. No thread ever waits for another.
class KeptHops {
 public:
  /// Of more hosts rows take too much memory.
  static constexpr int max_hosts = 4096;
  static constexpr std::uint16_t unknown = 65535;  ///< no route, or too long
  using Row = std::vector<std::uint16_t>;          ///< one entry per destination

  explicit KeptHops(int num_hosts) : rows_(static_cast<std::size_t>(num_hosts)) {}
  KeptHops(const KeptHops&) = delete;
  KeptHops& operator=(const KeptHops&) = delete;
  ~KeptHops() {
    for (const auto& row : rows_) delete row.load();
  }

  /// Hops from a host to all, if they are known; else null.
  const Row* row(HostId source) const {
    return rows_[index(source)].load(std::memory_order_acquire);
  }

  /// Keeps a row; of several threads the first.
  const Row* keep(HostId source, Row row) {
    auto made = std::make_unique<const Row>(std::move(row));
    const Row* first = nullptr;
    if (rows_[index(source)].compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
      first = made.release();
    return first;
  }

 private:
  std::vector<std::atomic<const Row*>> rows_;
};

/// What of a network is down: the links named and all those at failed hosts.
class FailedParts {
 public:
  FailedParts(const Network& network, const ResolvedEdits& edits)
      : hosts_(edits.failed_hosts.empty() ? 0 : index(network.num_hosts())) {
    for (const HostId host : edits.failed_hosts) hosts_[index(host)] = true;
    std::vector<bool> flags(index(network.num_links()));
    for (const LinkId link : edits.failed_links) flags[index(link)] = true;
    if (any_host())
      for (std::size_t l = 0; l < flags.size(); ++l)
        if (const auto ends = network.link_ends(id_at<LinkId>(l)))
          if (is_failed(network, ends->from) || is_failed(network, ends->to)) flags[l] = true;
    for (std::size_t l = 0; l < flags.size(); ++l)
      if (flags[l]) links_.push_back(id_at<LinkId>(l));
    if (!links_.empty()) flags_ = std::move(flags);
  }

  bool any_host() const { return !hosts_.empty(); }
  bool any_link() const { return !links_.empty(); }
  bool has(HostId host) const { return any_host() && hosts_[index(host)]; }
  bool has(LinkId link) const { return any_link() && flags_[index(link)]; }

  /// One entry per host; empty if all hosts work.
  const std::vector<bool>& host_flags() const { return hosts_; }
  /// Ascending.
  const std::vector<LinkId>& links() const { return links_; }
  /// One entry per link; empty if all links work.
  const std::vector<bool>& flags() const { return flags_; }

  /// First failed link of a route.
  std::optional<LinkId> first_of(std::span<const LinkId> route) const {
    for (const LinkId link : route)
      if (has(link)) return link;
    return std::nullopt;
  }

 private:
  bool is_failed(const Network& network, int vertex) const {
    return vertex < network.num_hosts() && hosts_[index(vertex)];
  }

  std::vector<bool> hosts_;
  std::vector<bool> flags_;
  std::vector<LinkId> links_;
};

/// Kinds of links after edits: a kind of the network that is now of several bandwidths, or has
/// failed links, becomes several kinds.
struct EditedClasses {
  std::vector<LinkClass> classes;
  std::vector<int> class_of;  ///< one entry per link
};

/// @param factors of the bandwidths, one entry per link; empty: all 1.
EditedClasses edited_classes(const Network& network, const FailedParts& failed,
                             std::span<const double> factors) {
  using Key = std::tuple<int, bool, double>;  // kind, failed, factor
  EditedClasses result;
  const auto kinds = network.link_classes();
  std::map<Key, int> known;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkId link{l};
    const double factor = factors.empty() ? 1 : factors[index(link)];
    const Key key{network.link_class(link), failed.has(link), factor};
    const auto [place, is_new] = known.emplace(key, int_size(result.classes));
    if (is_new) {
      LinkClass kind = kinds.at(index(network.link_class(link)));
      kind.links = 0;
      kind.bandwidth = kind.bandwidth * factor;
      if (factor != 1) kind.name += fmt::format(", bandwidth times {:.3g}", factor);
      if (failed.has(link)) kind.name += ", failed";
      result.classes.push_back(kind);
    }
    result.class_of.push_back(place->second);
    ++result.classes[index(place->second)].links;
  }
  return result;
}

/// Adds what else is down.
void add_down(const std::vector<bool>& flags, std::vector<bool>& down) {
  down.resize(std::max(down.size(), flags.size()));
  for (std::size_t i = 0; i < flags.size(); ++i) down[i] = down[i] || flags[i];
}

class EditedNetwork final : public WrappedNetwork {
 public:
  /// @param reroutes the base network does not know of the failed links.
  EditedNetwork(std::shared_ptr<const Network> base, FailedParts failed, const ResolvedEdits& edits,
                bool reroutes)
      : WrappedNetwork(std::move(base)),
        failed_(std::move(failed)),
        factors_(edits.factors),
        words_(in_words(edits)),
        reroutes_(reroutes),
        classes_(edited_classes(*this->base(), failed_, factors_)) {
    if (!reroutes) return;
    check_routing(failed_.links().front());
    keeps_hops_ = fails_at_hosts_only();
    const bool has_rule = !std::holds_alternative<std::monostate>(this->base()->hop_metric());
    const int hosts = this->base()->num_hosts();
    if (has_rule && hosts <= KeptHops::max_hosts) kept_hops_.emplace(hosts);
  }

  LinkProperties link(LinkId link) const override {
    LinkProperties properties = base()->link(link);
    if (!factors_.empty()) properties.bandwidth = properties.bandwidth * factors_[index(link)];
    return properties;
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    check_up(source, destination);
    const std::size_t begin = links.size();
    base()->append_route(source, destination, links);
    if (!reroutes_) return;
    const auto broken = splits_flows() ? broken_link(source, destination)
                                       : failed_.first_of(std::span(links).subspan(begin));
    if (!broken) return;
    links.resize(begin);
    around(source, destination, *broken).append_route(source, destination, links);
  }

  void append_shares(HostId source, HostId destination,
                     std::vector<LinkShare>& shares) const override {
    if (!splits_flows()) return Network::append_shares(source, destination, shares);
    check_up(source, destination);
    const auto broken = reroutes_ ? broken_link(source, destination) : std::nullopt;
    if (broken)
      around(source, destination, *broken).append_shares(source, destination, shares);
    else
      base()->append_shares(source, destination, shares);
  }

  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return reroutes_ ? Network::make_link_traffic() : base()->make_link_traffic();
  }

  int hops(HostId source, HostId destination) const override {
    check_up(source, destination);
    if (!reroutes_) return base()->hops(source, destination);
    const KeptHops::Row* const row = kept_hops_ ? kept_hops_->row(source) : nullptr;
    if (row != nullptr && (*row)[index(destination)] != KeptHops::unknown)
      return (*row)[index(destination)];
    if (const auto hops = rerouted_hops(source, destination)) return *hops;
    fail_without_route(source, destination, broken_link(source, destination).value());
  }

  /// Readers ask for the same pairs again and again: a row is kept once it is asked for.
  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    if (kept_hops_ && is_up(source) && kept_hops_->row(source) == nullptr)
      kept_hops_->keep(source, hop_row(source));
    Network::hops_from(source, destinations, result);
  }

  double mean_hops(HostId source, HostId destination) const override {
    check_up(source, destination);
    if (!reroutes_ || !broken_link(source, destination))
      return base()->mean_hops(source, destination);
    std::vector<LinkShare> shares;
    append_shares(source, destination, shares);
    double sum = 0;
    for (const auto& [id, share] : shares) sum += share * base()->link(id).hops;
    return sum;
  }

 private:
  /// Parts and cuts are sets of hosts and routers, which edits leave as they are.
  NetworkFacts make_facts() const override {
    NetworkFacts facts = WrappedNetwork::make_facts();
    facts.description += ", " + words_;
    facts.description_defaults = nullptr;
    facts.bisection = nullptr;
    add_down(failed_.host_flags(), facts.down_hosts);
    add_down(failed_.flags(), facts.down_links);
    if (!keeps_hops_) facts.hop_metric = {};
    if (failed_.any_link() || failed_.any_host()) {
      facts.sites.reset();
      facts.diameter = [this] { return found_diameter(); };
    }
    facts.link_classes = classes_.classes;
    facts.link_class = [this](LinkId link) { return classes_.class_of[index(link)]; };
    facts.injection_bandwidth = [this](HostId host) { return usable_injection(host); };
    return facts;
  }

  /// Asks all pairs up to 2,048 hosts; above, pairs of as many random hosts: then a lower bound.
  int found_diameter() const {
    const std::scoped_lock lock(diameter_mutex_);
    if (!diameter_) diameter_ = route_distances(*this).diameter;
    return *diameter_;
  }

  BytesPerSecond usable_injection(HostId host) const {
    BytesPerSecond sum;
    if (!is_up(host)) return sum;
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest == nullptr) return first_links_bandwidth(host);
    for (const Arc& arc : shortest->graph().out_arcs(number(host)))
      sum += usable_bandwidth(arc.link);
    return sum;
  }

  void check_routing(LinkId link) const {
    if (base()->routing() == Routing::valiant)
      throw UsageError(
          fmt::format("link \"{}\" failed: under --routing valiant nearly every flow has a share "
                      "on it, and no rule leads all of them around; accepted are the other rules",
                      link_name(link)));
  }

  void check_up(HostId source, HostId destination) const {
    if (!failed_.any_host() || source == destination) return;
    for (const HostId host : {source, destination})
      if (failed_.has(host))
        throw InputError(fmt::format("there is no route from \"{}\" to \"{}\": host \"{}\" failed",
                                     host_name(source), host_name(destination), host_name(host)));
  }

  /// Nothing if there is no route.
  std::optional<int> rerouted_hops(HostId source, HostId destination) const {
    if (!broken_link(source, destination)) return base()->hops(source, destination);
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest == nullptr || shortest->distance(source, destination) == LinkGraph::unreachable)
      return std::nullopt;
    std::vector<LinkId> route;
    shortest->append_route(source, destination, route);
    double hops = 0;
    for (const LinkId id : route) hops += base()->link(id).hops;
    return static_cast<int>(std::lround(hops));
  }

  KeptHops::Row hop_row(HostId source) const {
    KeptHops::Row row;
    row.reserve(static_cast<std::size_t>(num_hosts()));
    for (int h = 0; h < num_hosts(); ++h) {
      const auto hops = is_up(HostId{h}) ? rerouted_hops(source, HostId{h}) : std::nullopt;
      row.push_back(narrow<std::uint16_t>(
          std::min<int>(hops.value_or(KeptHops::unknown), KeptHops::unknown)));
    }
    return row;
  }

  /// Whether all failed links join a failed host to a router: no other host's route takes them.
  bool fails_at_hosts_only() const {
    const auto is_router = [&](int vertex) { return vertex >= base()->num_hosts(); };
    const auto is_failed = [&](int vertex) {
      return !is_router(vertex) && failed_.has(HostId{vertex});
    };
    return std::all_of(failed_.links().begin(), failed_.links().end(), [&](LinkId link) {
      const auto ends = base()->link_ends(link);
      return ends && ((is_failed(ends->from) && is_router(ends->to)) ||
                      (is_router(ends->from) && is_failed(ends->to)));
    });
  }

  /// First failed link that a flow would use.
  std::optional<LinkId> broken_link(HostId source, HostId destination) const {
    if (splits_flows()) {
      std::vector<LinkShare> shares;
      base()->append_shares(source, destination, shares);
      for (const auto& [link, share] : shares)
        if (failed_.has(link)) return link;
      return std::nullopt;
    }
    std::vector<LinkId> route;
    base()->append_route(source, destination, route);
    return failed_.first_of(route);
  }

  /// Over the links that work, made when first asked for: a large platform takes long to say where
  /// its links lead. Null where it cannot.
  const ShortestRoutes* shortest_routes() const {
    std::call_once(shortest_made_, [this] {
      if (auto graph = LinkGraph::of(*base(), failed_.flags())) shortest_.emplace(std::move(graph));
    });
    return shortest_ ? &*shortest_ : nullptr;
  }

  [[noreturn]] void fail_without_route(HostId source, HostId destination, LinkId broken) const {
    throw InputError(fmt::format(
        "there is no route from \"{}\" to \"{}\": it used the failed link \"{}\", and {}",
        host_name(source), host_name(destination), link_name(broken),
        shortest_routes() != nullptr
            ? "the links that work do not join the two hosts"
            : "of this network only the declared routes are known, not where else its links lead"));
  }

  /// The routes around failed links, if there is one for this pair.
  const ShortestRoutes& around(HostId source, HostId destination, LinkId broken) const {
    const ShortestRoutes* const shortest = shortest_routes();
    if (shortest != nullptr && shortest->distance(source, destination) != LinkGraph::unreachable)
      return *shortest;
    fail_without_route(source, destination, broken);
  }

  BytesPerSecond usable_bandwidth(LinkId id) const {
    const LinkProperties properties = link(id);
    return properties.sharing == LinkSharing::fatpipe
               ? BytesPerSecond{std::numeric_limits<double>::infinity()}
               : properties.bandwidth;
  }

  /// Where not all ends of links are known: links at `host`, and those with which its routes begin.
  BytesPerSecond first_links_bandwidth(HostId host) const {
    std::set<LinkId> links = links_at_hosts_.of(*this, host);
    std::vector<LinkId> route;
    for (int h = 0; h < num_hosts(); ++h) {
      route.clear();
      try {
        append_route(host, HostId{h}, route);
      } catch (const InputError&) {
        continue;  // no route: no link to count
      }
      if (!route.empty()) links.insert(route.front());
    }
    BytesPerSecond sum;
    for (const LinkId link : links) sum += usable_bandwidth(link);
    return sum;
  }

  FailedParts failed_;
  std::vector<double> factors_;
  std::string words_;
  bool reroutes_;  ///< the model has no answer to the failed links
  EditedClasses classes_;
  bool keeps_hops_ = true;                     ///< between hosts that are up
  mutable std::optional<KeptHops> kept_hops_;  ///< if a rule of the model does not hold any more
  mutable std::once_flag shortest_made_;
  mutable std::optional<ShortestRoutes> shortest_;
  LinksAtHosts links_at_hosts_;
  mutable std::mutex diameter_mutex_;
  mutable std::optional<int> diameter_;
};

}  // namespace

std::shared_ptr<const Network> make_edited_network(std::shared_ptr<const Network> network,
                                                   const ResolvedEdits& edits) {
  FailedParts failed(*network, edits);
  auto answer = failed.any_link() ? network->without_links(failed.links()) : nullptr;
  const bool reroutes = failed.any_link() && answer == nullptr;
  return std::make_shared<EditedNetwork>(answer ? std::move(answer) : std::move(network),
                                         std::move(failed), edits, reroutes);
}

}  // namespace detail

std::vector<bool> failed_link_flags(const Network& network, const ResolvedEdits& edits) {
  return detail::FailedParts(network, edits).flags();
}

}  // namespace vtopo
