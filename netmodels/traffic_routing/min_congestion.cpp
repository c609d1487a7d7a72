#include "netmodels/traffic_routing/min_congestion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

#include "netmodels/traffic_routing/detours.hpp"
#include "netmodels/traffic_routing/traffic_routed.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo {

namespace {

/// A path, or several in fixed proportions, with the volume that takes it.
struct Path {
  std::vector<LinkShare> links;  ///< each once
  double volume = 0;
};

/// Loads of links, and prices that grow exponentially with them.
class PricedLinks {
 public:
  explicit PricedLinks(const std::vector<double>& capacity)
      : capacity_(capacity), load_(capacity.size()), price_(capacity.size()) {}

  void add(const std::vector<LinkShare>& links, double volume) {
    for (const auto& [link, share] : links) load_[index(link)] += volume * share;
  }

  double congestion() const {
    double largest = 0;
    for (std::size_t l = 0; l < load_.size(); ++l)
      largest = std::max(largest, load_[l] / capacity_[l]);
    return largest;
  }

  /// Prices anew: exp(steepness * (congestion / scale - 1)) / capacity.
  void set_prices(double steepness, double scale) {
    rate_ = steepness / scale;
    steepness_ = steepness;
    for (std::size_t l = 0; l < load_.size(); ++l) price(l);
  }

  /// The same after a path has got more volume.
  void move(const std::vector<LinkShare>& links, double volume) {
    for (const auto& [link, share] : links) {
      load_[index(link)] += volume * share;
      price(index(link));
    }
  }

  double cost(const std::vector<LinkShare>& links) const {
    double sum = 0;
    for (const auto& [link, share] : links) sum += share * price_[index(link)];
    return sum;
  }

  /// Second derivative of the potential by volume on a path, and the volume that makes a link of it
  /// e times as dear.
  struct Curve {
    double curvature = 0;
    double step = std::numeric_limits<double>::infinity();
  };
  Curve curve(const std::vector<LinkShare>& links) const {
    Curve curve;
    for (const auto& [link, share] : links) {
      const double by = rate_ / capacity_[index(link)] * share;
      curve.curvature += by * share * price_[index(link)];
      if (by > 0) curve.step = std::min(curve.step, 1 / by);
    }
    return curve;
  }

  const std::vector<double>& prices() const { return price_; }

  /// Prices times capacities, summed over the links.
  double value_of_all() const {
    double sum = 0;
    for (std::size_t l = 0; l < price_.size(); ++l)
      if (std::isfinite(capacity_[l])) sum += price_[l] * capacity_[l];
    return sum;
  }

 private:
  void price(std::size_t l) {
    price_[l] = std::exp(rate_ * load_[l] / capacity_[l] - steepness_) / capacity_[l];
  }

  const std::vector<double>& capacity_;
  std::vector<double> load_, price_;
  double rate_ = 0, steepness_ = 0;
};

/// Moves volume of a demand from its dearest path in use to its cheapest one.
/// @returns whether it was worth it.
bool shift(std::vector<Path>& paths, PricedLinks& links) {
  constexpr double same = 1e-6;
  std::size_t cheap = 0, dear = paths.size();
  double least = 0, most = 0;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    const double cost = links.cost(paths[p].links);
    if (p == 0 || cost < least) {
      least = cost;
      cheap = p;
    }
    if (paths[p].volume > 0 && (dear == paths.size() || cost > most)) {
      most = cost;
      dear = p;
    }
  }
  if (cheap == dear || most <= least * (1 + same)) return false;
  const auto from = links.curve(paths[dear].links), to = links.curve(paths[cheap].links);
  const double newton = (most - least) / (from.curvature + to.curvature);
  const double volume = std::min({paths[dear].volume, newton, to.step});
  links.move(paths[dear].links, -volume);
  links.move(paths[cheap].links, volume);
  paths[dear].volume = volume == paths[dear].volume ? 0 : paths[dear].volume - volume;
  paths[cheap].volume += volume;
  return true;
}

