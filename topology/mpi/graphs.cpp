#include "topology/mpi/virtual_topology.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::size_t max_graph_int = std::numeric_limits<std::int32_t>::max();

void check_counts(std::size_t num_ranks, std::size_t num_edges) {
  using enum TopologyCondition;
  if (num_ranks > max_graph_int) throw mpi_error<graph_above_int>(num_ranks, "ranks");
  if (num_edges > max_graph_int) throw mpi_error<graph_above_int>(num_edges, "edges");
}

void check_neighbours(const CompressedRows<Rank>& neighbours) {
  const auto num_ranks = narrow<int>(neighbours.num_rows());
  for (int r = 0; r < num_ranks; ++r)
    for (const Rank neighbour : neighbours.row(index(Rank{r})))
      if (number(neighbour) < 0 || number(neighbour) >= num_ranks)
        throw mpi_error<TopologyCondition::neighbour_outside>(number(neighbour), r, num_ranks - 1);
}

}  // namespace

void check_index(std::span<const int> index) {
  int before = 0;
  for (std::size_t r = 0; r < index.size(); ++r) {
    if (index[r] < before) throw mpi_error<TopologyCondition::index_descends>(index[r], r, before);
    before = index[r];
  }
}

Graph::Graph(const std::vector<std::vector<Rank>>& neighbours) {
  std::size_t num_edges = 0;
  for (const auto& list : neighbours) num_edges += list.size();
  check_counts(neighbours.size(), num_edges);
  neighbours_.reserve(neighbours.size(), num_edges);
  for (const auto& list : neighbours) {
    for (const Rank neighbour : list) neighbours_.push(neighbour);
    neighbours_.end_row();
  }
  check_neighbours(neighbours_);
}

Graph::Graph(std::span<const int> index, std::span<const Rank> edges) {
  check_counts(index.size(), edges.size());
  check_index(index);
  const int last = index.empty() ? 0 : index.back();
  if (static_cast<std::size_t>(last) != edges.size())
    throw mpi_error<TopologyCondition::index_and_edges>(last, edges.size());
  neighbours_.reserve(index.size(), edges.size());
  std::size_t next = 0;
  for (const int end : index) {
    while (next < static_cast<std::size_t>(end)) neighbours_.push(edges[next++]);
    neighbours_.end_row();
  }
  check_neighbours(neighbours_);
}

std::span<const Rank> Graph::neighbours(Rank rank) const {
  if (number(rank) < 0 || number(rank) >= num_ranks())
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), num_ranks() - 1);
  return neighbours_.row(vtopo::index(rank));
}

std::vector<int> Graph::index() const {
  std::vector<int> result;
  result.reserve(neighbours_.num_rows());
  int total = 0;
  for (std::size_t r = 0; r < neighbours_.num_rows(); ++r)
    result.push_back(total += int_size(neighbours_.row(r)));
  return result;
}

namespace {

using Rows = CompressedRows<WeightedNeighbour>;

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

// What makes the arguments of the distributed graph constructors erroneous; MpiError as DistGraph
// promises.

/// Ranks inside [0, num_ranks), weights finite and >= 0, a number of ranks >= 0.
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

/// Checks all lists and that both ends of each edge give it equally often with equal weights.
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

/// Checks that sources, degrees, destinations and weights fit each other; not the edges themselves.
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

Rows sources_of(std::size_t num_ranks, std::span<const WeightedEdge> edges) {
  return Rows::sorted(
      num_ranks, edges, [](const WeightedEdge& edge) { return index(edge.destination); },
      [](const WeightedEdge& edge) {
        return WeightedNeighbour{edge.source, edge.weight};
      });
}

Rows destinations_of(std::size_t num_ranks, std::span<const WeightedEdge> edges) {
  return Rows::sorted(
      num_ranks, edges, [](const WeightedEdge& edge) { return index(edge.source); },
      [](const WeightedEdge& edge) {
        return WeightedNeighbour{edge.destination, edge.weight};
      });
}

/// One row: ranks with their weights, 1 where there are none.
void push_row(Rows& rows, std::span<const Rank> ranks, const Weights& weights) {
  for (std::size_t i = 0; i < ranks.size(); ++i) rows.push({ranks[i], weights ? (*weights)[i] : 1});
  rows.end_row();
}

/// The edges that all ranks together give, in the order of the ranks that give them.
std::vector<WeightedEdge> joined(std::span<const EdgeContribution> by_rank) {
  std::vector<WeightedEdge> edges;
  for (const auto& [sources, degrees, destinations, weights, info] : by_rank) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (int k = 0; k < degrees[i]; ++k, ++next)
        edges.push_back({sources[i], destinations[next], weights ? (*weights)[next] : 1});
  }
  return edges;
}

void check_rank(Rank rank, int num_ranks) {
  if (number(rank) < 0 || number(rank) >= num_ranks)
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), num_ranks - 1);
}

}  // namespace

DistGraph::DistGraph(int num_ranks, std::span<const WeightedEdge> edges, Weighting weighting,
                     Info info)
    : weighting_(weighting), info_(std::move(info)) {
  check_edges(num_ranks, edges);
  const auto rows = index(num_ranks);
  sources_ = sources_of(rows, edges);
  destinations_ = destinations_of(rows, edges);
}

DistGraph::DistGraph(std::span<const AdjacentEdges> by_rank)
    : weighting_(check_adjacent(by_rank)), info_(by_rank.empty() ? Info{} : by_rank[0].info) {
  for (const AdjacentEdges& given : by_rank) {
    push_row(sources_, given.sources, given.source_weights);
    push_row(destinations_, given.destinations, given.destination_weights);
  }
}

DistGraph::DistGraph(std::span<const EdgeContribution> by_rank)
    : weighting_(check_contributions(by_rank)), info_(by_rank.empty() ? Info{} : by_rank[0].info) {
  const auto edges = joined(by_rank);
  check_edges(narrow<int>(by_rank.size()), edges);
  sources_ = sources_of(by_rank.size(), edges);
  destinations_ = destinations_of(by_rank.size(), edges);
}

std::span<const WeightedNeighbour> DistGraph::sources(Rank rank) const {
  check_rank(rank, num_ranks());
  return sources_.row(index(rank));
}

std::span<const WeightedNeighbour> DistGraph::destinations(Rank rank) const {
  check_rank(rank, num_ranks());
  return destinations_.row(index(rank));
}

}  // namespace vtopo
