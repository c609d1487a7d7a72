#include "netmodels/traffic_routing/min_congestion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

#include "netmodels/traffic_routing/detours.hpp"
#include "netmodels/traffic_routing/path_program.hpp"
#include "netmodels/traffic_routing/traffic_routed.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo {

namespace {

using Path = LoadedPath;

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
  /// Prices that others have found.
  void use_prices(std::vector<double> prices) { price_ = std::move(prices); }
  /// Loads from scratch.
  void clear() { std::fill(load_.begin(), load_.end(), 0.0); }

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

/// What a demand pays, and how much of it it could save over its own paths.
struct Spending {
  double paid = 0, saved = 0;
};

/// Moves volume of a demand from dear paths in use to its cheapest one.
Spending rebalance_demand(std::vector<Path>& paths, PricedLinks& links,
                          std::vector<double>& costs) {
  Spending spending;
  costs.clear();
  std::size_t cheap = 0;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    costs.push_back(links.cost(paths[p].links));
    if (costs[p] < costs[cheap]) cheap = p;
  }
  const double least = costs[cheap];
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (paths[p].volume <= 0) continue;
    spending.paid += paths[p].volume * costs[p];
    spending.saved += paths[p].volume * (costs[p] - least);
    if (p == cheap) continue;
    const double dear = links.cost(paths[p].links), now = links.cost(paths[cheap].links);
    if (dear <= now) continue;
    const auto from = links.curve(paths[p].links), to = links.curve(paths[cheap].links);
    const double newton = (dear - now) / (from.curvature + to.curvature);
    const double volume = std::min({paths[p].volume, newton, to.step});
    links.move(paths[p].links, -volume);
    links.move(paths[cheap].links, volume);
    paths[p].volume = volume == paths[p].volume ? 0 : paths[p].volume - volume;
    paths[cheap].volume += volume;
  }
  return spending;
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
      paths_[k].push_back({{row.begin(), row.end()}, problem.demands[k].volume, 0, 0});
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
      work += rebalance(gap(result));
      keep_best(result);
      forget_idle();
    }
    finish_exactly(result);
    put_shares(result);
    return result;
  }

 private:
  static constexpr std::size_t new_paths = 3;  ///< of a demand in one round, at most

  /// Small problems go on to the optimum: volumes and prices by the simplex method, paths by the
  /// prices, until these certify that there is nothing less.
  void finish_exactly(MinCongestion& result) {
    constexpr int max_rounds = 200;
    constexpr double exact = 1e-9;
    std::vector<double> volume;
    for (const Demand& demand : problem_.demands) volume.push_back(demand.volume);
    for (int round = 0; round < max_rounds && gap(result) > exact && !paths_.empty(); ++round) {
      auto optimum = optimal_volumes(paths_, volume, problem_.capacity);
      if (!optimum) return;
      ++result.rounds;
      links_.clear();
      for (std::size_t k = 0; k < paths_.size(); ++k)
        for (std::size_t p = 0; p < paths_[k].size(); ++p) {
          paths_[k][p].volume = optimum->volumes[k][p];
          links_.add(paths_[k][p].links, paths_[k][p].volume);
        }
      keep_best(result);
      links_.use_prices(std::move(optimum->prices));
      slack_ = 1e-10;
      result.bound = std::max(result.bound, certified());
    }
  }

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
    slack_ = wanted / 10;
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
    if (cheapest_of(k) <= least * (1 + slack_)) return least;
    const double near = least * (1 + 4 * slack_);
    std::size_t added = 0;
    if (legs.length[index(end)] <= near) added += add_path(k, end, to, legs);
    // Demands begin at different intermediates: together they spread.
    const std::size_t count = intermediates_.size();
    const std::size_t first = (k * 2654435761U) % std::max<std::size_t>(count, 1);
    for (std::size_t i = 0; i < count && added < new_paths; ++i) {
      const int by = intermediates_[(first + i) % count];
      if (legs.length[index(by)] + rest[index(by)] <= near) added += add_path(k, by, to, legs);
    }
    return least;
  }

  double cheapest_of(std::size_t k) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Path& path : paths_[k]) least = std::min(least, links_.cost(path.links));
    return least;
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

  /// Until the demands could hardly save by moving among their paths.
  /// @returns links looked at.
  double rebalance(double gap) {
    constexpr int max_sweeps = 40;
    double work = 0;
    std::vector<double> costs;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      Spending all;
      for (auto& paths : paths_) {
        if (paths.size() < 2) continue;
        const Spending of = rebalance_demand(paths, links_, costs);
        all.paid += of.paid;
        all.saved += of.saved;
        for (const Path& path : paths) work += 4 * static_cast<double>(path.links.size());
      }
      if (all.saved <= 0.1 * gap * all.paid) break;
    }
    return work;
  }

  void keep_best(MinCongestion& result) {
    const double now = std::max(links_.congestion(), problem_.floor);
    if (result.rounds > 0 && now >= result.congestion) return;
    result.congestion = now;
    for (auto& paths : paths_)
      for (Path& path : paths) path.best_volume = path.volume;
  }

  void forget_idle() {
    constexpr int patience = 4;
    for (auto& paths : paths_) {
      for (Path& path : paths) path.idle_rounds = path.volume > 0 ? 0 : path.idle_rounds + 1;
      std::erase_if(paths, [](const Path& path) {
        return path.idle_rounds > patience && path.best_volume <= 0;
      });
    }
  }

  void put_shares(MinCongestion& result) const {
    std::vector<LinkShare> shares;
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      shares.clear();
      for (const Path& path : paths_[k]) {
        if (path.best_volume <= 0) continue;
        const double part = path.best_volume / problem_.demands[k].volume;
        for (const auto& [link, share] : path.links) shares.push_back({link, share * part});
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
  std::vector<std::vector<Path>> paths_;  ///< of each demand
  double slack_ = 0.01;                   ///< by which a path is as cheap as another
  std::vector<int> intermediates_;
  std::vector<Source> sources_;
};

}  // namespace

MinCongestion min_congestion(const LinkGraph& graph, const CongestionProblem& problem,
                             const CongestionEffort& effort) {
  return Search(graph, problem, effort).run();
}

}  // namespace vtopo
