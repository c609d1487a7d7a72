#include "netmodels/fabric/bisection.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Undirected view of the links: what both directions between two vertices carry in sum.
class Weights {
 public:
  struct Neighbour {
    int vertex;
    double weight;
  };

  Weights(const LinkGraph& graph, const Network& network)
      : neighbours_(index(graph.num_vertices())), is_host_(neighbours_.size()) {
    constexpr double unlimited = 1e20;
    for (const Arc& arc : graph.arcs()) {
      const LinkProperties link = network.link(arc.link);
      const double weight = link.sharing == LinkSharing::fatpipe
                                ? unlimited
                                : std::min(link.bandwidth.value, unlimited);
      neighbours_[index(arc.from)].push_back({arc.to, weight});
      neighbours_[index(arc.to)].push_back({arc.from, weight});
    }
    for (int h = 0; h < graph.num_hosts(); ++h) {
      if (!network.is_up(HostId{h})) continue;
      is_host_[index(h)] = true;
      hosts_.push_back(h);
    }
  }

  std::size_t size() const { return neighbours_.size(); }
  const std::vector<Neighbour>& of(std::size_t vertex) const { return neighbours_[vertex]; }
  bool is_host(std::size_t vertex) const { return is_host_[vertex]; }
  /// Working hosts, ascending.
  const std::vector<int>& hosts() const { return hosts_; }

 private:
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<bool> is_host_;
  std::vector<int> hosts_;
};

/// A cut that Fiduccia-Mattheyses passes make smaller. Hosts stay balanced to one between moves.
class Halves {
 public:
  Halves(const Weights& weights, std::vector<char> side)
      : weights_(weights), side_(std::move(side)), gain_(side_.size()), locked_(side_.size()) {
    for (const int host : weights_.hosts()) ++hosts_[at(side_[index(host)])];
    for (std::size_t v = 0; v < side_.size(); ++v)
      for (const auto& [other, weight] : weights_.of(v))
        if (side_[v] != side_[index(other)]) cut_ += weight / 2;
  }

  double cut() const { return cut_; }
  std::vector<char> take_sides() { return std::move(side_); }

  void improve() {
    constexpr int max_passes = 20;
    for (int pass = 0; pass < max_passes && improve_once(); ++pass) {
    }
  }

 private:
  using Queue = std::set<std::pair<double, std::size_t>>;  // loss and vertex: best first

  static std::size_t at(char side) { return index(side); }

  Queue& queue_of(std::size_t vertex) {
    return weights_.is_host(vertex) ? host_queues_[at(side_[vertex])] : router_queue_;
  }

  /// Moves every vertex at most once, always the one whose move is best, and keeps the best cut on
  /// the way. Gives up when many moves in a row brought nothing.
  bool improve_once() {
    constexpr std::size_t max_idle_moves = 20'000;
    start();
    std::vector<std::size_t> moved;
    std::size_t best_length = 0;
    double change = 0, best = -1e-9 * cut_;
    while (const Queue* queue = next_queue()) {
      const auto [loss, vertex] = *queue->begin();
      move(vertex);
      moved.push_back(vertex);
      change += loss;
      const int difference = std::abs(hosts_[0] - hosts_[1]);
      if (difference <= narrow<int>(weights_.hosts().size() % 2) && change < best) {
        best = change;
        best_length = moved.size();
      }
      if (moved.size() - best_length > max_idle_moves) break;
    }
    for (std::size_t i = moved.size(); i > best_length; --i) flip(moved[i - 1]);
    if (best_length == 0) return false;
    cut_ += best;
    return true;
  }

  void start() {
    for (Queue& queue : host_queues_) queue.clear();
    router_queue_.clear();
    std::fill(locked_.begin(), locked_.end(), false);
    for (std::size_t v = 0; v < side_.size(); ++v) {
      gain_[v] = 0;
      for (const auto& [other, weight] : weights_.of(v))
        gain_[v] += side_[v] != side_[index(other)] ? weight : -weight;
      if (weights_.is_host(v) || !weights_.of(v).empty()) queue_of(v).insert({-gain_[v], v});
    }
  }

