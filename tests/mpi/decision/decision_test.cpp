#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/mpi/decision/exchange_cost.hpp"
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

Reordering chain_reordered(const ProgramClock& clock) {
  const Cartesian chain({Dimension{4}});
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(chain, one_byte);
  MappingChoice choice;
  choice.mapper = {"exchange", {}};
  return reorder({guest, &chain}, *make_network("mesh:4", {}, {}), shuffled, choice, clock);
}

/// That all exchanges take so long in the old order and in another one.
ProgramClock clock_of(double old_order, double others) {
  return [=](const Program&, const Network&, const Embedding& embedding) {
    return Seconds{embedding.hosts() == shuffled ? old_order : others};
  };
}

ExchangeCost cost_of_all(double time) {
  const ExchangeCost::Times times{Seconds{time}, Seconds{10 * time}, Seconds{0}};
  return {Bytes{100}, times, times, {Seconds{time}, Seconds{time}}, Seconds{0}, {times, times}};
}

}  // namespace

TEST_CASE("An order with fewer hop-bytes and the same times is taken", "[decision]") {
  const Reordering result = chain_reordered(clock_of(1, 1));
  CHECK(result.kept_because.empty());
  CHECK(result.hop_bytes_before == Bytes{10});
  CHECK(result.hop_bytes_after == Bytes{6});
  CHECK(result.predicted_gain == 0);
}

TEST_CASE("An order with fewer hop-bytes is not taken where the clock sees a loss", "[decision]") {
  const Reordering result = chain_reordered(clock_of(1, 1.001));
  CHECK(result.kept_because ==
        "no order was found that is better in one respect and worse in none");
  CHECK(result.hop_bytes_after == Bytes{10});
  for (int r = 0; r < 4; ++r) CHECK(result.old_ranks[static_cast<std::size_t>(r)] == Rank{r});
}

TEST_CASE("A faster order that is refused is told, with what it makes worse", "[decision]") {
  // Only in a program of one direction alone no rank sends twice.
  const ProgramClock clock = [](const Program& program, const Network&, const Embedding& order) {
    std::ptrdiff_t most = 0;
    for (int r = 0; r < program.num_ranks(); ++r) {
      const auto& operations = program.ranks[Rank{r}];
      most = std::max(most, std::count_if(operations.begin(), operations.end(),
                                          [](const Operation& o) { return is_send(o.kind); }));
    }
    if (order.hosts() == shuffled) return Seconds{1};
    return Seconds{most == 1 ? 1.25 : 0.5};
  };
  const Reordering result = chain_reordered(clock);
  CHECK(result.kept_because ==
        "no order was found that is better in one respect and worse in none; one saves 50.0 % of "
        "the time of an exchange, but its time in one direction alone grows by 25.0 %: an "
        "objective (--objective, VTOPO_OBJECTIVE) would take it");
}

TEST_CASE("A single rank keeps its place", "[decision]") {
  const Cartesian alone({Dimension{1}});
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(alone, one_byte);
  MappingChoice choice;
  choice.mapper = {"exchange", {}};
  const HostId host[] = {HostId{2}};
  const auto network = make_network("mesh:4", {}, {});
  CHECK_FALSE(
      reorder({guest, &alone}, *network, host, choice, clock_of(1, 1)).kept_because.empty());
}

TEST_CASE("The predicted gain is the time that the clock says is saved", "[decision]") {
  CHECK(chain_reordered(clock_of(4, 3)).predicted_gain == 0.25);
}

TEST_CASE("Every single time that grows is a loss", "[decision]") {
  const ExchangeCost before = cost_of_all(1);
  CHECK(loss(before, before) == 0);
  CHECK(is_gain(before, cost_of_all(0.9), 0.02));
  CHECK_FALSE(is_gain(before, cost_of_all(0.99), 0.02));
  const auto grown = [](auto change) {
    ExchangeCost cost = cost_of_all(0.5);
    change(cost);
    return cost;
  };
  // Each by half of what it was: 0.5, whatever else falls.
  const ExchangeCost changed[] = {grown([](ExchangeCost& c) { c.hop_bytes = Bytes{150}; }),
                                  grown([](ExchangeCost& c) { c.at_once[0] = Seconds{1.5}; }),
                                  grown([](ExchangeCost& c) { c.turn_by_turn[1] = Seconds{15}; }),
                                  grown([](ExchangeCost& c) { c.collectives[0] = Seconds{1.5}; }),
                                  grown([](ExchangeCost& c) { c.collectives[1] = Seconds{1.5}; }),
                                  grown([](ExchangeCost& c) { c.in_turn[1][0] = Seconds{1.5}; })};
  for (const ExchangeCost& after : changed) {
    CHECK(loss(before, after) == 0.5);
    CHECK(worst_growth(before, after).part == 0.5);
    CHECK_FALSE(is_gain(before, after, 0.02));
  }
}

