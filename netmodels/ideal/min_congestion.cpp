#include "netmodels/ideal/min_congestion.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "netmodels/ideal/path_program.hpp"
#include "netmodels/ideal/priced_links.hpp"
#include "netmodels/load_routing/legs.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo::detail {

namespace {

using Path = LoadedPath;

/// Vertices at that end of demands, ascending.
std::vector<int> ends_of(const std::vector<Demand>& demands, int Demand::*end) {
  std::vector<int> vertices;
  vertices.reserve(demands.size());
  for (const Demand& demand : demands) vertices.push_back(demand.*end);
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

std::size_t position(const std::vector<int>& ascending, int value) {
  return static_cast<std::size_t>(std::lower_bound(ascending.begin(), ascending.end(), value) -
                                  ascending.begin());
}

bool same_links(const Path& a, const Path& b) {
  return std::equal(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(),
                    [](const LinkShare& x, const LinkShare& y) {
                      return x.link == y.link && x.share == y.share;
                    });
}

bool uses(const Path& path, LinkId link) {
  return std::any_of(path.links.begin(), path.links.end(),
                     [&](const LinkShare& on) { return on.link == link; });
}

/// Vertices by way of which a route may lead: not those in which it would turn back, such as hosts
/// and all that is behind one neighbour, like the inside of a host.
std::vector<bool> intermediates_of(const LinkGraph& graph) {
  const auto vertices = index(graph.num_vertices());
  std::vector<bool> is_intermediate(vertices, true);
  std::vector<int> leaves;
  const auto only_neighbour = [&](int v) {  // -1: none; -2: several
    int neighbour = -1;
    for (const auto& arcs : {graph.out_arcs(v), graph.in_arcs(v)})
      for (const Arc& arc : arcs) {
        const int other = arc.from == v ? arc.to : arc.from;
        if (!is_intermediate[index(other)] || other == neighbour) continue;
        neighbour = neighbour == -1 ? other : -2;
      }
    return neighbour;
  };
  for (int v = 0; v < graph.num_vertices(); ++v) {
    is_intermediate[index(v)] = graph.passes_on(v);
    leaves.push_back(v);
  }
  while (!leaves.empty()) {
    const int v = leaves.back();
    leaves.pop_back();
    const int neighbour = only_neighbour(v);
    if (!is_intermediate[index(v)] || neighbour == -2) continue;
    is_intermediate[index(v)] = false;
    if (neighbour >= 0) leaves.push_back(neighbour);
  }
  return is_intermediate;
}

/// Some number that differs from demand to demand, so that together they spread.
std::size_t scattered(std::size_t demand) {
  return demand * 2654435761U;
}

class Search {
 public:
  Search(const LinkGraph& graph, const CongestionProblem& problem, const CongestionEffort& effort)
      : graph_(graph),
        problem_(problem),
        effort_(effort),
        links_(problem.capacity),
        sources_(ends_of(problem.demands, &Demand::from)),
        destinations_(ends_of(problem.demands, &Demand::to)),
        from_(graph, sources_, Legs::Direction::from_root),
        to_(graph, destinations_, Legs::Direction::to_root),
        is_intermediate_(intermediates_of(graph)),
        length_to_(destinations_.size() * index(graph.num_vertices())),
        paths_(problem.demands.size()),
        demands_of_(sources_.size()) {
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      const auto row = problem.start.row(k);
      paths_[k].push_back({{row.begin(), row.end()}, problem.demands[k].volume});
      links_.add(paths_[k][0].links, paths_[k][0].volume);
      ends_.push_back({position(sources_, problem.demands[k].from),
                       position(destinations_, problem.demands[k].to)});
      demands_of_[ends_[k].source].push_back(k);
    }
    while (first_intermediate_ < graph.num_vertices() && !graph.passes_on(first_intermediate_))
      ++first_intermediate_;
  }

  MinCongestion run() {
    MinCongestion result;
    keep_best(result);
    if (paths_.empty()) result.bound = problem_.floor;
    double work = 0;
    links_.set_prices(0, 1);
    while (!is_done(result) && work < effort_.work) {
      ++result.rounds;
      slack_ = near_ * std::clamp(gap(result), effort_.gap, 1.0);
      certify(result);
      if (result.rounds > 1) {
        const double spared = 1 - least_spent_ / links_.spent();
        if (spared < settled_) links_.keep_prices(memory(gap(result)));
        steepest_ =
            spared < well_settled_ ? std::min(2 * steepest_, 200.0) : std::max(steepest_ / 2, 25.0);
      }
      links_.set_prices(steepness(gap(result)), result.congestion);
      work += certificate_work() + rebalance(gap(result));
      keep_best(result);
      forget_idle();
    }
    finish_exactly(result);
    put_shares(result);
    return result;
  }

 private:
  static constexpr double near_ = 0.05;  ///< of the gap: paths that are hardly dearer
  /// Of what demands pay, that they could save by paths that they do not have.
  static constexpr double settled_ = 0.2, well_settled_ = 0.03;
  static constexpr int patience_ = 2;      ///< with paths that nothing takes
  static constexpr int max_rounds_ = 400;  ///< small problems go on by the simplex method

  /// Work of one certificate, in links.
  double certificate_work() const {
    const auto vertices = static_cast<double>(graph_.num_vertices());
    return vertices * (4 * static_cast<double>(sources_.size() + destinations_.size()) +
                       static_cast<double>(paths_.size()) / 4);
  }

  /// As long as much is wrong, prices that vary a little lead to many paths at once. Later, steep
  /// ones certify more, if the demands have the paths that such prices ask for.
  double steepness(double gap) const { return std::clamp(4 / gap, 8.0, steepest_); }

  /// Prices of links that had little to do at first would stay low for long: they are forgotten
  /// until not much is wrong.
  static double memory(double gap) { return gap < 0.035 ? 1 : 0.7; }

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
      certify(result);
    }
  }

  double gap(const MinCongestion& result) const {
    return result.bound > 0 ? result.congestion / result.bound - 1 : 1;
  }

  bool is_done(const MinCongestion& result) const {
    return paths_.empty() || result.rounds >= max_rounds_ ||
           (result.rounds > 0 && gap(result) <= effort_.gap);
  }

  /// Shortest paths by the prices of now, which become paths of their demands, and the bound that
  /// the prices certify.
  void certify(MinCongestion& result) {
    from_.set_lengths(links_.prices());
    to_.set_lengths(links_.prices());
    constexpr double worth_a_thread = 200'000;  // links: about a millisecond
    const int threads = certificate_work() < worth_a_thread ? 1 : effort_.threads;
    parallel_for(destinations_.size(), threads,
                 [&](std::size_t d) { to_.measure(d, length_to(d)); });
    std::vector<double> spent(sources_.size());
    parallel_for(sources_.size(), threads, [&](std::size_t s) { spent[s] = extend(s); });
    const double value = links_.value_of_all();
    least_spent_ = std::accumulate(spent.begin(), spent.end(), 0.0);
    const double certified = value > 0 ? least_spent_ / value * (1 - 1e-12) : 0;
    result.bound = std::max({result.bound, problem_.floor, certified});
  }

  std::span<double> length_to(std::size_t destination) {
    const auto vertices = index(graph_.num_vertices());
    return {length_to_.data() + destination * vertices, vertices};
  }

  /// @returns what the demands of a source pay at least.
  double extend(std::size_t source) {
    std::vector<double> length(index(graph_.num_vertices()));
    from_.measure(source, length);
    double sum = 0;
    for (const std::size_t k : demands_of_[source])
      sum += problem_.demands[k].volume * extend(k, length);
    return sum;
  }

  /// @param from lengths of legs from the source of the demand.
  double extend(std::size_t k, std::span<const double> from) {
    const auto rest = length_to(ends_[k].destination);
    const auto by_way_of = [&](int by) { return from[index(by)] + rest[index(by)]; };
    const int end = problem_.demands[k].to;
    double least = from[index(end)];
    for (int by = first_intermediate_; by < graph_.num_vertices(); ++by)
      least = std::min(least, by_way_of(by));
    if (cheapest_of(k) <= least * (1 + slack_)) return least;

    const double near = least * (1 + 4 * slack_);
    std::size_t new_paths = 3;
    const auto add = [&](int by) {
      const bool may_be = by == end || is_intermediate_[index(by)];
      if (new_paths == 0 || !may_be || by_way_of(by) > near) return;
      found_of(k, by, from);
      new_paths -= 1;
    };
    add(end);
    const int count = graph_.num_vertices() - first_intermediate_;
    const int begin =
        first_intermediate_ + (count > 0 ? static_cast<int>(scattered(k) % index(count)) : 0);
    for (int by = begin; by < graph_.num_vertices(); ++by) add(by);
    for (int by = first_intermediate_; by < begin; ++by) add(by);
    return least;
  }

  void found_of(std::size_t k, int by, std::span<const double> from) {
    std::vector<LinkId> links;
    from_.append_leg(ends_[k].source, from, by, links);
    to_.append_leg(ends_[k].destination, length_to(ends_[k].destination), by, links);
    add_path(k, by, links);
  }

  double cheapest_of(std::size_t k) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Path& path : paths_[k]) least = std::min(least, links_.cost(path.links));
    return least;
  }

  /// Walks that take a link twice are left out: without what lies between, they cost no more and
  /// pass by way of another vertex.
  void add_path(std::size_t k, int by, const std::vector<LinkId>& links) {
    Path path;
    path.by = by;
    for (const LinkId link : links) {
      if (uses(path, link)) return;
      path.links.push_back({link, 1});
    }
    for (const Path& known : paths_[k])
      if (same_links(known, path)) return;
    paths_[k].push_back(std::move(path));
  }

  /// Shortest paths by the prices of this moment, which change from demand to demand: the direct
  /// one, and by way of an intermediate that the demand has and of a neighbour of one of its ends.
  void refine(std::size_t k, std::size_t turn) {
    const Demand& demand = problem_.demands[k];
    double cheapest = cheapest_of(k);
    const auto try_way = [&](int by) {
      links_by_.clear();
      if (!from_.append_shortest(ends_[k].source, by, links_.prices(), search_, links_by_) ||
          !to_.append_shortest(ends_[k].destination, by, links_.prices(), search_, links_by_))
        return;
      double cost = 0;
      for (const LinkId link : links_by_) cost += links_.prices()[index(link)];
      if (cost >= cheapest * (1 - slack_)) return;
      cheapest = cost;
      add_path(k, by, links_by_);
    };
    const int known = paths_[k][turn % paths_[k].size()].by;
    const auto out = graph_.out_arcs(demand.from), in = graph_.in_arcs(demand.to);
    const std::size_t next = (scattered(k) + turn) % (out.size() + in.size());
    const int beside = next < out.size() ? out[next].to : in[next - out.size()].from;
    try_way(demand.to);
    if (known >= 0 && known != demand.to) try_way(known);
    if (is_intermediate_[index(beside)]) try_way(beside);
  }

  /// Until the demands could hardly save by moving among their paths.
  /// @returns links looked at.
  double rebalance(double gap) {
    constexpr int max_sweeps = 12, refined_sweeps = 4;
    double work = 0;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
      PricedLinks::Spending all;
      ++turn_;
      for (std::size_t k = 0; k < paths_.size(); ++k) {
        if (sweep < refined_sweeps) refine(k, turn_);
        if (paths_[k].size() < 2) continue;
        const auto of = links_.rebalance(paths_[k]);
        all.paid += of.paid;
        all.saved += of.saved;
        for (const Path& path : paths_[k]) work += 4 * static_cast<double>(path.links.size());
      }
      if (sweep >= refined_sweeps && all.saved <= 0.1 * gap * all.paid) break;
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
    for (auto& paths : paths_) {
      for (Path& path : paths) path.idle_rounds = path.volume > 0 ? 0 : path.idle_rounds + 1;
      std::erase_if(paths, [](const Path& path) {
        return path.idle_rounds > patience_ && path.best_volume <= 0;
      });
    }
  }

  void put_shares(MinCongestion& result) const {
    std::vector<LinkShare> shares;
    for (std::size_t k = 0; k < paths_.size(); ++k) {
      shares.clear();
      const auto used = std::count_if(paths_[k].begin(), paths_[k].end(),
                                      [](const Path& path) { return path.best_volume > 0; });
      for (const Path& path : paths_[k]) {
        if (path.best_volume <= 0) continue;
        const double part = used == 1 ? 1 : path.best_volume / problem_.demands[k].volume;
        for (const auto& [link, share] : path.links) shares.push_back({link, share * part});
      }
      if (used > 1) join_entries(shares, 0);  // one route stays in the order of travel
      for (const LinkShare& on : shares) result.shares.push(on);
      result.shares.end_row();
    }
  }

  /// Positions of the ends of a demand.
  struct Ends {
    std::size_t source, destination;
  };

  const LinkGraph& graph_;
  const CongestionProblem& problem_;
  const CongestionEffort& effort_;
  PricedLinks links_;
  std::vector<int> sources_, destinations_;  ///< ascending
  Legs from_, to_;                           ///< of these
  std::vector<bool> is_intermediate_;        ///< by vertex
  std::vector<double> length_to_;            ///< a row per destination, an entry per vertex
  std::vector<std::vector<Path>> paths_;     ///< of each demand
  std::vector<Ends> ends_;                   ///< of each demand
  std::vector<std::vector<std::size_t>> demands_of_;  ///< of each source
  double steepest_ = 50;                              ///< that prices may be, from round to round
  double slack_ = 0;                                  ///< by which a path is as cheap as another
  double least_spent_ = 0;      ///< by all demands, at the prices of the last certificate
  int first_intermediate_ = 0;  ///< vertices from it on pass traffic on
  std::size_t turn_ = 0;        ///< sweeps so far
  Legs::Search search_;
  std::vector<LinkId> links_by_;
};

}  // namespace

MinCongestion min_congestion(const LinkGraph& graph, const CongestionProblem& problem,
                             const CongestionEffort& effort) {
  return Search(graph, problem, effort).run();
}

}  // namespace vtopo::detail
