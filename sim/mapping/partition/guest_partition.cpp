#include "sim/mapping/partition/guest_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sim/mapping/partition/guest_bisection.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/partition/vertex_moves.hpp"
#include "sim/mapping/search/budget.hpp"
#include "sim/mapping/search/refinement.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/mapping/state/objective_state.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

/// Mean hops between parts of a host hierarchy, both directions together; estimated from some hosts
/// of large parts.
class PartDistances {
 public:
  /// The arguments must outlive the distances.
  PartDistances(const HostHierarchy& hierarchy, const HopTable& table);

  double between(int part, int other) const;

  /// What an edge between two parts costs more than one inside of them; > 0.
  double apart(int part, int other) const;

 private:
  const HopTable& table_;
  std::vector<std::vector<Place>> samples_;  ///< one entry per part
};

constexpr int max_samples = 16;

PartDistances::PartDistances(const HostHierarchy& hierarchy, const HopTable& table)
    : table_(table) {
  Random random(1);
  for (const HostPart& part : hierarchy.parts) {
    auto& places = samples_.emplace_back();
    const std::int64_t size = part.last - part.first;
    const std::int64_t samples = std::min<std::int64_t>(size, max_samples);
    for (std::int64_t s = 0; s < samples; ++s) {
      const std::int64_t low = s * size / samples;
      const auto length = static_cast<std::uint64_t>((s + 1) * size / samples - low);
      const std::int64_t offset = low + static_cast<std::int64_t>(random.below(length));
      places.push_back(hierarchy.order[static_cast<std::size_t>(part.first + offset)]);
    }
  }
}

double PartDistances::between(int part, int other) const {
  const auto& from = samples_[static_cast<std::size_t>(part)];
  const auto& to = samples_[static_cast<std::size_t>(other)];
  std::int64_t hops = 0;
  for (const Place a : from)
    for (const Place b : to) hops += table_.hops(a, b) + table_.hops_back(a, b);
  return static_cast<double>(hops) / (2.0 * static_cast<double>(from.size() * to.size()));
}

double PartDistances::apart(int part, int other) const {
  const double more = between(part, other) - (between(part, part) + between(other, other)) / 2;
  return std::max(more, 1e-3);
}

constexpr int max_rounds = 4;

/// Two parts together of which a new bisection is tried.
constexpr std::size_t max_vertices_bisected_anew = 4096;

/// Share of the time after which parts are only halved.
constexpr double refinement_time = 0.75;
constexpr double refinement_time_of_first = 0.3;  ///< of a partition that another one improves

/// Arcs that the refinement between the parts of one level may look at.
constexpr std::int64_t max_work_per_level = 6'000'000;

/// Parts of hosts with one slot each that are as far from all others, as those of a router are.
std::vector<char> equivalent_parts(const HostHierarchy& hierarchy, const HopTable& table) {
  std::vector<char> alike;
  for (const HostPart& part : hierarchy.parts) {
    const auto first = hierarchy.order.begin() + part.first;
    const auto last = hierarchy.order.begin() + part.last;
    const bool equivalent =
        part.slots == last - first &&
        std::all_of(first, last, [&](Place place) { return table.alike(*first, place); });
    alike.push_back(equivalent ? 1 : 0);
  }
  return alike;
}

/// Deals ranks to the parts of a hierarchy, level after level.
class GuestPartition {
 public:
  /// All must outlive it.
  GuestPartition(const MappingProblem& problem, const SearchControl& control,
                 const GuestPartitionOptions& options, const WeightedGraph& graph,
                 const HopTable& table, const HostHierarchy& hierarchy)
      : control_(control),
        options_(options),
        hierarchy_(hierarchy),
        parts_(hierarchy.parts),
        graph_(graph),
        equivalent_(equivalent_parts(hierarchy, table)),
        distances_(hierarchy, table),
        random_(problem.seed),
        part_of_(graph_.weights.size(), 0),
        members_(parts_.size()),
        local_(graph_.weights.size(), -1),
        sides_known_(parts_.size(), 0),
        preference_(parts_.size(), 0) {
    refines_until_ =
        after_share(control, options.halves_all ? refinement_time_of_first : refinement_time);
    members_[0].resize(part_of_.size());
    std::iota(members_[0].begin(), members_[0].end(), 0);
  }