  /// Queue with the best move that keeps the hosts balanced to one.
  const Queue* next_queue() const {
    const Queue* best = nullptr;
    const auto consider = [&best](const Queue& queue) {
      if (!queue.empty() && (best == nullptr || *queue.begin() < *best->begin())) best = &queue;
    };
    consider(router_queue_);
    if (hosts_[0] >= hosts_[1]) consider(host_queues_[0]);
    if (hosts_[1] >= hosts_[0]) consider(host_queues_[1]);
    return best;
  }

  void flip(std::size_t vertex) {
    if (weights_.is_host(vertex)) {
      --hosts_[at(side_[vertex])];
      ++hosts_[1 - at(side_[vertex])];
    }
    side_[vertex] = static_cast<char>(1 - side_[vertex]);
  }

  void move(std::size_t vertex) {
    queue_of(vertex).erase({-gain_[vertex], vertex});
    locked_[vertex] = true;
    flip(vertex);
    for (const auto& [neighbour, weight] : weights_.of(vertex)) {
      const auto other = index(neighbour);
      if (locked_[other]) continue;
      Queue& queue = queue_of(other);
      queue.erase({-gain_[other], other});
      gain_[other] += side_[other] != side_[vertex] ? 2 * weight : -2 * weight;
      queue.insert({-gain_[other], other});
    }
  }

  const Weights& weights_;
  std::vector<char> side_;
  std::vector<double> gain_;
  std::vector<bool> locked_;
  std::array<int, 2> hosts_{};
  std::array<Queue, 2> host_queues_;
  Queue router_queue_;
  double cut_ = 0;
};

/// First half of the hosts in this order on side 0; every router where most of its bandwidth to
/// what has a side already leads, the nearest to hosts first.
std::vector<char> split(const Weights& weights, const std::vector<int>& order) {
  std::vector<char> side(weights.size(), 0);
  std::vector<bool> placed(weights.size());
  std::vector<std::size_t> queue;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto host = index(order[i]);
    side[host] = i < (order.size() + 1) / 2 ? 0 : 1;
    placed[host] = true;
    queue.push_back(host);
  }
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const auto& [neighbour, unused] : weights.of(queue[next])) {
      const auto router = index(neighbour);
      if (placed[router]) continue;
      double pull = 0;
      for (const auto& [other, weight] : weights.of(router))
        if (placed[index(other)]) pull += side[index(other)] == 0 ? -weight : weight;
      side[router] = pull > 0 ? 1 : 0;
      placed[router] = true;
      queue.push_back(router);
    }
  return side;
}

std::vector<int> order_by(const std::vector<int>& hosts, const std::vector<double>& key) {
  std::vector<int> order = hosts;
  std::stable_sort(order.begin(), order.end(),
                   [&key](int a, int b) { return key[index(a)] < key[index(b)]; });
  return order;
}

/// Steps after which only the slowest mode is left: the square of the diameter, as on a path.
int steps_to_converge(std::size_t vertices, int longest) {
  constexpr std::int64_t least = 200, max_work = 50'000'000;
  const auto affordable = max_work / static_cast<std::int64_t>(vertices);
  return narrow<int>(
      std::clamp(std::int64_t{longest} * longest, least, std::max(least, affordable)));
}

/// Second eigenvector of the random walk on the graph, roughly: slowest to even out.
std::vector<double> fiedler_vector(const Weights& weights, std::vector<double> x, int iterations) {
  std::vector<double> degree(weights.size()), next(weights.size());
  for (std::size_t v = 0; v < weights.size(); ++v)
    for (const auto& neighbour : weights.of(v)) degree[v] += neighbour.weight;
  const double total = std::accumulate(degree.begin(), degree.end(), 0.0);
  for (int i = 0; i < iterations && total > 0; ++i) {
    const double mean = std::inner_product(x.begin(), x.end(), degree.begin(), 0.0) / total;
    double largest = 0;
    for (double& value : x) {
      value -= mean;
      largest = std::max(largest, std::abs(value));
    }
    if (largest == 0) break;
    for (std::size_t v = 0; v < x.size(); ++v) {
      double sum = 0;
      for (const auto& [other, weight] : weights.of(v)) sum += weight * x[index(other)];
      next[v] = (degree[v] > 0 ? (x[v] + sum / degree[v]) / 2 : x[v]) / largest;
    }
    x.swap(next);
  }
  return x;
}

std::vector<double> as_numbers(const std::vector<int>& distances) {
  return {distances.begin(), distances.end()};
}

