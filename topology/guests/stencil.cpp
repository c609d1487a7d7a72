#include "topology/guests/guest_topology.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

constexpr std::string_view stencil_prefix = "stencil:";
constexpr std::size_t max_moore_dimensions = 10;

std::vector<GridOffset> neumann_offsets(std::size_t dimensions) {
  std::vector<GridOffset> offsets;
  for (std::size_t d = 0; d < dimensions; ++d)
    for (const int step : {-1, 1}) {
      offsets.emplace_back(dimensions, 0);
      offsets.back()[d] = step;
    }
  return offsets;
}

std::vector<GridOffset> moore_offsets(std::size_t dimensions) {
  std::vector<GridOffset> offsets;
  for (GridOffset offset(dimensions, -1);;) {
    if (std::any_of(offset.begin(), offset.end(), [](int o) { return o != 0; }))
      offsets.push_back(offset);
    std::size_t d = dimensions;
    while (d > 0 && offset[d - 1] == 1) offset[--d] = -1;
    if (d == 0) return offsets;
    ++offset[d - 1];
  }
}

std::vector<GridOffset> component_offsets(std::size_t dimensions) {
  auto offsets = neumann_offsets(dimensions);
  offsets.resize(2);
  return offsets;
}

std::vector<GridOffset> hops_offsets(std::size_t dimensions) {
  auto offsets = neumann_offsets(dimensions);
  for (const int step : {-2, 2, -3, 3}) {
    offsets.emplace_back(dimensions, 0);
    offsets.back()[0] = step;
  }
  return offsets;
}

/// A named stencil.
struct NamedStencil {
  std::string_view name;
  std::vector<GridOffset> (*offsets)(std::size_t dimensions);
  VolumeClass volume_class;
};

constexpr std::array<NamedStencil, 4> named_stencils{
    {{"neumann", neumann_offsets, VolumeClass::dimension},
     {"moore", moore_offsets, VolumeClass::corner},
     {"component", component_offsets, VolumeClass::dimension},
     {"hops", hops_offsets, VolumeClass::dimension}}};

const NamedStencil& find_stencil(std::string_view name, std::string_view spec) {
  return entry_named(fmt::format("\"{}\": unknown stencil", spec), name, named_stencils);
}

void check_dimensions(const NamedStencil& named, const Cartesian& grid, std::string_view spec) {
  if (named.name == "moore" && grid.dimensions().size() > max_moore_dimensions)
    throw UsageError(fmt::format("{} dimensions in \"{}\": moore takes at most {}",
                                 grid.dimensions().size(), spec, max_moore_dimensions));
}

/// Calls `edge(rank, position of the offset, partner)` for every edge, ranks ascending, and
/// `end_of_rank()` behind the edges of each.
template <class Edge, class EndOfRank>
void visit_edges(const Stencil& stencil, Edge&& edge, EndOfRank&& end_of_rank) {
  const auto dimensions = stencil.grid.dimensions();
  const auto strides = stencil.grid.strides();
  std::vector<int> coords(dimensions.size());
  const auto partner = [&](const GridOffset& offset) -> std::optional<Rank> {
    int rank = 0;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const int size = dimensions[d].size;
      std::int64_t c = std::int64_t{coords[d]} + offset[d];
      if (c < 0 || c >= size) {
        if (!dimensions[d].periodic()) return std::nullopt;
        c = (c % size + size) % size;
      }
      rank += static_cast<int>(c) * strides[d];
    }
    return Rank{rank};
  };
  for (int r = 0; r < stencil.grid.num_ranks(); ++r) {
    stencil.grid.coords(Rank{r}, coords);
    for (std::size_t o = 0; o < stencil.offsets.size(); ++o)
      if (const auto to = partner(stencil.offsets[o])) edge(Rank{r}, o, *to);
    end_of_rank();
  }
}

/// Position of the volume of an offset in a list with one entry per dimension.
std::size_t volume_index(const GridOffset& offset, VolumeClass volume_class) {
  if (volume_class == VolumeClass::corner)
    return offset.size() - static_cast<std::size_t>(std::count(offset.begin(), offset.end(), 0)) -
           1;
  const auto moved = std::find_if(offset.begin(), offset.end(), [](int o) { return o != 0; });
  return static_cast<std::size_t>(moved - offset.begin());
}

}  // namespace

std::optional<Stencil> parse_stencil(std::string_view spec) {
  if (!spec.starts_with(stencil_prefix)) return std::nullopt;
  const auto parts = split(spec.substr(stencil_prefix.size()), ':');
  if (parts.size() != 2)
    throw UsageError(
        fmt::format("\"{}\" is not a stencil: accepted is stencil:SIZES:NAME, such as "
                    "stencil:64x64p:moore",
                    spec));
  const NamedStencil& named = find_stencil(parts[1], spec);
  Cartesian grid = parse_grid(parts[0], spec);
  check_dimensions(named, grid, spec);
  auto offsets = named.offsets(grid.dimensions().size());
  return Stencil{std::move(grid), std::move(offsets), named.volume_class, named.name == "neumann"};
}

double max_edges(const Stencil& stencil) {
  return static_cast<double>(stencil.grid.num_ranks()) *
         static_cast<double>(stencil.offsets.size());
}

CommGraph make_comm_graph(const Stencil& stencil, std::span<const Bytes> volume) {
  const std::size_t dimensions = stencil.grid.dimensions().size();
  if (volume.size() != 1 && volume.size() != dimensions)
    throw UsageError(
        fmt::format("{} volumes for a stencil of {} dimensions: accepted are 1 or {}{}",
                    volume.size(), dimensions, dimensions,
                    stencil.volume_class == VolumeClass::corner
                        ? ", of neighbours that leave 1, 2, ... dimensions (faces, edges, corners)"
                        : ", one per dimension"));
  std::vector<Bytes> volumes;
  for (const GridOffset& offset : stencil.offsets)
    volumes.push_back(volume[volume.size() == 1 ? 0 : volume_index(offset, stencil.volume_class)]);
  CompressedRows<CommEdge> rows;
  rows.reserve(index(stencil.grid.num_ranks()), index(max_edges(stencil)));
  visit_edges(
      stencil,
      [&](Rank, std::size_t offset, Rank to) {
        rows.push({volumes[offset], to});
      },
      [&] { rows.end_row(); });
  return CommGraph(std::move(rows));
}

DistGraph make_dist_graph(const Stencil& stencil) {
  if (max_edges(stencil) > max_listed_edges)
    throw UsageError(
        fmt::format("{} ranks with {} neighbours each are too many for a graph: at "
                    "most {} edges are listed",
                    stencil.grid.num_ranks(), stencil.offsets.size(),
                    static_cast<std::int64_t>(max_listed_edges)));
  std::vector<WeightedEdge> edges;
  visit_edges(
      stencil,
      [&](Rank from, std::size_t, Rank to) {
        edges.push_back({from, to});
      },
      [] {});
  return DistGraph(stencil.grid.num_ranks(), edges, Weighting::unweighted);
}

}  // namespace vtopo
