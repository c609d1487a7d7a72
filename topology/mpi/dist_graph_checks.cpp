#include "topology/mpi/dist_graph_checks.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <tuple>

#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail {

namespace {

using enum TopologyCondition;

/// Number of weights against number of edges.
void check_weights(const Weights& weights, std::size_t num_edges, std::size_t giver) {
  if (weights && weights->size() != num_edges)
    throw mpi_error<lengths_differ>(weights->size(), "weights", num_edges, "edges", giver);
}

/// Weights are given by all ranks or by none; rank 0 says which.
void check_all_or_none(bool weighted, bool weighted_at_first, std::size_t giver) {
  if (weighted == weighted_at_first) return;
  throw mpi_error<weights_of_some>(weighted ? giver : 0, weighted ? 0 : giver);
}

void check_info(const Info& info, const Info& first, std::size_t giver) {
  if (info != first) throw mpi_error<info_differs>(giver);
}

void check_lists(const EdgeContribution& given, std::size_t giver) {
  const auto& [sources, degrees, destinations, weights, info] = given;
  if (degrees.size() != sources.size())
    throw mpi_error<lengths_differ>(degrees.size(), "degrees", sources.size(), "sources", giver);
  std::int64_t sum = 0;
  for (const int degree : degrees) {
    if (degree < 0)
      throw mpi_error<negative_count>(fmt::format("degree given by rank {}", giver), degree);
    sum += degree;
  }
  if (sum != static_cast<std::int64_t>(destinations.size()))
    throw mpi_error<lengths_differ>(destinations.size(), "destinations", sum, "of all degrees",
                                    giver);
  check_weights(weights, destinations.size(), giver);
}

/// Edges that one side of each process gives, sorted, so that both sides can be compared.
struct Ends {
  std::vector<WeightedEdge> from_sources;       ///< as the destination of each edge gives them
  std::vector<WeightedEdge> from_destinations;  ///< as the source of each edge gives them
};

Ends ends_of(std::span<const AdjacentEdges> by_rank) {
  Ends ends;
  for (std::size_t r = 0; r < by_rank.size(); ++r) {
    const auto& [sources, source_weights, destinations, destination_weights, info] = by_rank[r];
    for (std::size_t i = 0; i < sources.size(); ++i)
      ends.from_sources.push_back(
          {sources[i], id_at<Rank>(r), source_weights ? (*source_weights)[i] : 1});
    for (std::size_t i = 0; i < destinations.size(); ++i)
      ends.from_destinations.push_back(
          {id_at<Rank>(r), destinations[i], destination_weights ? (*destination_weights)[i] : 1});
  }
  return ends;
}

bool before(const WeightedEdge& a, const WeightedEdge& b) {
  return std::tie(a.source, a.destination, a.weight) < std::tie(b.source, b.destination, b.weight);
}

[[noreturn]] void fail_one_sided(const Ends& ends, const WeightedEdge& edge, Weighting weighting) {
  const auto count = [&](const std::vector<WeightedEdge>& side) {
    const auto [first, last] = std::equal_range(side.begin(), side.end(), edge, before);
    return last - first;
  };
  const std::string weight =
      weighting == Weighting::weighted ? fmt::format(" of weight {}", edge.weight) : "";
  throw mpi_error<edge_of_one_side>(number(edge.source), number(edge.destination), weight,
                                    count(ends.from_destinations), count(ends.from_sources));
}

/// Both sides must give the same multiset of edges.
void check_sides(Ends ends, Weighting weighting) {
  std::sort(ends.from_sources.begin(), ends.from_sources.end(), before);
  std::sort(ends.from_destinations.begin(), ends.from_destinations.end(), before);
  const std::size_t common = std::min(ends.from_sources.size(), ends.from_destinations.size());
  for (std::size_t i = 0; i < common; ++i) {
    const WeightedEdge& a = ends.from_sources[i];
    const WeightedEdge& b = ends.from_destinations[i];
    if (before(a, b) || before(b, a)) fail_one_sided(ends, before(a, b) ? a : b, weighting);
  }
  if (ends.from_sources.size() > common) fail_one_sided(ends, ends.from_sources[common], weighting);
  if (ends.from_destinations.size() > common)
    fail_one_sided(ends, ends.from_destinations[common], weighting);
}

}  // namespace

void check_edges(int num_ranks, std::span<const WeightedEdge> edges) {
  if (num_ranks < 0) throw mpi_error<negative_count>("number of ranks", num_ranks);
  for (const auto& [source, destination, weight] : edges) {
    for (const Rank end : {source, destination})
      if (number(end) < 0 || number(end) >= num_ranks)
        throw mpi_error<edge_outside>(number(end), number(source), number(destination),
                                      num_ranks - 1);
    if (!std::isfinite(weight) || weight < 0)
      throw mpi_error<weight_not_finite>(weight, number(source), number(destination));
  }
}

Weighting check_adjacent(std::span<const AdjacentEdges> by_rank) {
  if (by_rank.empty()) return Weighting::unweighted;
  const bool weighted = by_rank[0].source_weights.has_value();
  for (std::size_t r = 0; r < by_rank.size(); ++r) {
    const AdjacentEdges& given = by_rank[r];
    check_weights(given.source_weights, given.sources.size(), r);
    check_weights(given.destination_weights, given.destinations.size(), r);
    check_all_or_none(given.source_weights.has_value(), weighted, r);
    check_all_or_none(given.destination_weights.has_value(), weighted, r);
    check_info(given.info, by_rank[0].info, r);
  }
  const Weighting weighting{weighted};
  Ends ends = ends_of(by_rank);
  check_edges(int_size(by_rank), ends.from_sources);
  check_edges(int_size(by_rank), ends.from_destinations);
  check_sides(std::move(ends), weighting);
  return weighting;
}

Weighting check_contributions(std::span<const EdgeContribution> by_rank) {
  if (by_rank.empty()) return Weighting::unweighted;
  const bool weighted = by_rank[0].weights.has_value();
  for (std::size_t r = 0; r < by_rank.size(); ++r) {
    check_lists(by_rank[r], r);
    check_all_or_none(by_rank[r].weights.has_value(), weighted, r);
    check_info(by_rank[r].info, by_rank[0].info, r);
  }
  return Weighting{weighted};
}

}  // namespace vtopo::detail
