#include "topology/guests/guest_topology.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view shuffle_prefix = "shuffle:";

/// `SEED` and `SPEC` of `shuffle:SEED:SPEC`.
std::pair<std::uint64_t, std::string_view> shuffle_parts(std::string_view spec) {
  const std::string_view rest = spec.substr(shuffle_prefix.size());
  const std::size_t colon = rest.find(':');
  const auto seed = parse_integer(rest.substr(0, colon));
  if (colon == std::string_view::npos || !seed || *seed < 0)
    throw UsageError(
        fmt::format("\"{}\" is not a shuffled topology: accepted is shuffle:SEED:SPEC, such as "
                    "shuffle:1:cart:8x8",
                    spec));
  const std::string_view inner = rest.substr(colon + 1);
  if (inner.starts_with(shuffle_prefix))
    throw UsageError(fmt::format("\"{}\" is shuffled twice: accepted is shuffle once", spec));
  return {static_cast<std::uint64_t>(*seed), inner};
}

Bytes only_volume(std::span<const Bytes> volume) {
  if (volume.size() == 1) return volume[0];
  throw UsageError(fmt::format(
      "{} volumes for a virtual topology without dimensions: accepted is 1", volume.size()));
}

CommGraph in_order(const GuestTopology& topology, std::span<const Bytes> volume) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind))
    return make_comm_graph(*stencil, volume);
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind))
    return make_comm_graph(*random, only_volume(volume));
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return make_comm_graph(*program, volume);
  return make_comm_graph(std::get<VirtualTopology>(topology.kind), volume);
}

}  // namespace

GuestTopology parse_guest_topology(std::string_view spec) {
  if (spec.starts_with(shuffle_prefix)) {
    const auto [seed, inner] = shuffle_parts(spec);
    GuestTopology topology = parse_guest_topology(inner);
    topology.shuffle_seed = seed;
    return topology;
  }
  if (auto stencil = parse_stencil(spec)) return {*std::move(stencil), std::nullopt};
  if (const auto random = parse_random_geometric(spec)) return {*random, std::nullopt};
  if (auto program = parse_parallel_program(spec)) return {*std::move(program), std::nullopt};
  return {parse_virtual_topology(spec), std::nullopt};
}

int num_ranks(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return stencil->grid.num_ranks();
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind)) return random->num_ranks;
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return program->grid.num_ranks();
  return num_ranks(std::get<VirtualTopology>(topology.kind));
}

const Cartesian* grid_of(const GuestTopology& topology) {
  return topology.shuffle_seed ? nullptr : grid_inside(topology);
}

const Cartesian* grid_inside(const GuestTopology& topology) {
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind)) return &program->grid;
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return &stencil->grid;
  const auto* any = std::get_if<VirtualTopology>(&topology.kind);
  return any == nullptr ? nullptr : std::get_if<Cartesian>(any);
}

double max_edges(const GuestTopology& topology) {
  if (const auto* stencil = std::get_if<Stencil>(&topology.kind)) return max_edges(*stencil);
  if (const auto* random = std::get_if<RandomGeometric>(&topology.kind)) return max_edges(*random);
  if (const auto* program = std::get_if<ParallelProgram>(&topology.kind))
    return max_edges(*program);
  const auto* grid = std::get_if<Cartesian>(&std::get<VirtualTopology>(topology.kind));
  if (grid == nullptr) return 0;
  return 2.0 * grid->num_ranks() * static_cast<double>(grid->dimensions().size());
}

CommGraph make_comm_graph(const GuestTopology& topology, std::span<const Bytes> volume) {
  CommGraph graph = in_order(topology, volume);
  return topology.shuffle_seed ? shuffled(graph, *topology.shuffle_seed) : graph;
}

CommGraph shuffled(const CommGraph& graph, std::uint64_t seed) {
  const auto ranks = index(graph.num_ranks());
  std::vector<int> name(ranks);
  std::iota(name.begin(), name.end(), 0);
  Random random(seed);
  shuffle(std::span(name), random);
  std::vector<int> rank_named(ranks);
  for (std::size_t r = 0; r < ranks; ++r) rank_named[index(name[r])] = static_cast<int>(r);
  CompressedRows<CommEdge> rows;
  rows.reserve(ranks, graph.num_edges());
  for (const int rank : rank_named) {
    for (CommEdge edge : graph.out_edges(Rank{rank})) {
      edge.destination = Rank{name[index(edge.destination)]};
      rows.push(edge);
    }
    rows.end_row();
  }
  return CommGraph(std::move(rows));
}

DistGraph make_dist_graph(const GuestTopology& topology) {
  if (max_edges(topology) > max_listed_edges)
    throw UsageError(fmt::format("{} ranks are too many for a graph: at most {} edges are listed",
                                 num_ranks(topology), static_cast<std::int64_t>(max_listed_edges)));
  const Bytes one{1};
  const CommGraph graph = make_comm_graph(topology, {&one, 1});
  std::vector<WeightedEdge> edges;
  edges.reserve(graph.num_edges());
  graph.for_each_edge([&](Rank from, const CommEdge& edge) {
    edges.push_back({from, edge.destination, edge.volume.value});
  });
  return DistGraph(graph.num_ranks(), edges, Weighting::weighted);
}

}  // namespace vtopo
