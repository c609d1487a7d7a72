#include <algorithm>

#include "sim/mapping/grids/grid_problem.hpp"
#include "sim/mapping/partition/guest_partition.hpp"
#include "sim/mapping/search/annealing.hpp"

namespace vtopo::detail::mappers {

MapperInfo multilevel();

namespace {

constexpr std::int64_t steps_per_rank = 1000;
constexpr std::int64_t max_annealing_steps = 200'000'000;

/// A grid laid out with fewer hops per byte than this is not partitioned as well.
constexpr double good_enough = 1.2;

Bytes hop_bytes(const MappingProblem& problem, const Embedding& embedding) {
  const Cost cost = cost_of(Objective{}, problem.guest, problem.network, embedding);
  return Bytes{cost.front()};
}

/// On grids many ranks are better moved one by one, by annealing, than between parts.
bool moves_ranks_only(const MappingProblem& problem) {
  return problem.network.coordinates() && can_anneal_hops(problem);
}

GuestPartitionOptions partition_options(const MappingProblem& problem) {
  const bool quick = is_quick(multilevel(), problem);
  if (moves_ranks_only(problem))
    return {.tries = 2,
            .sees_outside = true,
            .refines_parts = false,
            .exchanges = false,
            .is_quick = quick};
  return {.tries = 4,
          .sees_outside = true,
          .refines_parts = true,
          .exchanges = true,
          .is_quick = quick};
}

Embedding partitioned(const MappingProblem& problem, const SearchControl& control,
                      const GuestPartitionOptions& options) {
  Embedding embedding = map_by_halves(problem, control, options);
  if (problem.network.splits_flows()) return embedding;
  SearchControl short_search = control;
  const std::int64_t steps =
      std::min(steps_per_rank * problem.guest.num_ranks(), max_annealing_steps);
  short_search.steps = std::min(control.steps.value_or(steps), steps);
  if (auto refined = anneal_hops(problem, short_search, embedding, steps))
    if (hop_bytes(problem, *refined) < hop_bytes(problem, embedding)) return std::move(*refined);
  return embedding;
}

Embedding map_multilevel(const MappingProblem& problem, const SearchControl& control) {
  const GuestPartitionOptions options = partition_options(problem);
  MappingProblem lowers_hops = problem;
  lowers_hops.objective = {};
  const auto lattice = lattice_embedding(lowers_hops);
  if (!lattice) return partitioned(problem, control, options);
  const Bytes cost = hop_bytes(problem, *lattice);
  if (cost.value < good_enough * problem.guest.total_volume().value) return *lattice;
  Embedding embedding = partitioned(problem, control, options);
  return hop_bytes(problem, embedding) < cost ? embedding : *lattice;
}

}  // namespace

/// Dual recursive bisection, then refinement on single ranks. On tori and meshes the refinement is
/// a short annealing at a low temperature; on trees and other networks neighbouring parts exchange
/// ranks, or change places as a whole, before they are halved (the levels of C. Walshaw and M.
/// Cross, "Multilevel Mesh Partitioning for Heterogeneous Communication Networks", Future
/// Generation Computer Systems 2001; the hosts' halves are those of Pellegrini). A guest that is a
/// grid in any rank order is laid out as one, as by the mapper `lattice`, if that is better.
MapperInfo multilevel() {
  return {
      .name = "multilevel",
      .summary = "halves guest and hosts together, then refines rank by rank; knows shuffled grids",
      .reference = "Walshaw and Cross, FGCS 2001; Pellegrini, SHPCC 1994",
      .options = {effort_option()},
      .map = map_multilevel,
      .uses_seed = true,
      .anytime = true,
      .work = {.microseconds_per_rank = 21,
               .microseconds_per_edge = 3.8,
               .min_share = 0.5,
               .quick_share = 0.4},
      .work_on_grids = WorkEstimate{.microseconds_per_rank = 15, .microseconds_per_edge = 0.8},
      .ends_in_annealing = moves_ranks_only};
}

}  // namespace vtopo::detail::mappers
