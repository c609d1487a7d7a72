#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>

#include "guests.hpp"
#include "netmodels/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/mapper.hpp"
#include "topology/error.hpp"
#include "topology/virtual_topology.hpp"

using namespace vtopo;

namespace {

constexpr auto open = Periodicity::open;
constexpr auto periodic = Periodicity::periodic;

/// Grid with unit volumes on all hosts of a torus or mesh.
struct GridCase {
  Cartesian grid;
  std::shared_ptr<const Network> network;
  Allocation allocation;
  CommGraph guest;

  GridCase(const std::vector<Dimension>& dimensions, const TorusSpec& spec, int slots = 1)
      : grid(dimensions),
        network(make_torus(spec)),
        allocation(make_allocation(*network, "all", std::vector{slots}, 1)),
        guest(make_comm_graph(grid, std::vector{Bytes{1}})) {}

  Metrics metrics(const std::string& mapper) const {
    const auto embedding = run_mapper({mapper, {}}, {guest, *network, allocation, &grid});
    CHECK_NOTHROW(Embedding(embedding.hosts(), allocation));
    return evaluate(guest, *network, embedding);
  }
  /// Sum of hops over undirected edges.
  double hop_sum(const std::string& mapper) const { return metrics(mapper).hop_bytes.value / 2; }
};

std::vector<Dimension> dimensions(const std::vector<int>& sizes, Periodicity periodicity) {
  std::vector<Dimension> result;
  for (const int size : sizes) result.push_back({size, periodicity});
  return result;
}

TorusSpec hosts(const std::vector<int>& sizes, bool wraps = true) {
  TorusSpec spec;
  for (const int size : sizes) spec.dimensions.push_back({size, wraps});
  spec.routing.rule = Routing::positive;
  return spec;
}

const auto grid_mappers =
    std::vector<std::string>{"fold", "gray", "hilbert", "morton", "rowmajor", "snake"};

}  // namespace

TEST_CASE("Every grid mapper keeps all neighbours together where the sizes match up to order") {
  for (const auto& mapper : grid_mappers) {
    INFO(mapper);
    CHECK(GridCase(dimensions({8, 4, 2}, periodic), hosts({4, 2, 8})).metrics(mapper).max_dilation ==
          1);
    CHECK(GridCase(dimensions({4, 8}, open), hosts({8, 4}, false)).metrics(mapper).max_dilation ==
          1);
    // Slots count as a dimension: neighbours along it share a host.
    CHECK(GridCase(dimensions({2, 8, 4}, open), hosts({8, 4}), 2).metrics(mapper).max_dilation ==
          1);
  }
}