  /// Lets hosts exchange ranks, and fill their free slots, until the deadline.
  std::vector<Place> improve(const std::vector<Place>& start) {
    std::vector<int> part_at(hierarchy_.order.size());
    std::vector<int> front;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].is_host()) {
        front.push_back(static_cast<int>(p));
        part_at[index(hierarchy_.order[static_cast<std::size_t>(parts_[p].first)])] = front.back();
      }
    members_[0].clear();
    for (std::size_t v = 0; v < start.size(); ++v) {
      part_of_[v] = part_at[index(start[v])];
      members(part_of_[v]).push_back(static_cast<int>(v));
    }
    refines_until_ = control_.deadline;
    fills_slots_ = true;
    refine(front);
    return places();
  }

  /// Place of each vertex.
  std::vector<Place> run() {
    std::vector<int> front{0};
    int level = 0;
    for (bool split = true; split; ++level) {
      split = false;
      std::vector<int> next;
      for (const int part : front) {
        if (is_whole(part)) {
          next.push_back(part);
          continue;
        }
        halve(part);
        split = true;
        for (const int half : at(part).halves)
          if (at(half).ranks > 0) next.push_back(half);
      }
      front = std::move(next);
      if (split && options_.refines_parts) refine(front);
      if (control_.progress) control_.progress(level / (level + 4.0));
    }
    if (options_.refines_parts) refine(front);
    for (const int part : front) spread(part);
    return places();
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<Place> places() const {
    std::vector<Place> places;
    for (const int part : part_of_) places.push_back(hierarchy_.place(part));
    return places;
  }

  const HostPart& at(int part) const { return parts_[static_cast<std::size_t>(part)]; }
  std::vector<int>& members(int part) { return members_[static_cast<std::size_t>(part)]; }

  /// The ranks of `vertices` to be dealt to two parts; edges in units of hops.
  BisectionTask task(std::span<const int> vertices, int zero, int one, bool sees_outside) {
    BisectionTask result{induced_graph(graph_, vertices, local_),
                         std::vector<double>(vertices.size(), 0), at(zero).ranks};
    const std::int64_t wanted = std::int64_t{at(zero).ranks} + at(one).ranks;
    const std::int64_t ranks = total_weight(result.graph);
    if (ranks != wanted) result.size = at(zero).ranks * ranks / wanted;  // merged ones fit roughly
    const double apart = distances_.apart(zero, one);
    for (WeightedArc& arc : result.graph.arcs) arc.weight *= apart;
    if (!sees_outside) return result;
    ++question_;
    for (const int v : vertices) local_[static_cast<std::size_t>(v)] = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (const WeightedArc& arc : graph_.of(vertices[i]))
        if (local_[static_cast<std::size_t>(arc.target)] < 0)
          result.bias[i] += arc.weight * preference(arc.target, zero, one);
    for (const int v : vertices) local_[static_cast<std::size_t>(v)] = -1;
    return result;
  }

  /// Hops by which part `one` is farther than `zero` from where a rank is.
  double preference(int rank, int zero, int one) {
    const int part = part_of_[static_cast<std::size_t>(rank)];
    const auto p = static_cast<std::size_t>(part);
    if (sides_known_[p] != question_) {
      sides_known_[p] = question_;
      preference_[p] = distances_.between(part, one) - distances_.between(part, zero);
    }
    return preference_[p];
  }

  void deal(std::span<const int> vertices, const Sides& sides, int zero, int one) {
    std::vector<int> dealt[2];
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      dealt[sides[i]].push_back(vertices[i]);
      part_of_[static_cast<std::size_t>(vertices[i])] = sides[i] == 0 ? zero : one;
    }
    members(zero) = std::move(dealt[0]);
    members(one) = std::move(dealt[1]);
  }

  void deal_as_they_come(std::span<const int> vertices, int zero, int one) {
    Sides sides(vertices.size(), 1);
    std::int64_t ranks = 0;
    for (std::size_t i = 0; i < sides.size() && (ranks < at(zero).ranks || at(one).ranks == 0);
         ++i) {
      sides[i] = 0;
      ranks += graph_.weights[static_cast<std::size_t>(vertices[i])];
    }
    deal(vertices, sides, zero, one);
  }

  /// Whether it makes no difference which host of a part a rank gets.
  bool is_whole(int part) const {
    return at(part).is_host() || equivalent_[static_cast<std::size_t>(part)];
  }

  void spread(int part) {
    if (at(part).is_host()) return;
    const auto [zero, one] = at(part).halves;
    deal_as_they_come(std::vector(std::move(members(part))), zero, one);
    spread(zero);
    spread(one);
  }

  void halve(int part) {
    const auto [zero, one] = at(part).halves;
    const std::vector<int> vertices = std::move(members(part));
    if (at(zero).ranks == 0 || at(one).ranks == 0 || out_of_time()) {
      deal_as_they_come(vertices, zero, one);
      return;
    }
    const auto halves = task(vertices, zero, one, options_.sees_outside);
    const int tries = options_.is_quick ? 1 : options_.tries;
    deal(vertices,
         bisect(
             halves, tries, random_, [this] { return out_of_time(); }, cycles()),
         zero, one);
  }

  int cycles() const { return options_.is_quick ? 2 : 4; }

  /// Then ranks are dealt as they come, which takes no time.
  bool out_of_time() const {
    return options_.halves_all ? control_.is_interrupted() : control_.must_stop();
  }

  bool may_refine() const {
    return !control_.is_interrupted() && (!refines_until_ || Clock::now() < *refines_until_);
  }

  /// Pairs of parts between which there are edges, each once.
  std::vector<std::pair<int, int>> adjacent_parts(const std::vector<int>& front) {
    std::vector<std::pair<int, int>> pairs;
    for (const int part : front) {
      std::vector<int> others;
      ++question_;
      for (const int v : members(part))
        for (const WeightedArc& arc : graph_.of(v)) {
          const int other = part_of_[static_cast<std::size_t>(arc.target)];
          if (other <= part || sides_known_[static_cast<std::size_t>(other)] == question_) continue;
          sides_known_[static_cast<std::size_t>(other)] = question_;
          others.push_back(other);
        }
      std::sort(others.begin(), others.end());
      for (const int other : others) pairs.emplace_back(part, other);
    }
    return pairs;
  }

  void refine(const std::vector<int>& front) {
    std::vector<char> changed(parts_.size(), 1);
    std::int64_t work = 0;
    for (int round = 0; round < (options_.is_quick ? 2 : max_rounds); ++round) {
      std::vector<char> changes(parts_.size(), 0);
      bool any = false;
      for (const auto& [zero, one] : adjacent_parts(front)) {
        if (!changed[static_cast<std::size_t>(zero)] && !changed[static_cast<std::size_t>(one)])
          continue;
        for (const int part : {zero, one})
          for (const int v : members(part)) work += int_size(graph_.of(v)) + 1;
        if ((work > max_work_per_level && !fills_slots_) || !may_refine()) return;
        if (!refine_pair(zero, one)) continue;
        any = true;
        changes[static_cast<std::size_t>(zero)] = changes[static_cast<std::size_t>(one)] = 1;
      }
      if (!any) return;
      changed = std::move(changes);
    }
  }

  /// Lets two parts exchange ranks, or all of their ranks, or bisects them anew. @returns whether
  /// that gained.
  bool refine_pair(int zero, int one) {
    std::vector<int> vertices = members(zero);
    const std::size_t size = vertices.size();
    vertices.insert(vertices.end(), members(one).begin(), members(one).end());
    BisectionTask pair = task(vertices, zero, one, true);
    std::int64_t allowed = 0;
    if (fills_slots_) {
      const auto ranks = static_cast<std::int64_t>(size);
      pair.size = ranks;
      allowed = std::max<std::int64_t>(
          0, std::min(at(zero).slots - ranks,
                      at(one).slots + ranks - static_cast<std::int64_t>(vertices.size())));
    }
    Sides sides(vertices.size(), 1);
    std::fill_n(sides.begin(), size, std::uint8_t{0});
    const double before = bisection_cost(pair, sides);
    Sides best = sides;
    refine_bisection(pair, allowed, best);
    double cost = bisection_cost(pair, best);
    if (2 * size == vertices.size()) {
      for (std::uint8_t& side : sides) side ^= 1;
      // Quickly only where the parts are better off as they are now.
      if (!options_.is_quick || bisection_cost(pair, sides) < before) {
        refine_bisection(pair, 0, sides);
        if (const double swapped = bisection_cost(pair, sides); swapped < cost)
          best = std::move(sides), cost = swapped;
      }
    }
    if (vertices.size() <= max_vertices_bisected_anew) {
      Sides anew = bisect(pair, 1, random_, nullptr, cycles());
      if (const double found = bisection_cost(pair, anew); found < cost)
        best = std::move(anew), cost = found;
    }
    if (!(cost < before - 1e-9 * std::abs(before))) return false;
    deal(vertices, best, zero, one);
    return true;
  }

  const SearchControl& control_;
  GuestPartitionOptions options_;
  std::optional<Clock::time_point> refines_until_;
  bool fills_slots_ = false;  ///< pairs of hosts may end with other numbers of ranks
  const HostHierarchy& hierarchy_;
  const std::vector<HostPart>& parts_;
  const WeightedGraph& graph_;
  std::vector<char> equivalent_;  ///< of each part: any rank may be dealt to any of its hosts
  PartDistances distances_;
  Random random_;
  std::vector<int> part_of_;               ///< one entry per rank
  std::vector<std::vector<int>> members_;  ///< ranks of each part that is not yet halved
  std::vector<int> local_;                 ///< scratch, one entry per rank, -1
  std::vector<std::int64_t> sides_known_;  ///< question for which the next is known, per part
  std::vector<double> preference_;
  std::int64_t question_ = 0;
};

