#include "netmodels/graph/bisection_bound.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace vtopo::detail {

namespace {

constexpr double max_flow_steps = 3e8;  // steps

constexpr double infinite = std::numeric_limits<double>::infinity();

class UniformTraffic {
 public:
  UniformTraffic(const LinkGraph& graph, const Network& network)
      : graph_(graph),
        hosts_at_(index(graph.num_vertices())),
        capacity_(index(network.num_links())) {
    for (int l = 0; l < network.num_links(); ++l) {
      const LinkProperties link = network.link(LinkId{l});
      capacity_[index(l)] = link.sharing == LinkSharing::shared ? link.bandwidth.value : infinite;
    }
    for (int h = 0; h < network.num_hosts(); ++h) {
      if (!network.is_up(HostId{h})) continue;
      ++num_hosts_;
      if (!has_one_cable(h)) {
        ++hosts_at_[index(h)];
        continue;
      }
      ++hosts_at_[index(graph.out_arcs(h).front().to)];
      for (const auto arcs : {graph.out_arcs(h), graph.in_arcs(h)})
        narrowest_cable_ = std::min(narrowest_cable_, capacity_[index(arcs.front().link)]);
    }
  }

  int num_hosts() const { return num_hosts_; }

  double work() const {
    const auto roots =
        std::count_if(hosts_at_.begin(), hosts_at_.end(), [](int hosts) { return hosts > 0; });
    return (are_alike() ? 2.0 : 4.0) * static_cast<double>(roots) *
           static_cast<double>(graph_.num_arcs() + hosts_at_.size());
  }

  /// Bytes per second from each host to each other one, of which a host sends at most to `partners`
  /// at once; the larger of both ways to weigh paths.
  double rate(int partners) {
    most_partners_ = partners;
    double rate = 0;
    for (const bool by_bandwidth : {false, true}) {
      if (by_bandwidth && are_alike()) break;
      weigh(by_bandwidth);
      std::vector<double> sent(capacity_.size()), received(capacity_.size());
      if (!add_all(true, sent) || !add_all(false, received)) return 0;
      double least = narrowest_cable_ / most_partners_;
      for (std::size_t l = 0; l < sent.size(); ++l) {
        const double load = std::min(sent[l], received[l]);
        if (load > 0) least = std::min(least, capacity_[l] / load);
      }
      rate = std::max(rate, least);
    }
    return rate * (1 - 1e-12);
  }

 private:
  bool has_one_cable(int host) const {
    const auto out = graph_.out_arcs(host), in = graph_.in_arcs(host);
    return !graph_.passes_on(host) && out.size() == 1 && in.size() == 1 &&
           out.front().to == in.front().from;
  }

  /// Whether paths weigh the same both ways.
  bool are_alike() const {
    return std::all_of(capacity_.begin(), capacity_.end(),
                       [&](double capacity) { return capacity == capacity_.front(); });
  }

  /// The weight of a path is the product of those of its links.
  void weigh(bool by_bandwidth) {
    double most = 0;
    for (const double capacity : capacity_)
      if (capacity < infinite) most = std::max(most, capacity);
    weight_.assign(capacity_.size(), 1);
    if (by_bandwidth && most > 0)
      for (std::size_t l = 0; l < weight_.size(); ++l)
        weight_[l] = std::min(1.0, capacity_[l] / most);
  }

  /// Adds what each host sends (or receives) over each link, of what crosses a cut.
  /// @returns whether all hosts are joined.
  bool add_all(bool forth, std::vector<double>& load) {
    for (int root = 0; root < graph_.num_vertices(); ++root)
      if (hosts_at_[index(root)] > 0 && !add_from(root, forth, load)) return false;
    return true;
  }

  bool add_from(int root, bool forth, std::vector<double>& load) {
    search(root, forth);
    std::vector<double> passing(hosts_at_.size());
    int met = 0;
    for (std::size_t next = order_.size(); next-- > 0;) {
      const auto here = index(order_[next]);
      met += hosts_at_[here];
      passing[here] += hosts_at_[here];
      if (passing[here] == 0 || order_[next] == root) continue;
      for (const Arc& arc : forth ? graph_.in_arcs(order_[next]) : graph_.out_arcs(order_[next])) {
        const int before = forth ? arc.from : arc.to;
        if (distance_[index(before)] + 1 != distance_[here] || !leads_on(before, root)) continue;
        const double part =
            passing[here] * paths_[index(before)] * weight_[index(arc.link)] / paths_[here];
        passing[index(before)] += part;
        load[index(arc.link)] += hosts_at_[index(root)] * std::min(part, most_partners_);
      }
    }
    return met == num_hosts_;
  }

  bool leads_on(int vertex, int root) const { return vertex == root || graph_.passes_on(vertex); }

  /// Distances from (or to) the root, and the weight of all paths.
  void search(int root, bool forth) {
    constexpr int far = std::numeric_limits<int>::max() - 1;
    distance_.assign(hosts_at_.size(), far);
    paths_.assign(hosts_at_.size(), 0);
    order_.assign(1, root);
    distance_[index(root)] = 0;
    paths_[index(root)] = 1;
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const int here = order_[next];
      if (!leads_on(here, root)) continue;
      for (const Arc& arc : forth ? graph_.out_arcs(here) : graph_.in_arcs(here)) {
        const int there = forth ? arc.to : arc.from;
        if (distance_[index(there)] == far) {
          distance_[index(there)] = distance_[index(here)] + 1;
          order_.push_back(there);
        }
        if (distance_[index(there)] == distance_[index(here)] + 1)
          paths_[index(there)] += paths_[index(here)] * weight_[index(arc.link)];
      }
    }
  }

  const LinkGraph& graph_;
  std::vector<int> hosts_at_;  ///< each vertex, or behind one cable of it
  std::vector<double> capacity_, weight_;
  double narrowest_cable_ = infinite;
  double most_partners_ = 0;
  int num_hosts_ = 0;  ///< that are up
  std::vector<int> distance_, order_;
  std::vector<double> paths_;
};

}  // namespace

std::optional<BytesPerSecond> bisection_lower_bound(const LinkGraph& graph,
                                                    const Network& network) {
  UniformTraffic traffic(graph, network);
  if (traffic.work() > max_flow_steps) return std::nullopt;
  const int smaller = traffic.num_hosts() / 2, larger = traffic.num_hosts() - smaller;
  return BytesPerSecond{traffic.rate(larger) * smaller * larger};
}

std::optional<BytesPerSecond> uniform_traffic_rate(const LinkGraph& graph, const Network& network) {
  UniformTraffic traffic(graph, network);
  if (traffic.work() > max_flow_steps) return std::nullopt;
  return BytesPerSecond{traffic.rate(traffic.num_hosts() - 1)};
}

}  // namespace vtopo::detail
