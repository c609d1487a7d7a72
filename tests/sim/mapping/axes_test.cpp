#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "netmodels/network_spec.hpp"
#include "sim/formats/launchers/axis_order.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/more_mappers/layouts/axis_layout.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// A guest of a specification on all hosts of a network.
struct AxesCase {
  GuestTopology topology;
  CommGraph guest;
  std::shared_ptr<const Network> network;
  Allocation allocation;

  AxesCase(std::string_view spec, const std::string& network_spec, int slots = 1)
      : topology(parse_guest_topology(spec)), network(make_network(network_spec, {})) {
    const Bytes one{1};
    guest = make_comm_graph(topology, {&one, 1});
    allocation = make_allocation(*network, "all", {&slots, 1}, 1);
  }

  const Cartesian& grid() const { return *grid_of(topology); }

  Embedding mapped(const MapperSpec& mapper) const {
    MappingProblem problem{guest, *network, allocation, &grid()};
    problem.objective = parse_objective("hop-bytes");
    return run_mapper(mapper, problem);
  }

  double hop_bytes(const Embedding& embedding) const {
    return evaluate(guest, *network, embedding).hop_bytes.value;
  }

  /// The most domains of `hosts` hosts that the members of a communicator along one axis are in.
  std::size_t most_domains(const Embedding& embedding, std::size_t dimension, int hosts) const {
    std::vector<bool> remain(grid().dimensions().size());
    remain[dimension] = true;
    std::map<int, std::set<int>> domains;
    for (int r = 0; r < guest.num_ranks(); ++r)
      domains[grid().sub_place(remain, Rank{r}).subgrid].insert(number(embedding.host_of(Rank{r})) /
                                                                hosts);
    std::size_t most = 0;
    for (const auto& [group, set] : domains) most = std::max(most, set.size());
    return most;
  }
};

constexpr const char* model = ",layers=32,hidden=4096,sequence=4096,micro_batches=8,experts=8";

}  // namespace

TEST_CASE("tensor groups stay inside an NVLink domain where they fit") {
  const std::string nodes = "fat-tree:2;8,4;1,8;1,1,node=8:nvlink=450GBps";
  for (const char* order : {"tp=8,cp=2,dp=4,pp=4", "pp=4,dp=4,cp=2,tp=8", "tp=4,dp=8,pp=8"}) {
    const std::string spec = std::string("parallel:") + order + model;
    INFO(spec);
    const AxesCase problem(spec, nodes);
    const Embedding embedding = problem.mapped({"axes", {}});
    const auto axes = parse_parallel_program(spec)->axes;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (axes[a].name == "tp") CHECK(problem.most_domains(embedding, axes.size() - 1 - a, 8) == 1);
  }
}

TEST_CASE("an expert group is never split across domains where it fits") {
  // 64 places in a domain: tp x ep = 64
  const std::string domains = "fat-tree:1;8;1;1,node=64:nvlink=900GBps";
  for (const char* order : {"tp=8,ep=8,dp=8", "dp=8,ep=8,tp=8", "dp=4,ep=8,pp=4,tp=4"}) {
    const std::string spec = std::string("parallel:") + order + model;
    INFO(spec);
    const AxesCase problem(spec, domains);
    const Embedding embedding = problem.mapped({"axes", {}});
    const auto axes = parse_parallel_program(spec)->axes;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (axes[a].name == "ep")
        CHECK(problem.most_domains(embedding, axes.size() - 1 - a, 64) == 1);
  }
}

// By hand: the axis of 4 lies on a quarter of each row, 64 x 3 edges of one hop; that of 64 goes up
// and down four columns, 4 x 60 edges of one hop and 4 x 3 of four. Both directions count.
TEST_CASE("64x4 is found on a torus of 16x16") {
  const AxesCase problem("cart:64x4", "torus:16x16");
  CHECK(problem.hop_bytes(problem.mapped({"axes", {}})) == 2 * (64 * 3 + 4 * (60 + 3 * 4)));
}

/// The oracle gives every prime factor to a dimension in turn, straight and reflected, and
/// evaluates the embedding.
TEST_CASE("axes are the best of all assignments, and cost what the search says") {
  const auto [guest, network] = GENERATE(
      table<const char*, const char*>({{"cart:2x4x4", "torus:8x4"},
                                       {"parallel:tp=4,ep=4,pp=2", "fat-tree:2;4,8;1,2;1,1"},
                                       {"cart:4px8", "mesh:4x8"},
                                       {"parallel:dp=4:ring:100,tp=2,pp=4", "torus:4x2x4"},
                                       {"cart:3x4x2p", "fat-tree:3;2,6,2;1,1,1;1,1,1"}}));
  INFO(guest << " on " << network);
  const AxesCase problem(guest, network);
  const auto radices =
      host_radices(*problem.network, problem.allocation, problem.guest.num_ranks()).front();
  const GridTraffic traffic = grid_traffic(problem.guest, problem.grid());
  const AxisLayouts found = best_axis_layouts(*problem.network, radices, traffic, false, 1);
  REQUIRE(found.best.size() == 1);
  CHECK(found.complete);
  const double best = found.best.front().hop_bytes;
  CHECK(problem.hop_bytes(problem.mapped({"axes", {}})) == Approx(best));
  CHECK(best <= problem.hop_bytes(problem.mapped({"axes", {{"whole", "yes"}}})));

  // every numbering of dimensions by factors: slot digits in all orders of the factors
  std::vector<std::pair<std::size_t, int>> factors;  // dimension, prime
  for (std::size_t d = 0; d < traffic.axes.size(); ++d)
    for (int p = 2, rest = traffic.axes[d].size; rest > 1; ++p)
      for (; rest % p == 0; rest /= p) factors.emplace_back(d, p);
  std::sort(factors.begin(), factors.end());
  const auto strides = problem.grid().strides();
  do {
    for (const bool reflected : {false, true}) {
      std::vector<HostId> hosts;
      for (int r = 0; r < problem.guest.num_ranks(); ++r) {
        std::vector<int> rest;
        for (std::size_t d = 0; d < traffic.axes.size(); ++d)
          rest.push_back(r / strides[d] % traffic.axes[d].size);
        int slot = 0, stride = 1;
        for (const auto& [d, prime] : factors) {
          const int digit = rest[d] % prime;
          rest[d] /= prime;
          slot += (reflected && rest[d] % 2 == 1 ? prime - 1 - digit : digit) * stride;
          stride *= prime;
        }
        hosts.push_back(radices.slot_hosts[index(slot)]);
      }
      CHECK(problem.hop_bytes(Embedding(std::move(hosts), problem.allocation)) >=
            best * (1 - 1e-12));
    }
  } while (std::next_permutation(factors.begin(), factors.end()));
}

TEST_CASE("an order of whole axes is told as the string that Megatron takes") {
  const AxesCase problem(std::string("parallel:pp=4,dp=4,tp=4") + model,
                         "fat-tree:2;4,4;1,4;1,1,node=4:nvlink=450GBps");
  const auto program = std::get<ParallelProgram>(problem.topology.kind);
  const auto order_of = [&](const MapperSpec& mapper) {
    return block_axis_order(program, problem.mapped(mapper), problem.allocation);
  };
  CHECK(order_of({"block", {}}) == "pp-dp-tp");
  const auto whole = order_of({"axes", {{"whole", "yes"}}});
  REQUIRE(whole);
  CHECK(whole->starts_with("tp-"));
  CHECK(order_of({"random", {}}) == std::nullopt);
}