TEST_CASE("Ten exchanges make up for what the communicator takes longer to make", "[decision]") {
  ExchangeCost before = cost_of_all(1);
  before.construction = Seconds{5};
  ExchangeCost after = cost_of_all(0.9);
  // Ten at once save 10 * 0.1; ten in turn, of which two are counted together, 5 * 0.1.
  after.construction = Seconds{5.4};
  CHECK(is_gain(before, after, 0.02));
  after.construction = Seconds{5.6};
  CHECK(loss(before, after) == Approx((5.6 + 5 * 0.9) / (5 + 5 * 1.0) - 1));
  CHECK_FALSE(is_gain(before, after, 0.02));
  // Guests that have sizes: ten exchanges of these, of which no more is known to be saved.
  ExchangeCost sized = before;
  sized.at_once[2] = sized.turn_by_turn[2] = Seconds{0.1};
  after = sized;
  after.at_once[0] = after.turn_by_turn[0] = Seconds{0.1};
  after.construction = Seconds{5.4};
  CHECK(loss(sized, after) == Approx(0.4 / (5 + 10 * 0.1) + 0.4 / (5 + 5 * 0.1)));
}

TEST_CASE("A communicator is made by broadcasts in the old and in the new order", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(chain, one_byte);
  const auto network = make_network("mesh:4", {}, {});
  // Messages between hosts, of which the last program that is simulated is asked.
  std::vector<std::pair<HostId, HostId>> sent;
  const ProgramClock clock = [&](const Program& program, const Network&, const Embedding& order) {
    sent.clear();
    for (int r = 0; r < program.num_ranks(); ++r)
      for (const Operation& operation : program.ranks[Rank{r}])
        if (is_send(operation.kind))
          sent.emplace_back(order.host_of(Rank{r}), order.host_of(Rank{operation.peer}));
    return Seconds{1};
  };
  const std::vector<HostId> in_turn{HostId{3}, HostId{2}, HostId{1}, HostId{0}};
  const Exchange exchange({guest, &chain}, *network, embedding_on(shuffled), clock);
  CHECK(exchange.cost(embedding_on(in_turn)).construction == Seconds{1});
  // Binomial trees by hand: 0 to 2, 0 to 1 and 2 to 3; old ranks are on hosts 0 2 1 3, new ones on
  // 3 2 1 0.
  std::vector<std::pair<HostId, HostId>> expected{{HostId{0}, HostId{1}}, {HostId{0}, HostId{2}},
                                                  {HostId{1}, HostId{3}}, {HostId{3}, HostId{1}},
                                                  {HostId{3}, HostId{2}}, {HostId{1}, HostId{0}}};
  std::sort(sent.begin(), sent.end());
  std::sort(expected.begin(), expected.end());
  CHECK(sent == expected);
}

TEST_CASE("Orders are ranked by time, hop-bytes and collective operations", "[decision]") {
  ExchangeCost after = cost_of_all(0.5);
  CHECK(relative_time(cost_of_all(1), after) == 0.5);
  CHECK(relative_cost(cost_of_all(1), after) == (0.5 + 1 + 0.5) / 3);
  after.hop_bytes = Bytes{25};
  CHECK(relative_cost(cost_of_all(1), after) == (0.5 + 0.25 + 0.5) / 3);
}

TEST_CASE("An order behind others that lose is found", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(chain, one_byte);
  const ReorderProblem problem{guest, &chain};
  const auto network = make_network("mesh:4", {}, {});
  // Two exchanges of ranks away; by hand: 2 + 1 + 2 hops in both directions, as in the old order.
  const std::vector<HostId> far{HostId{3}, HostId{1}, HostId{2}, HostId{0}};
  const Allocation allocation{{HostId{0}, HostId{1}, HostId{2}, HostId{3}}, {1, 1, 1, 1}};
  const Embedding before(shuffled, allocation);
  const ProgramClock clock = [&](const Program&, const Network&, const Embedding& embedding) {
    return Seconds{embedding.hosts() == far ? 0.5 : embedding.hosts() == shuffled ? 1.0 : 2.0};
  };
  OrderSearch search(problem, *network, before, 0.02, clock);
  search.improve({}, allocation, "found", 1);
  REQUIRE(search.best());
  CHECK(search.best()->embedding.hosts() == far);
  CHECK(search.best()->gain == 0.5);
}

TEST_CASE("A cost that is not needed is not simulated", "[decision]") {
  const Cartesian chain({Dimension{4}});
  const Bytes one_byte[] = {Bytes{1}};
  const CommGraph guest = make_comm_graph(chain, one_byte);
  const auto network = make_network("mesh:4", {}, {});
  int simulations = 0;
  const Embedding order = embedding_on(shuffled);
  const Exchange exchange({guest, &chain}, *network, order,
                          [&](const Program&, const Network&, const Embedding&) {
                            ++simulations;
                            return Seconds{1};
                          });
  const auto is_never = [](const ExchangeCost&) { return false; };
  CHECK(loss(exchange.cost(order), exchange.cost(order, is_never)) == 0);
  // Two directions, all at once and in turn, each short and long, two collective operations and
  // the constructor.
  CHECK(simulations == 2 * (2 * 4 + 2 + 1));
  simulations = 0;
  const ExchangeCost part = exchange.cost(
      order, [](const ExchangeCost& so_far) { return so_far.in_turn[0][0].value > 0; });
  CHECK(simulations == 2);
  CHECK(part.in_turn[1][0] == Seconds{0});
  CHECK(part.at_once[0] == Seconds{0});
}
