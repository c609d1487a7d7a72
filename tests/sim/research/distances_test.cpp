#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/allocation.hpp"
#include "tests/sim/bounded_mappers.hpp"
#include "tests/sim/qaplib.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;

namespace {

std::shared_ptr<const Network> network_of(const std::string& text, const std::string& key = "") {
  const tests::TemporaryFile file("distances", text);
  return make_network("distances:" + file.path() + key, {});
}

std::string refusal_of(const std::string& text, const std::string& key = "") {
  return tests::message_of<InputError>([&] { network_of(text, key); });
}

/// All hops, row by row.
std::vector<int> hops_of(const Network& network) {
  std::vector<int> hops;
  for (int a = 0; a < network.num_hosts(); ++a)
    for (int b = 0; b < network.num_hosts(); ++b)
      hops.push_back(network.hops(HostId{a}, HostId{b}));
  return hops;
}

const std::vector<int> small{0, 5, 1, 1, 0, 2, 7, 1, 0};

}  // namespace

TEST_CASE("Hops are the entries of a matrix, however its text is separated") {
  for (const char* text :
       {"0 5 1\n1 0 2\n7 1 0\n", "0,5,1\n1,0,2\n7,1,0", "0;5;1\n1;0;2\n7;1;0\n",
        "# comment\n0\t5\t1\n1\t0\t2\n\n7\t1\t0\n", "0,5,1,\n1,0,2,\n7,1,0,\n",
        "a,b,c\n0,5,1\n1,0,2\n7,1,0\n", "x,a,b,c\na,0,5,1\nb,1,0,2\nc,7,1,0\n",
        ",0,1,2\n0,0,5,1\n1,1,0,2\n2,7,1,0\n", "a 0 5 1\nb 1 0 2\nc 7 1 0\n",
        "\t0\t1\t2\n0\t0\t5\t1\n1\t1\t0\t2\n2\t7\t1\t0\n", "3\n0 5 1 1\n0 2\n7 1 0\n"}) {
    CAPTURE(text);
    const auto network = network_of(text);
    CHECK(network->num_hosts() == 3);
    CHECK(hops_of(*network) == small);
  }
  CHECK(hops_of(*make_network("distances:0,5,1;1,0,2;7,1,0", {})) == small);
}

TEST_CASE("Files of QAPLIB have two matrices, of which one is chosen") {
  const std::string text = "3\n\n0 5 1\n1 0 2\n7 1 0\n\n0 1 1\n1 0 1\n1 1 0\n";
  CHECK(hops_of(*network_of(text)) == small);
  CHECK(hops_of(*network_of(text, ",matrix=second")) ==
        std::vector<int>{0, 1, 1, 1, 0, 1, 1, 1, 0});
  CHECK_THAT(refusal_of("0 1\n1 0\n", ",matrix=second"),
             Catch::EndsWith("matrix=second: the file has one matrix"));
}

TEST_CASE("What is not a matrix of hops is refused with the value and its place") {
  const auto says = [](const std::string& text, const std::string& words) {
    CAPTURE(text);
    CHECK_THAT(refusal_of(text), Catch::Contains(words));
  };
  says("0 1 2\n1 0\n2 1 0\n", "row 2 has 2 entries and row 3 has 3; accepted is a square matrix");
  says("0 1\n1 0\n2 2\n", "has 3 rows of 2 entries; accepted is a square matrix");
  says("0 1 2\n1 0 1\n", "has 2 rows of 3 entries; accepted is a square matrix");
  says("0 1\n1\n", "row 1 has 2 entries and row 2 has 1; accepted is a square matrix");
  says("0 1\n-1 0\n", ":2:1: distance \"-1\": accepted are numbers >= 0");
  says("0 inf\n1 0\n", ":1:3: distance \"inf\": accepted are numbers >= 0");
  says("0 x\n1 0\n", "accepted is a square matrix");
  says("0 1\n1 x\n", ":2:3: distance \"x\" is not a number");
  says("0 1.5\n1 0\n", "distance 1.5 from host 0 to host 1: hops are whole numbers");
  says("0 2e6\n1 0\n", "hops are whole numbers from 0 to 1000000");
  says("0 1\n1 3\n", "distance 3 from host 1 to itself; accepted is 0");
  says("3\n0 1 2\n1 0 1\n", "begins with the size 3, and 6 numbers follow");
  says("\n", "has no numbers");
}

TEST_CASE("A link stands for each pair of hosts, and no time follows from it") {
  const auto network = make_network("distances:0,5,1;1,0,2;7,1,0", {});
  CHECK(network->num_links() == 6);
  std::vector<LinkId> route;
  network->append_route(HostId{2}, HostId{0}, route);
  REQUIRE(route.size() == 1);
  CHECK(network->link(route[0]).hops == 7);
  CHECK(network->link_name(route[0]) == "host-2->host-0");
  CHECK(why_not_simulated(*network, Solver::fast));
  CHECK_THROWS_AS(make_network("distances:0,1;1,0", {}, {.rule = Routing::valiant}), UsageError);
}

TEST_CASE("Mappers reach the optima of QAPLIB as hop-bytes, no bound is above them") {
  // Optima: QAPLIB (nug12 578, nug15 1150, nug20 2570), sums of flow times distance over ordered
  // pairs.
  for (const auto& [name, optimum] :
       {std::pair("nug12", 578.0), std::pair("nug15", 1150.0), std::pair("nug20", 2570.0)}) {
    const auto guest = qaplib_flows(name);
    if (!guest) {
      WARN("skipped: QAPLIB is not there");
      return;
    }
    const std::string path = qaplib_path(name);
    const auto network = make_network("distances:" + path, {});
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    const Embedding found =
        run_mapper({"tabu", {}}, {.guest = *guest, .network = *network, .allocation = allocation},
                   {.steps = 50000});
    CHECK(evaluate(*guest, *network, found).hop_bytes.value == optimum);
    CHECK(lower_bounds(*guest, *network, allocation).hop_bytes.value <= optimum);
  }
}

TEST_CASE("On random matrices, with zeros and of unequal directions, no mapper is below a bound") {
  detail::Random random(1);
  for (int round = 0; round < 10; ++round) {
    constexpr std::uint64_t hosts = 6;
    std::string text;
    for (std::uint64_t a = 0; a < hosts; ++a) {
      for (std::uint64_t b = 0; b < hosts; ++b)
        text += std::to_string(a == b ? 0 : random.below(4)) + ' ';
      text += '\n';
    }
    CAPTURE(text);
    const auto network = network_of(text);
    std::vector<DirectedEdge> edges;
    for (int r = 0; r < 6; ++r)
      for (int s = 0; s < 6; ++s)
        if (r != s && random.below(2) == 0)
          edges.push_back({Rank{r}, Rank{s}, {static_cast<double>(1 + random.below(9))}});
    const CommGraph guest(6, edges);
    const Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);
    CHECK(tests::check_mappers_above_bounds({guest, *network, allocation}, 200) >= 10);
  }
}
