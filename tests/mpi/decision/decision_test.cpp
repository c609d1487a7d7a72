#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/mpi/decision/iteration.hpp"
#include "sim/mpi/decision/order_search.hpp"
#include "sim/mpi/decision/reordering.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

namespace {

/// A chain of four ranks, of which the middle ones have changed places on a line of hosts. By hand:
/// 2 + 1 + 2 hops in both directions are 10, in the chain's order 6.
const std::vector<HostId> shuffled{HostId{0}, HostId{2}, HostId{1}, HostId{3}};

CommGraph chain_guest(const Cartesian& chain) {
  const Bytes one_byte[] = {Bytes{1}};
  return make_comm_graph(chain, one_byte);
}

Reordering chain_reordered(const ProgramClock& clock, MappingChoice choice = {}) {
  const Cartesian chain({Dimension{4}});
  const CommGraph guest = chain_guest(chain);
  return reorder({guest, &chain}, *make_network("mesh:4", {}, {}), shuffled, choice, clock);
}

/// That all programs take so long in the old order and in another one.
ProgramClock clock_of(double old_order, double others) {
  return [=](const Program&, const Network&, const Embedding& embedding) {
    return Seconds{embedding.hosts() == shuffled ? old_order : others};
  };
}

/// Messages of the first rank that sends any.
std::size_t sends_of_first(const Program& program) {
  for (int r = 0; r < program.num_ranks(); ++r) {
    const auto& operations = program.ranks[Rank{r}];
    const auto sends = std::count_if(operations.begin(), operations.end(),
                                     [](const Operation& o) { return is_send(o.kind); });
    if (sends > 0) return static_cast<std::size_t>(sends);
  }
  return 0;
}

/// Two ranks that send each other this many bytes.
CommGraph pair_of(double bytes) {
  const DirectedEdge edges[] = {{Rank{0}, Rank{1}, Bytes{bytes}}, {Rank{1}, Rank{0}, Bytes{bytes}}};
  return CommGraph(2, edges);
}

}  // namespace

TEST_CASE("An order is taken if an iteration gets faster", "[decision]") {
  const Reordering result = chain_reordered(clock_of(4, 3));
  CHECK(result.kept_because.empty());
  CHECK(result.predicted_gain == 0.25);
  CHECK(result.worst_collective->part == -0.25);
}

TEST_CASE("The order is kept where no other one is faster", "[decision]") {
  const Reordering result = chain_reordered(clock_of(1, 0.995));  // less than the smallest gain
  CHECK(result.kept_because == "no other order is better");
  CHECK(result.mapper.empty());
  CHECK(result.hop_bytes_after == Bytes{10});
  for (int r = 0; r < 4; ++r) CHECK(result.old_ranks[static_cast<std::size_t>(r)] == Rank{r});
}

TEST_CASE("Without a clock the busiest link and the longest routes decide", "[decision]") {
  const Reordering result = chain_reordered({});
  CHECK(result.hop_bytes_before == Bytes{10});
  CHECK(result.hop_bytes_after == Bytes{6});
  CHECK_FALSE(result.worst_collective);
}

TEST_CASE("A chosen mapper alone makes the order", "[decision]") {
  MappingChoice choice;
  choice.mapper = MapperSpec{"block", {}};
  const Reordering better = chain_reordered(clock_of(4, 3), choice);
  CHECK(better.mapper == "block");
  CHECK(better.hop_bytes_after == Bytes{6});
  const Reordering worse = chain_reordered(clock_of(3, 4), choice);
  CHECK(worse.kept_because == "the order of block is not better");
}

TEST_CASE("Other collective operations do not keep an order, and their loss is told",
          "[decision]") {
  // An iteration of a chain has in the first rank a message to a neighbour and two of a reduction
  // of four ranks; a broadcast has two, an allgather and an alltoall have three.
  const ProgramClock clock = [](const Program& program, const Network&, const Embedding& order) {
    if (order.hosts() == shuffled) return Seconds{1};
    return Seconds{sends_of_first(program) == 2 ? 1.5 : 0.5};
  };
  const Reordering result = chain_reordered(clock);
  CHECK(result.kept_because.empty());
  REQUIRE(result.worst_collective);
  CHECK(result.worst_collective->operation == "bcast");
  CHECK(result.worst_collective->part == 0.5);
}