/// A graph whose vertices are those of a finer one, merged.
struct MergedGraph {
  WeightedGraph graph;
  std::vector<int> coarse_of;  ///< of each vertex of the finer one
};

constexpr int merged_per_host = 12;

/// Vertices merged until a few are left for each host: each graph from the one before, the first
/// from the guest's.
std::vector<MergedGraph> merged_graphs(const MappingProblem& problem, const WeightedGraph& graph,
                                       const HopTable& table) {
  constexpr double least_merged = 0.05;
  Random random(problem.seed);
  const std::int64_t most =
      std::max(1, problem.guest.num_ranks() / table.num_places() / merged_per_host);
  const int enough = 2 * merged_per_host * table.num_places();
  std::vector<MergedGraph> levels;
  for (;;) {
    const WeightedGraph& coarsest = levels.empty() ? graph : levels.back().graph;
    if (coarsest.num_vertices() <= enough) return levels;
    std::vector<int> coarse_of;
    const int merged = match(coarsest, most, Sides(), random, coarse_of);
    if (merged > (1 - least_merged) * coarsest.num_vertices()) return levels;
    WeightedGraph coarse = contracted_graph(coarsest, coarse_of, merged);
    levels.push_back({std::move(coarse), std::move(coarse_of)});
  }
}

/// A whole partition in time that grows with the edges alone: the coarsest graph is partitioned,
/// and single vertices move while they are split up again, as in G. Karypis and V. Kumar,
/// "Multilevel k-way Partitioning Scheme for Irregular Graphs" (JPDC 1998).
std::vector<Place> quick_places(const MappingProblem& problem, const SearchControl& control,
                                const WeightedGraph& graph, const std::vector<MergedGraph>& merged,
                                const HopTable& table, const HostHierarchy& hierarchy,
                                bool refines_parts) {
  const auto graph_at = [&](std::size_t level) -> const WeightedGraph& {
    return level == 0 ? graph : merged[level - 1].graph;
  };
  const GuestPartitionOptions once{
      .refines_parts = refines_parts, .exchanges = false, .is_quick = true, .halves_all = true};
  std::vector<Place> places =
      GuestPartition(problem, control, once, graph_at(merged.size()), table, hierarchy).run();
  const auto must_stop = [&] { return control.must_stop(); };
  for (std::size_t level = merged.size();; --level) {
    move_vertices(graph_at(level), table, problem.allocation, places, must_stop);
    if (level == 0) return places;
    std::vector<Place> finer;
    finer.reserve(merged[level - 1].coarse_of.size());
    for (const int coarse : merged[level - 1].coarse_of)
      finer.push_back(places[static_cast<std::size_t>(coarse)]);
    places = std::move(finer);
  }
}

}  // namespace

