#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/topology/mpi/any_grid.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/mpi_error.hpp"

using namespace vtopo;

namespace {

/// Edges between `num_ranks` ranks, with repeats and self loops.
std::vector<WeightedEdge> any_edges(int num_ranks) {
  const auto rank = rc::gen::inRange(0, num_ranks);
  const auto drawn = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rank, rank, rc::gen::inRange(0, 9)));
  std::vector<WeightedEdge> edges;
  for (const auto& [source, destination, weight] : drawn)
    edges.push_back({Rank{source}, Rank{destination}, static_cast<double>(weight)});
  return edges;
}

/// Each edge given by any rank, as arguments of dist_graph_create.
std::vector<EdgeContribution> given_by_anyone(int num_ranks,
                                              const std::vector<WeightedEdge>& edges) {
  std::vector<EdgeContribution> given(static_cast<std::size_t>(num_ranks));
  for (auto& one : given) one.weights = std::vector<double>();
  for (const auto& [source, destination, weight] : edges) {
    EdgeContribution& giver = given[index(any_rank(num_ranks))];
    giver.sources.push_back(source);
    giver.degrees.push_back(1);
    giver.destinations.push_back(destination);
    giver.weights->push_back(weight);
  }
  return given;
}

/// Each edge given by both of its ends, as arguments of dist_graph_create_adjacent.
std::vector<AdjacentEdges> given_by_ends(int num_ranks, const std::vector<WeightedEdge>& edges) {
  const std::vector<double> none;
  std::vector<AdjacentEdges> given(static_cast<std::size_t>(num_ranks), {{}, none, {}, none, {}});
  for (const auto& [source, destination, weight] : edges) {
    given[index(source)].destinations.push_back(destination);
    given[index(source)].destination_weights->push_back(weight);
    given[index(destination)].sources.push_back(source);
    given[index(destination)].source_weights->push_back(weight);
  }
  return given;
}

using EdgeList = std::vector<std::tuple<Rank, Rank, double>>;

/// Edges out of all ranks, or into all ranks, sorted.
EdgeList edges_of(const Communicator& comm, bool out) {
  EdgeList edges;
  for (int r = 0; r < comm.size(); ++r) {
    const auto [sources, source_weights, destinations, destination_weights] =
        dist_graph_neighbors(comm, Rank{r});
    const auto& ends = out ? destinations : sources;
    const auto& weights = out ? *destination_weights : *source_weights;
    for (std::size_t i = 0; i < ends.size(); ++i)
      edges.emplace_back(out ? Rank{r} : ends[i], out ? ends[i] : Rank{r}, weights[i]);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

EdgeList sorted(const std::vector<WeightedEdge>& edges) {
  EdgeList list;
  for (const auto& [source, destination, weight] : edges)
    list.emplace_back(source, destination, weight);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

TEST_CASE("Edges of a distributed graph are the union of what was given") {
  rc::prop("by anyone for anyone", [] {
    const int num_ranks = any_in(1, 12);
    const auto edges = any_edges(num_ranks);
    const auto comm = dist_graph_create(world(num_ranks), given_by_anyone(num_ranks, edges));
    RC_ASSERT(edges_of(comm, true) == sorted(edges));
    RC_ASSERT(edges_of(comm, false) == sorted(edges));
    std::map<Rank, int> in;
    std::map<Rank, int> out;
    for (const auto& [source, destination, weight] : edges) {
      ++out[source];
      ++in[destination];
    }
    for (int r = 0; r < num_ranks; ++r) {
      const auto degrees = dist_graph_neighbors_count(comm, Rank{r});
      RC_ASSERT(degrees.indegree == in[Rank{r}]);
      RC_ASSERT(degrees.outdegree == out[Rank{r}]);
    }
  });
  rc::prop("by both ends, in the order of the call", [] {
    const int num_ranks = any_in(1, 12);
    const auto edges = any_edges(num_ranks);
    const auto given = given_by_ends(num_ranks, edges);
    const auto comm = dist_graph_create_adjacent(world(num_ranks), given);
    RC_ASSERT(edges_of(comm, true) == sorted(edges));
    for (int r = 0; r < num_ranks; ++r) {
      const auto& own = given[index(Rank{r})];
      const auto answer = dist_graph_neighbors(comm, Rank{r});
      RC_ASSERT(answer.sources == own.sources);
      RC_ASSERT(answer.source_weights == own.source_weights);
      RC_ASSERT(answer.destinations == own.destinations);
      RC_ASSERT(answer.destination_weights == own.destination_weights);
    }
  });
}

TEST_CASE("An edge that one end withholds is always found") {
  rc::prop("whichever edge and end", [] {
    const int num_ranks = any_in(1, 8);
    const auto edges = any_edges(num_ranks);
    RC_PRE(!edges.empty());
    auto given = given_by_ends(num_ranks, edges);
    const auto withheld = edges[any_in<std::size_t>(0, edges.size())];
    auto& list = given[index(withheld.source)];
    list.destinations.pop_back();
    list.destination_weights->pop_back();
    RC_ASSERT_THROWS_AS(dist_graph_create_adjacent(world(num_ranks), given), MpiError);
  });
}

TEST_CASE("Maxima cut answers to a prefix") {
  rc::prop("of sources and destinations", [] {
    const int num_ranks = any_in(1, 5);
    const auto comm =
        dist_graph_create(world(num_ranks), given_by_anyone(num_ranks, any_edges(num_ranks)));
    const Rank rank = any_rank(num_ranks);
    const auto whole = dist_graph_neighbors(comm, rank);
    const int maximum = any_in(0, 20);
    const auto part = dist_graph_neighbors(comm, rank, maximum, maximum);
    const auto is_prefix = [&](const auto& cut, const auto& all) {
      return cut.size() == std::min(all.size(), static_cast<std::size_t>(maximum)) &&
             std::equal(cut.begin(), cut.end(), all.begin());
    };
    RC_ASSERT(is_prefix(part.sources, whole.sources));
    RC_ASSERT(is_prefix(*part.source_weights, *whole.source_weights));
    RC_ASSERT(is_prefix(part.destinations, whole.destinations));
    RC_ASSERT(is_prefix(*part.destination_weights, *whole.destination_weights));
  });
}
