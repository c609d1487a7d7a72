#include "sim/mapping/partition/guest_bisection.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "topology/base/compressed_rows.hpp"

namespace vtopo::detail {

WeightedGraph guest_graph(const Partners& partners) {
  WeightedGraph graph;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r}))
      graph.arcs.push_back({number(partner.rank), partner.both().value});
    graph.close_vertex(1);
  }
  return graph;
}

std::int64_t total_weight(const WeightedGraph& graph) {
  return std::accumulate(graph.weights.begin(), graph.weights.end(), std::int64_t{0});
}

WeightedGraph induced_graph(const WeightedGraph& graph, std::span<const int> vertices,
                            std::vector<int>& local) {
  WeightedGraph part;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    local[static_cast<std::size_t>(vertices[i])] = static_cast<int>(i);
  for (const int vertex : vertices) {
    for (const WeightedArc& arc : graph.of(vertex))
      if (const int target = local[static_cast<std::size_t>(arc.target)]; target >= 0)
        part.arcs.push_back({target, arc.weight});
    part.close_vertex(graph.weights[static_cast<std::size_t>(vertex)]);
  }
  for (const int vertex : vertices) local[static_cast<std::size_t>(vertex)] = -1;
  return part;
}

WeightedGraph contracted_graph(const WeightedGraph& graph, std::span<const int> coarse_of,
                               int num_coarse) {
  std::vector<int> vertices(coarse_of.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  const auto members = CompressedRows<int>::sorted(
      static_cast<std::size_t>(num_coarse), vertices,
      [&](int v) { return static_cast<std::size_t>(coarse_of[static_cast<std::size_t>(v)]); },
      [](int v) { return v; });
  WeightedGraph coarse;
  std::vector<std::ptrdiff_t> arc_to(static_cast<std::size_t>(num_coarse), -1);
  for (int c = 0; c < num_coarse; ++c) {
    const auto first = static_cast<std::ptrdiff_t>(coarse.arcs.size());
    int weight = 0;
    for (const int v : members.row(static_cast<std::size_t>(c))) {
      weight += graph.weights[static_cast<std::size_t>(v)];
      for (const WeightedArc& arc : graph.of(v)) {
        const int target = coarse_of[static_cast<std::size_t>(arc.target)];
        if (target == c) continue;
        std::ptrdiff_t& at = arc_to[static_cast<std::size_t>(target)];
        if (at < first) {
          at = static_cast<std::ptrdiff_t>(coarse.arcs.size());
          coarse.arcs.push_back({target, 0});
        }
        coarse.arcs[static_cast<std::size_t>(at)].weight += arc.weight;
      }
    }
    coarse.close_vertex(weight);
  }
  return coarse;
}

int match(const WeightedGraph& graph, std::int64_t max_weight, const Sides& sides, Random& random,
          std::vector<int>& coarse_of) {
  std::vector<int> visits(graph.weights.size());
  std::iota(visits.begin(), visits.end(), 0);
  shuffle(std::span(visits), random);
  coarse_of.assign(visits.size(), -1);
  int num_coarse = 0;
  for (const int v : visits) {
    if (coarse_of[static_cast<std::size_t>(v)] >= 0) continue;
    int best = -1;
    double best_rating = 0;
    for (const WeightedArc& arc : graph.of(v)) {
      const auto t = static_cast<std::size_t>(arc.target);
      const std::int64_t weight = graph.weights[t];
      if (coarse_of[t] >= 0 || weight + graph.weights[static_cast<std::size_t>(v)] > max_weight)
        continue;
      if (!sides.empty() && sides[t] != sides[static_cast<std::size_t>(v)]) continue;
      const double rating = arc.weight / static_cast<double>(weight);
      if (rating > best_rating) best = arc.target, best_rating = rating;
    }
    coarse_of[static_cast<std::size_t>(v)] = num_coarse;
    if (best >= 0) coarse_of[static_cast<std::size_t>(best)] = num_coarse;
    ++num_coarse;
  }
  return num_coarse;
}

namespace {

constexpr int max_coarsest = 80;
constexpr int num_growths = 8;

/// A cycle that lowers the cost of a bisection is followed by another one only where it has gained
/// this share of it.
constexpr double worth_another_cycle = 0.01;

/// A task and how its vertices were merged for the next coarser one.
struct BisectionLevel {
  BisectionTask task;
  std::vector<int> coarse_of;
};

using MustStop = std::function<bool()>;

/// Vertices between two looks at the clock.
constexpr int many_vertices = 4096;

bool stops(const MustStop& must_stop, const BisectionTask& at) {
  return must_stop && at.graph.num_vertices() >= many_vertices && must_stop();
}

/// Some bisection: the first vertices on side 0.
Sides as_they_come(const BisectionTask& task) {
  Sides sides(task.bias.size(), 1);
  std::int64_t ranks = 0;
  for (std::size_t v = 0; v < sides.size() && ranks < task.size; ++v) {
    sides[v] = 0;
    ranks += task.graph.weights[v];
  }
  return sides;
}

/// Sides of the vertices of the next coarser level, which were merged within their side.
Sides coarse_sides(const Sides& sides, const std::vector<int>& coarse_of, int num_coarse) {
  Sides coarse(static_cast<std::size_t>(num_coarse));
  for (std::size_t v = 0; v < sides.size(); ++v)
    coarse[static_cast<std::size_t>(coarse_of[v])] = sides[v];
  return coarse;
}

/// @param sides a bisection that all levels keep, at the end that of the coarsest; or empty.
std::vector<BisectionLevel> coarsen(const BisectionTask& task, Random& random, Sides& sides) {
  std::vector<BisectionLevel> levels{{task, {}}};
  const std::int64_t max_weight = std::max<std::int64_t>(2, total_weight(task.graph) / 30);
  while (levels.back().task.graph.num_vertices() > max_coarsest) {
    BisectionLevel& fine = levels.back();
    const int num_fine = fine.task.graph.num_vertices();
    const int num_coarse = match(fine.task.graph, max_weight, sides, random, fine.coarse_of);
    if (num_coarse > num_fine - num_fine / 20) break;
    if (!sides.empty()) sides = coarse_sides(sides, fine.coarse_of, num_coarse);
    BisectionTask coarse{contracted_graph(fine.task.graph, fine.coarse_of, num_coarse),
                         std::vector<double>(static_cast<std::size_t>(num_coarse), 0.0), task.size};
    for (std::size_t v = 0; v < fine.coarse_of.size(); ++v)
      coarse.bias[static_cast<std::size_t>(fine.coarse_of[v])] += fine.task.bias[v];
    levels.push_back({std::move(coarse), {}});
  }
  return levels;
}

std::int64_t heaviest(const WeightedGraph& graph) {
  return *std::max_element(graph.weights.begin(), graph.weights.end());
}

/// Grows side 0 from random vertices: refinement of an empty side takes the best vertex each time.
Sides grow(const BisectionTask& task, std::int64_t allowed, Random& random) {
  Sides best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int i = 0; i < num_growths; ++i) {
    Sides sides(task.bias.size(), 1);
    if (task.size > 0) sides[random.below(sides.size())] = 0;
    refine_bisection(task, allowed, sides);
    const double cost = bisection_cost(task, sides);
    if (cost < best_cost) best = std::move(sides), best_cost = cost;
  }
  return best;
}

/// @param sides a bisection to begin with, or empty.
/// @return nothing if it has to stop.
std::optional<Sides> bisect_once(const BisectionTask& task, Random& random,
                                 const MustStop& must_stop, Sides sides = {}) {
  auto levels = coarsen(task, random, sides);
  const auto allowed = [](const BisectionTask& at) {
    const std::int64_t most = heaviest(at.graph);
    return most == 1 ? 0 : most / 2;
  };
  const BisectionTask& coarsest = levels.back().task;
  if (sides.empty())
    sides = grow(coarsest, allowed(coarsest), random);
  else
    refine_bisection(coarsest, allowed(coarsest), sides);
  for (levels.pop_back(); !levels.empty(); levels.pop_back()) {
    const BisectionLevel& fine = levels.back();
    if (stops(must_stop, fine.task)) return std::nullopt;
    Sides finer(fine.coarse_of.size());
    for (std::size_t v = 0; v < finer.size(); ++v)
      finer[v] = sides[static_cast<std::size_t>(fine.coarse_of[v])];
    sides = std::move(finer);
    refine_bisection(fine.task, allowed(fine.task), sides);
  }
  return sides;
}

/// Lowers the cost of a bisection by cycles: the graph is coarsened again, vertices being merged
/// within their side, and refined on each level. C. Walshaw, "Multilevel refinement for
/// combinatorial optimisation problems" (Annals of Operations Research 2004).
/// @param cost of the bisection.
void improve_by_cycles(const BisectionTask& task, Random& random, const MustStop& must_stop,
                       int max_cycles, Sides& best, double cost) {
  if (task.graph.num_vertices() <= max_coarsest) return;
  for (int i = 0; i < max_cycles; ++i) {
    auto sides = bisect_once(task, random, must_stop, best);
    if (!sides) return;
    const double before = std::exchange(cost, bisection_cost(task, *sides));
    if (cost >= before) return;
    best = std::move(*sides);
    if (before - cost < worth_another_cycle * std::abs(before)) return;
  }
}

}  // namespace

Sides bisect(const BisectionTask& task, int tries, Random& random,
             const std::function<bool()>& must_stop, int cycles) {
  const std::int64_t total = total_weight(task.graph);
  if (task.size <= 0 || task.size >= total)
    return Sides(task.bias.size(), task.size <= 0 ? std::uint8_t{1} : std::uint8_t{0});
  if (total <= max_vertices_of_exact_bisection && total == task.graph.num_vertices())
    return bisect_exactly(task);
  Sides best;
  double best_cost = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries; ++i) {
    auto sides = bisect_once(task, random, must_stop);
    if (!sides) break;
    const double cost = bisection_cost(task, *sides);
    if (cost < best_cost) best = std::move(*sides), best_cost = cost;
  }
  if (best.empty()) return as_they_come(task);
  improve_by_cycles(task, random, must_stop, cycles, best, best_cost);
  return best;
}

}  // namespace vtopo::detail