MapperOption effort_option() {
  return {"effort", "full, or quick: less of each step, in a fraction of the time", "full"};
}

bool is_quick(const MapperInfo& mapper, const MappingProblem& problem) {
  const std::string effort = option_value(mapper, problem, effort_option().name);
  if (effort != "quick" && effort != "full")
    throw UsageError(
        fmt::format("option effort={} of mapper {}; accepted: full, quick", effort, mapper.name));
  return effort == "quick";
}

bool may_be_quick(const MappingProblem& problem, const SearchControl& control) {
  constexpr int many = 4096;
  constexpr int many_on_a_host = 16;
  const int ranks = problem.guest.num_ranks();
  return control.deadline && ranks > many &&
         ranks >= many_on_a_host * problem.allocation.num_hosts();
}

namespace {

/// About what a partition by halves takes, of less and of full effort, and what exchanges between
/// merged ranks take, in units of the quickest partition.
constexpr double passes_of_less = 12;
constexpr double passes_of_full = 40;
constexpr double passes_of_exchanges = 3;

/// Share of a time that is long enough for a partition by halves after it, in which hosts exchange
/// the ranks of a quick partition: as much as the whole of half the time.
constexpr double improvement_time = 0.5;

}  // namespace

Embedding map_by_halves(const MappingProblem& problem, const SearchControl& control,
                        const GuestPartitionOptions& options) {
  const int num_ranks = problem.guest.num_ranks();
  if (num_ranks == 0) return {{}, problem.allocation};
  const Partners partners(problem.guest);
  const HopTable table(problem.network, problem.allocation);
  const HostHierarchy hierarchy =
      host_hierarchy(problem.network, problem.allocation, table, num_ranks);
  const WeightedGraph graph = guest_graph(partners);
  const auto hop_bytes = [&](const Embedding& embedding) {
    return HopBytesState(partners, table, problem.allocation, embedding).energy();
  };
  const auto better = [&](Embedding one, Embedding other) {
    return hop_bytes(other) < hop_bytes(one) ? std::move(other) : std::move(one);
  };
  const HostHierarchy even = dealt_evenly(hierarchy);
  const auto improved = [&](Embedding embedding, double share) {
    if (!options.refines_parts) return embedding;
    SearchControl part = control;
    part.deadline = after_share(control, share);
    GuestPartition exchanging(problem, part, options, graph, table, even);
    Embedding found = embedding_at(
        exchanging.improve(Occupancy(problem.allocation, embedding).places()), problem.allocation);
    return better(std::move(embedding), std::move(found));
  };
  GuestPartitionOptions effort = options;
  std::optional<Embedding> quick;
  if (may_be_quick(problem, control)) {
    const auto before = SearchControl::Clock::now();
    const std::vector<MergedGraph> merged = merged_graphs(problem, graph, table);
    const auto at_once = [&](bool refines_parts) {
      return embedding_at(quick_places(problem, control, graph, merged, table, even, refines_parts),
                          problem.allocation);
    };
    quick = at_once(false);
    const std::chrono::duration<double> taken = SearchControl::Clock::now() - before;
    const auto passes = [&] { return time_left(control)->count() / taken.count(); };
    if (control.start != nullptr) quick = better(std::move(*quick), *control.start);
    if (passes() > passes_of_exchanges) quick = better(std::move(*quick), at_once(true));
    // A longer time finds what a shorter one does, and goes on where that ends.
    quick = improved(std::move(*quick),
                     passes() * improvement_time < passes_of_less ? 1 : improvement_time);
    if (passes() < passes_of_less) return std::move(*quick);
    effort.is_quick = effort.is_quick || passes() < passes_of_full;
  }
  const auto partitioned = [&](bool refines_parts) {
    GuestPartitionOptions chosen = effort;
    chosen.refines_parts = refines_parts;
    return embedding_at(GuestPartition(problem, control, chosen, graph, table, hierarchy).run(),
                        problem.allocation);
  };
  Embedding embedding = partitioned(options.refines_parts);
  // Distances between large parts are estimates: what they refine may end up worse.
  if (options.refines_parts && !effort.is_quick)
    embedding = better(std::move(embedding), partitioned(false));
  if (quick) embedding = improved(better(std::move(*quick), std::move(embedding)), 1);
  if (!options.exchanges) return embedding;
  return exchange_locally(problem, control, partners, table, hierarchy, embedding);
}

}  // namespace vtopo::detail