std::vector<int> destinations_of(const std::vector<Demand>& demands) {
  std::vector<int> vertices;
  for (const Demand& demand : demands) vertices.push_back(demand.to);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

class Search {
 public:
  Search(const LinkGraph& graph, const CongestionProblem& problem, const CongestionEffort& effort)
      : graph_(graph),
        problem_(problem),
        effort_(effort),
        links_(problem.capacity),
        destinations_(destinations_of(problem.demands)),
        detours_(graph, destinations_),
        paths_(problem.demands.size()) {
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      const auto row = problem.start.row(k);
      paths_[k].push_back({{row.begin(), row.end()}, problem.demands[k].volume});
      links_.add(paths_[k][0].links, paths_[k][0].volume);
    }
    for (std::size_t v = 0; v < static_cast<std::size_t>(graph.num_vertices()); ++v)
      if (graph.passes_on(static_cast<int>(v))) intermediates_.push_back(static_cast<int>(v));
    list_sources();
  }

  MinCongestion run() {
    MinCongestion result;
    keep_best(result);
    const double links = static_cast<double>(std::max<std::size_t>(graph_.num_arcs(), 1));
    const double looked_at = links * static_cast<double>(sources_.size() + destinations_.size()) +
                             static_cast<double>(intermediates_.size() * paths_.size()) / 4;
    double work = 0;
    while (!is_done(result) && work < effort_.work) {
      ++result.rounds;
      work += looked_at;
      price(result);
      result.bound = std::max(result.bound, certified());
      work += rebalance();
      keep_best(result);
    }
    put_shares(result);
    return result;
  }

 private:
  static constexpr std::size_t new_paths = 3;  ///< of a demand in one round, at most

  double gap(const MinCongestion& result) const {
    return result.bound > 0 ? result.congestion / result.bound - 1 : 1;
  }

  bool is_done(const MinCongestion& result) const {
    return paths_.empty() || (result.rounds > 0 && gap(result) <= effort_.gap);
  }

  void list_sources() {
    std::map<int, std::vector<std::size_t>> from;
    for (std::size_t k = 0; k < paths_.size(); ++k) from[problem_.demands[k].from].push_back(k);
    for (auto& [vertex, demands] : from) sources_.push_back({vertex, std::move(demands)});
  }

  /// The smaller the gap, the more the busiest links count alone.
  void price(const MinCongestion& result) {
    const double wanted = std::clamp(gap(result), effort_.gap, 1.0) / 2;
    const double links = static_cast<double>(std::max(graph_.num_arcs(), std::size_t{2}));
    links_.set_prices(std::log(links) / wanted, links_.congestion());
  }

  /// Shortest paths by the prices of now, which become paths of their demands.
  /// @returns the bound that the prices certify.
  double certified() {
    detours_.measure(links_.prices(), effort_.threads);
    std::vector<double> spent(sources_.size());
    parallel_for(sources_.size(), effort_.threads,
                 [&](std::size_t s) { spent[s] = extend(sources_[s]); });
    const double value = links_.value_of_all();
    const double sum = std::accumulate(spent.begin(), spent.end(), 0.0);
    return std::max(problem_.floor, value > 0 ? sum / value * (1 - 1e-12) : 0);
  }

  struct Source {
    int vertex;
    std::vector<std::size_t> demands;
  };

  /// @returns what the demands of a source pay at least.
  double extend(const Source& source) {
    Detours::FromVertex legs;
    detours_.measure_from(source.vertex, links_.prices(), legs);
    double sum = 0;
    for (const std::size_t k : source.demands) {
      const auto to = static_cast<std::size_t>(
          std::lower_bound(destinations_.begin(), destinations_.end(), problem_.demands[k].to) -
          destinations_.begin());
      sum += problem_.demands[k].volume * extend(k, to, legs);
    }
    return sum;
  }

  double extend(std::size_t k, std::size_t to, const Detours::FromVertex& legs) {
    const auto rest = detours_.lengths_to(to);
    const int end = problem_.demands[k].to;
    double least = legs.length[index(end)];
    for (const int by : intermediates_)
      least = std::min(least, legs.length[index(by)] + rest[index(by)]);
    constexpr double near = 1.02;
    if (links_.cost(cheapest_of(k).links) <= least * (1 + 1e-9)) return least;
    std::size_t added = 0;
    if (legs.length[index(end)] <= least * near) added += add_path(k, end, to, legs);
    // Demands begin at different intermediates: together they spread.
    const std::size_t count = intermediates_.size();
    const std::size_t first = (k * 2654435761U) % std::max<std::size_t>(count, 1);
    for (std::size_t i = 0; i < count && added < new_paths; ++i) {
      const int by = intermediates_[(first + i) % count];
      if (legs.length[index(by)] + rest[index(by)] <= least * near)
        added += add_path(k, by, to, legs);
    }
    return least;
  }

  const Path& cheapest_of(std::size_t k) const {
    return *std::min_element(paths_[k].begin(), paths_[k].end(), [&](const Path& a, const Path& b) {
      return links_.cost(a.links) < links_.cost(b.links);
    });
  }

  /// @returns the number of paths that are new, 0 or 1.
  std::size_t add_path(std::size_t k, int by, std::size_t to, const Detours::FromVertex& legs) {
    std::vector<LinkId> links;
    detours_.append_leg_from(legs, by, links_.prices(), links);
    detours_.append_leg_to(to, by, links_.prices(), links);
    Path path;
    for (const LinkId link : links) path.links.push_back({link, 1});
    join_entries(path.links, 0);
    for (const Path& known : paths_[k])
      if (std::equal(
              known.links.begin(), known.links.end(), path.links.begin(), path.links.end(),
              [](const auto& a, const auto& b) { return a.link == b.link && a.share == b.share; }))
        return 0;
    paths_[k].push_back(std::move(path));
    return 1;
  }

  /// @returns links looked at.
  double rebalance() {
    constexpr int sweeps = 30;
    double work = 0;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      bool moved = false;
      for (auto& paths : paths_) {
        if (paths.size() < 2) continue;
        for (std::size_t tries = 0; tries < paths.size() && shift(paths, links_); ++tries)
          moved = true;
        for (const Path& path : paths) work += 2 * static_cast<double>(path.links.size());
      }
      if (!moved) break;
    }
    return work;
  }

  void keep_best(MinCongestion& result) {
    const double now = std::max(links_.congestion(), problem_.floor);
    if (result.rounds > 0 && now >= result.congestion) return;
    result.congestion = now;
    best_.resize(paths_.size());
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      best_[k].clear();
      for (const Path& path : paths_[k]) best_[k].push_back(path.volume);
    }
  }

  void put_shares(MinCongestion& result) const {
    std::vector<LinkShare> shares;
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      shares.clear();
      for (std::size_t p = 0; p < best_[k].size(); ++p) {
        if (best_[k][p] <= 0) continue;
        const double part = best_[k][p] / problem_.demands[k].volume;
        for (const auto& [link, share] : paths_[k][p].links) shares.push_back({link, share * part});
      }
      join_entries(shares, 0);
      for (const LinkShare& on : shares) result.shares.push(on);
      result.shares.end_row();
    }
  }

  const LinkGraph& graph_;
  const CongestionProblem& problem_;
  const CongestionEffort& effort_;
  PricedLinks links_;
  std::vector<int> destinations_;  ///< ascending
  Detours detours_;
  std::vector<std::vector<Path>> paths_;   ///< of each demand
  std::vector<std::vector<double>> best_;  ///< volumes of the best routing so far
  std::vector<int> intermediates_;
  std::vector<Source> sources_;
};

}  // namespace

MinCongestion min_congestion(const LinkGraph& graph, const CongestionProblem& problem,
                             const CongestionEffort& effort) {
  return Search(graph, problem, effort).run();
}

}  // namespace vtopo