int farthest(const std::vector<int>& hosts, const std::vector<int>& distances) {
  return *std::max_element(hosts.begin(), hosts.end(), [&distances](int a, int b) {
    const auto distance = [&distances](int host) {
      const int d = distances[index(host)];
      return d == LinkGraph::unreachable ? -1 : d;
    };
    return distance(a) < distance(b);
  });
}

/// Hosts of a grid by each coordinate in turn: cuts between planes.
std::vector<std::vector<int>> orders_by_coordinate(const std::vector<int>& hosts,
                                                   const Network& network) {
  std::vector<std::vector<int>> orders;
  const auto grid = network.coordinates();
  if (!grid) return orders;
  std::int64_t stride = grid->hosts_per_router;
  for (const NetworkAxis& axis : grid->axes) {
    const auto coordinate = [&](int host) { return host / stride % axis.size; };
    orders.push_back(hosts);
    std::stable_sort(orders.back().begin(), orders.back().end(),
                     [&](int a, int b) { return coordinate(a) < coordinate(b); });
    stride *= axis.size;
  }
  return orders;
}

}  // namespace

std::vector<char> smallest_cut_found(const LinkGraph& graph, const Network& network) {
  const Weights weights(graph, network);
  const auto& hosts = weights.hosts();
  if (hosts.empty()) return std::vector<char>(weights.size(), 0);
  const auto near = graph.distances_from(hosts.front());
  const int end = farthest(hosts, near);
  const auto far = graph.distances_from(end);
  const int reached = far[index(farthest(hosts, far))];
  const int steps = steps_to_converge(weights.size(), reached);
  std::vector<char> best;
  double least = 0;
  auto orders = orders_by_coordinate(hosts, network);
  orders.insert(orders.end(),
                {hosts, order_by(hosts, as_numbers(near)), order_by(hosts, as_numbers(far)),
                 order_by(hosts, fiedler_vector(weights, as_numbers(far), steps))});
  for (const auto& order : orders) {
    Halves halves(weights, split(weights, order));
    halves.improve();
    if (!best.empty() && halves.cut() >= least) continue;
    least = halves.cut();
    best = halves.take_sides();
  }
  return best;
}

std::optional<Bisection> smallest_plane_cut(const Network& network) {
  const auto grid = network.coordinates();
  if (!grid) return std::nullopt;
  std::optional<Bisection> least;
  std::int64_t stride = grid->hosts_per_router;
  const std::int64_t routers = network.num_hosts() / stride;
  for (const NetworkAxis& axis : grid->axes) {
    const std::int64_t half = axis.size / 2, below = (half - 1) * stride, above = half * stride;
    stride *= axis.size;
    if (axis.size % 2 != 0) continue;
    std::vector<LinkId> route;
    network.append_route(HostId{narrow<int>(below)}, HostId{narrow<int>(above)}, route);
    const LinkProperties link = network.link(route[route.size() / 2]);
    std::int64_t cables = axis.kind == AxisKind::ring ? 2 : 1;
    if (axis.kind == AxisKind::complete) cables = half * half;
    const std::int64_t links = routers / axis.size * cables;
    const BytesPerSecond bandwidth = link.bandwidth * static_cast<double>(links);
    if (!least || bandwidth < least->bandwidth)
      least = Bisection{bandwidth, links, false,
                        "estimate from above: the smallest cut between two planes"};
  }
  return least;
}

Bisection estimate_bisection(const LinkGraph& graph, const Network& network) {
  const std::vector<char> side = smallest_cut_found(graph, network);
  Bisection ways[2];
  for (const Arc& arc : graph.arcs()) {
    const char from = side[index(arc.from)];
    if (from == side[index(arc.to)]) continue;
    Bisection& way = ways[index(from)];
    const LinkProperties link = network.link(arc.link);
    way.bandwidth += link.sharing == LinkSharing::fatpipe
                         ? BytesPerSecond{std::numeric_limits<double>::infinity()}
                         : link.bandwidth;
    ++way.links;
  }
  Bisection result = ways[1].bandwidth < ways[0].bandwidth ? ways[1] : ways[0];
  result.method = "cut found by Fiduccia-Mattheyses passes; no closed form known";
  return result;
}

}  // namespace vtopo::detail