TEST_CASE("Messages have the bytes that are chosen, else those of weights, else 64 KiB",
          "[decision]") {
  CHECK(bytes_per_unit(pair_of(1), std::nullopt) == 65536);
  CHECK(bytes_per_unit(pair_of(1), Bytes{1000}) == 1000);
  CHECK(bytes_per_unit(pair_of(4096), std::nullopt) == 1);
  CHECK(bytes_per_unit(pair_of(64), std::nullopt) == 1);
  CHECK(bytes_per_unit(pair_of(4096), Bytes{8192}) == 2);
  CHECK(bytes_per_unit(pair_of(4), std::nullopt) == 16384);  // shares
}

TEST_CASE("An iteration is an exchange, both ways, and a reduction", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const CommGraph guest = chain_guest(chain);
  const auto network = make_network("mesh:4", {}, {});
  std::vector<double> volumes;  // of the second rank's messages
  const Iteration iteration({guest, &chain}, *network, Bytes{500},
                            [&](const Program& program, const Network&, const Embedding&) {
                              for (const Operation& operation : program.ranks[Rank{1}])
                                if (is_send(operation.kind)) volumes.push_back(operation.amount);
                              return Seconds{1};
                            });
  const IterationCost cost = iteration.cost(embedding_on(shuffled));
  CHECK(cost.times == std::array{Seconds{1}, Seconds{1}});
  // Two neighbours, then two rounds of recursive doubling among four ranks.
  CHECK(volumes == std::vector<double>{500, 500, 8, 8, 500, 500, 8, 8});
  CHECK(cost.hop_bytes == Bytes{10});
  // By hand, 10 GB/s and 100 ns: three messages of 500 bytes share a link, the longest route has
  // two hops; in the reduction 0 <-> 1 have two hops and 0 <-> 2 one, as their partners.
  const IterationCost bound = iteration.bound(embedding_on(shuffled));
  CHECK(bound.times[0].value == Approx(3 * 50e-9 + 2 * 100e-9 + (2 + 1) * 100e-9));
}

TEST_CASE("An order is faster in the mean of all times", "[decision]") {
  const IterationCost before{Bytes{100}, {Seconds{1}, Seconds{4}}};
  const IterationCost after{Bytes{50}, {Seconds{0.5}, Seconds{4.4}}};
  CHECK(relative_time(before, after) == Approx((0.5 + 1.1) / 2));
  CHECK(worst_relative_time(before, after) == Approx(1.1));
}

TEST_CASE("An order that is much slower in one way is not taken", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const CommGraph guest = chain_guest(chain);
  const auto network = make_network("mesh:4", {}, {});
  const auto found_with = [&](double in_turn) {
    bool is_first = false;  // of the two ways
    const Iteration iteration({guest, &chain}, *network, std::nullopt,
                              [&](const Program&, const Network&, const Embedding& order) {
                                is_first = !is_first;
                                if (order.hosts() == shuffled) return Seconds{1};
                                return Seconds{is_first ? 0.5 : in_turn};
                              });
    const Embedding before = embedding_on(shuffled);
    OrderSearch search(iteration, before, 0.01);
    search.offer(embedding_on({HostId{0}, HostId{1}, HostId{2}, HostId{3}}), "line");
    return search.best();
  };
  CHECK(found_with(1.005)->mapper == "line");
  CHECK_FALSE(found_with(1.05));
}

TEST_CASE("A single rank keeps its place", "[decision]") {
  const Cartesian alone({Dimension{1}});
  const CommGraph guest = chain_guest(alone);
  const HostId host[] = {HostId{2}};
  const auto network = make_network("mesh:4", {}, {});
  CHECK_FALSE(reorder({guest, &alone}, *network, host, {}, clock_of(1, 1)).kept_because.empty());
}

TEST_CASE("An order behind others that lose is found", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const CommGraph guest = chain_guest(chain);
  const ReorderProblem problem{guest, &chain};
  const auto network = make_network("mesh:4", {}, {});
  // Two exchanges of ranks away; by hand: 2 + 1 + 2 hops in both directions, as in the old order.
  const std::vector<HostId> far{HostId{3}, HostId{1}, HostId{2}, HostId{0}};
  const Allocation allocation{{HostId{0}, HostId{1}, HostId{2}, HostId{3}}, {1, 1, 1, 1}};
  const Embedding before(shuffled, allocation);
  const ProgramClock clock = [&](const Program&, const Network&, const Embedding& embedding) {
    return Seconds{embedding.hosts() == far ? 0.5 : embedding.hosts() == shuffled ? 1.0 : 2.0};
  };
  const Iteration iteration(problem, *network, std::nullopt, clock);
  OrderSearch search(iteration, before, 0.01);
  search.improve(allocation, 1);
  REQUIRE(search.best());
  CHECK(search.best()->embedding.hosts() == far);
  CHECK(search.best()->gain == 0.5);
  CHECK(search.best()->mapper == "exchanges");
}
