#include "sim/draw/cell_picture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include "tests/sim/draw/drawn_problem.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

double sum(const CellPicture& picture) {
  const auto values = values_of(picture);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Embedding reversed(int ranks) {
  std::vector<HostId> hosts = tests::first_hosts(ranks);
  std::reverse(hosts.begin(), hosts.end());
  return embedding_on(hosts);
}

}  // namespace

TEST_CASE("rows of the matrix are senders", "[report][matrix]") {
  const std::vector<DirectedEdge> edges{
      {Rank{0}, Rank{2}, {5}}, {Rank{0}, Rank{2}, {2}}, {Rank{1}, Rank{1}, {3}}};
  const CellPicture picture = traffic_by_rank(CommGraph(3, edges));
  CHECK(picture.panels[0].values == std::vector<double>{0, 0, 7, 0, 3, 0, 0, 0, 0});
  CHECK(picture.row_names[2] == "rank 2");
}

TEST_CASE("the matrix after mapping is in the order of hosts", "[report][matrix]") {
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{2}, {5}}};
  const auto network = make_network("torus:3", NetworkDefaults());
  const CellPicture picture = traffic_by_host(CommGraph(3, edges), *network, reversed(3));
  // rank 0 sits on host 2 and rank 2 on host 0
  CHECK(picture.panels[0].values == std::vector<double>{0, 0, 0, 0, 0, 0, 5, 0, 0});
  CHECK(picture.row_names[2] == "host-2 (rank 0)");
}

TEST_CASE("large matrices are summed up and lose nothing", "[report][matrix]") {
  const CommGraph guest =
      make_comm_graph(parse_guest_topology("cart:50x20"), std::vector{Bytes{3}});
  const CellPicture picture = traffic_by_rank(guest);
  // 1,000 ranks in blocks of 4: 250 of them
  CHECK(picture.panels[0].columns == 250);
  CHECK(picture.row_names.back() ==
        "ranks 996\xE2\x80\x93"
        "999");
  CHECK(sum(picture) == guest.total_volume().value);
}

TEST_CASE("crowded matrices are coarser", "[report][matrix]") {
  Random random(1);
  std::vector<DirectedEdge> edges;
  for (int e = 0; e < 100000; ++e)
    edges.push_back({Rank{static_cast<int>(random.below(512))},
                     Rank{static_cast<int>(random.below(512))},
                     {1}});
  const CellPicture picture = traffic_by_rank(CommGraph(512, edges));
  CHECK(picture.panels[0].columns == 128);
  CHECK(sum(picture) == 100000);
}

TEST_CASE("ranks without traffic make an empty matrix", "[report][matrix]") {
  CHECK(sum(traffic_by_rank(CommGraph(2))) == 0);
  CHECK(traffic_by_rank(CommGraph(0)).panels[0].values.size() == 1);
}

TEST_CASE("volumes below the smallest normal number are drawn", "[report][matrix]") {
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, Bytes{1e-310}}};  // stod(3) refuses it
  const CellPicture picture = traffic_by_rank(CommGraph(2, edges));
  const ValueScale scale(values_of(picture), PictureUnit::bytes);
  CHECK(draw_cells(picture, scale).csv == "panel,row,column,bytes\n0,0,1,1e-310\n");
}
