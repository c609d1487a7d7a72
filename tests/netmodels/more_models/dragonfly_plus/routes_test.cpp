#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

/// Fewer links than spines, as many, more; one cell, two, several; unequal cells, empty leaves.
const std::vector<std::string> plus_specs{
    "dragonfly-plus:5;4,4;4",         "dragonfly-plus:4;2,3;2,links=2",
    "dragonfly-plus:3;2,2;2,links=5", "dragonfly-plus:4;3,4;1,links=4",
    "dragonfly-plus:2;3,2;2",         "dragonfly-plus:1;3,2;3",
    "dragonfly-plus:1;1,1;3",         "dragonfly-plus:5;3,4;4,links=3,cells=2:3*2/4+0/2:1+3"};

std::shared_ptr<const Network> plus(const std::string& spec, Routing rule = Routing::simgrid) {
  return make_network(spec, {}, {rule});
}

std::string cell_of_name(const std::string& name) {  // spine3.1 -> 3
  const auto first = name.find_first_of("0123456789");
  return name.substr(first, name.find('.') - first);
}

/// Oracle: flows spread evenly over shortest routes of the switches of some cells, found by search.
class Spreading {
 public:
  Spreading(const Network& network, std::vector<std::string> cells) {
    for (int l = 0; l < network.num_links(); ++l) {
      const LinkEnds ends = *network.link_ends(LinkId{l});
      if (ends.from < network.num_hosts() || ends.to < network.num_hosts()) continue;
      const auto inside = [&](int vertex) {
        const auto cell = cell_of_name(network.vertex_name(vertex));
        return std::find(cells.begin(), cells.end(), cell) != cells.end();
      };
      if (inside(ends.from) && inside(ends.to)) links_.push_back({LinkId{l}, ends});
    }
  }

  /// Adds the shares from a vertex to the nearest of some vertices; what arrives at each of them.
  std::map<int, double> spread(const std::map<int, double>& sources,
                               const std::vector<int>& targets,
                               std::map<LinkId, double>& shares) const {
    std::map<int, int> distance;
    for (const int target : targets) distance[target] = 0;
    for (std::size_t round = 0; round < links_.size(); ++round) {
      bool changed = false;
      for (const auto& [link, ends] : links_) {
        const auto to = distance.find(ends.to);
        if (to == distance.end()) continue;
        const auto [from, is_new] = distance.emplace(ends.from, to->second + 1);
        changed = changed || is_new || from->second > to->second + 1;
        from->second = std::min(from->second, to->second + 1);
      }
      if (!changed) break;
    }
    std::map<int, double> here = sources, arrived;
    while (!here.empty()) {
      std::map<int, double> next;
      for (const auto& [vertex, share] : here) {
        if (distance.at(vertex) == 0) {
          arrived[vertex] += share;
          continue;
        }
        std::vector<std::pair<LinkId, int>> onwards;
        for (const auto& [link, ends] : links_)
          if (ends.from == vertex && distance.contains(ends.to) &&
              distance.at(ends.to) < distance.at(vertex))
            onwards.emplace_back(link, ends.to);
        for (const auto& [link, to] : onwards) {
          shares[link] += share / static_cast<double>(onwards.size());
          next[to] += share / static_cast<double>(onwards.size());
        }
      }
      here = std::move(next);
    }
    return arrived;
  }

 private:
  std::vector<std::pair<LinkId, LinkEnds>> links_;
};

/// Switch of a host.
int switch_of(const Network& network, int host) {
  return network.link_ends(LinkId{2 * host})->to;
}

}  // namespace

TEST_CASE("A dragonfly-plus joins leaves with the spines of their cell, and cells by N links") {
  // By hand: 2 links for each of 80 hosts, 2 * 4 * 4 in each of 5 cells, 5 * 4 between cells.
  CHECK(plus("dragonfly-plus:5;4,4;4")->num_links() == 160 + 160 + 20);
  // 6 + 6 + 4 + 4 + 4 hosts, 3 + 3 + 2 + 2 + 2 leaves of 4 spines, 5 * 4 * 3 between cells.
  CHECK(plus(plus_specs.back())->num_links() == 2 * 24 + 2 * 12 * 4 + 60);
  for (const std::string& spec : plus_specs) {
    CAPTURE(spec);
    const auto network = plus(spec);
    std::map<std::pair<int, int>, int> between;                // links by leaf and spine
    std::map<std::pair<std::string, std::string>, int> cells;  // links by cells
    std::map<int, int> global;                                 // by spine
    for (int l = 0; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      if (network->link_class(LinkId{l}) == 0) continue;
      const auto from = network->vertex_name(ends.from), to = network->vertex_name(ends.to);
      if (network->link_class(LinkId{l}) == 1) {
        CHECK(++between[{ends.from, ends.to}] == 1);
        CHECK(cell_of_name(from) == cell_of_name(to));
        CHECK(from.substr(0, 4) != to.substr(0, 4));  // a leaf and a spine
      } else {
        CHECK((from.starts_with("spine") && to.starts_with("spine")));
        ++cells[{cell_of_name(from), cell_of_name(to)}];
        ++global[ends.from];
      }
    }
    std::set<int> counts;
    for (const auto& [pair, links] : cells) {
      CHECK(pair.first != pair.second);
      counts.insert(links);
    }
    CHECK(counts.size() <= 1);
    // The paper spreads the links of a cell evenly over its spines.
    int most = 0, least = std::numeric_limits<int>::max();
    for (const auto& [spine, links] : global)
      most = std::max(most, links), least = std::min(least, links);
    if (!global.empty()) CHECK(most - least <= 1);
  }
}

TEST_CASE("Routes of a dragonfly-plus are shortest, and every switch forwards by destination") {
  for (const std::string& spec : plus_specs) {
    CAPTURE(spec);
    check_shortest_by_destination(*plus(spec));
  }
}

TEST_CASE("Destinations of a dragonfly-plus spread evenly over spines and over links of cells") {
  // 4 leaves, 4 spines, 4 hosts each: every spine leads down to one host of each leaf, so that each
  // link down has one destination. 4 links between cells: 4 of 16 destinations each.
  const auto network = plus("dragonfly-plus:5;4,4;4,links=4");
  std::map<LinkId, std::set<int>> destinations;
  for (int b = 4; b < 80; ++b) {
    std::vector<LinkId> route;
    network->append_route(HostId{0}, HostId{b}, route);
    for (const LinkId link : route) destinations[link].insert(b);
  }
  for (const auto& [link, hosts] : destinations) {
    const auto kind = network->link_class(link);
    if (kind == 2) CHECK(hosts.size() == 4);
    if (kind == 1 && network->vertex_name(network->link_ends(link)->from).starts_with("spine"))
      CHECK(hosts.size() == 1);
  }
}

TEST_CASE("Equal-cost multipath on a dragonfly-plus splits as a search in its links does") {
  for (const std::string& spec : plus_specs) {
    CAPTURE(spec);
    const auto network = plus(spec, Routing::ecmp);
    tests::check_shares_by_search(*network, 3);
  }
}

TEST_CASE("Valiant's routes on a dragonfly-plus are the mean over all third cells") {
  for (const std::string& spec : plus_specs) {
    CAPTURE(spec);
    const auto network = plus(spec, Routing::valiant);
    const int cells = network->parts()[1].partitions[0].count;
    if (cells < 3) continue;
    std::map<std::string, std::vector<int>> spines;
    for (int l = 0; l < network->num_links(); ++l)
      if (const auto ends = *network->link_ends(LinkId{l}); network->link_class(LinkId{l}) == 1)
        for (const int end : {ends.from, ends.to})
          if (const auto name = network->vertex_name(end); name.starts_with("spine")) {
            auto& of_cell = spines[cell_of_name(name)];
            if (std::find(of_cell.begin(), of_cell.end(), end) == of_cell.end())
              of_cell.push_back(end);
          }
    for (int a = 0; a < network->num_hosts(); a += 3)
      for (int b = 0; b < network->num_hosts(); b += 2) {
        const int source = switch_of(*network, a), destination = switch_of(*network, b);
        const auto from = cell_of_name(network->vertex_name(source));
        const auto to = cell_of_name(network->vertex_name(destination));
        if (from == to) continue;
        std::map<LinkId, double> expected{{LinkId{2 * a}, 1}, {LinkId{2 * b + 1}, 1}};
        for (const auto& [by, of_cell] : spines) {
          if (by == from || by == to) continue;
          const auto arrived = Spreading(*network, {from, by})
                                   .spread({{source, 1.0 / (cells - 2)}}, of_cell, expected);
          Spreading(*network, {by, to}).spread(arrived, {destination}, expected);
        }
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
        double hops = 0;
        for (const auto& [link, share] : expected) hops += share;
        CHECK(network->mean_hops(HostId{a}, HostId{b}) == Approx(hops));
      }
  }
}

TEST_CASE("Inside a cell Valiant's routes on a dragonfly-plus take a random spine") {
  const auto valiant = plus("dragonfly-plus:3;3,4;2", Routing::valiant);
  const auto ecmp = plus("dragonfly-plus:3;3,4;2", Routing::ecmp);
  for (int b = 1; b < 6; ++b)
    tests::check_same_shares(tests::shares_between(*valiant, 0, b),
                             tests::shares_between(*ecmp, 0, b));
}

TEST_CASE("Keys of a dragonfly-plus give links, unequal cells and rates") {
  const std::string spec =
      "dragonfly-plus:4;3,2;4,links=3,cells=2:3*2/4+0/2,bandwidth=1GBps/2GBps/3GBps,latency=5ns";
  const auto network = plus(spec);
  CHECK(network->description() == spec);
  CHECK(network->num_hosts() == 6 + 6 + 4 + 2);
  CHECK(network->vertex_name(18) == "spine0.0");
  CHECK(network->vertex_name(22) == "leaf0.2");
  CHECK(network->vertex_name(18 + 5 + 5 + 3) == "leaf2.1");
  const auto classes = network->link_classes();
  REQUIRE(classes.size() == 3);
  CHECK(classes[0].bandwidth == BytesPerSecond{1e9});
  CHECK(classes[1].links == 2 * 2 * (3 + 3 + 2 + 1));
  CHECK(classes[2].links == 4 * 3 * 3);
  CHECK(classes[2].bandwidth == BytesPerSecond{3e9});
  CHECK(network->injection_bandwidth(HostId{0}) == BytesPerSecond{1e9});
  CHECK(network->link_name(LinkId{0}) == "host-0->leaf0.0");
  // More links than spines: several between the same two.
  CHECK(network->link_name(LinkId{network->num_links() - 1}).ends_with("#2"));
  // Equal cells are those without the key.
  CHECK(plus("dragonfly-plus:2;2,1;3,cells=2:2*3")->description() == "dragonfly-plus:2;2,1;3");
}

TEST_CASE("A dragonfly-plus holds the nodes of Leonardo, cell by cell") {
  // 19 cells of 180 nodes at 18 leaf switches, one of 324 and two of 624.
  const auto network = plus(
      "dragonfly-plus:22;18,18;40,links=18,cells=19:18*10/10+2+6+10+2+6+40+8+40+8+40+8+40+8+40+8+"
      "40+8/2:40+38+40+38+40+38+40+38+40+38+40+38+40+38+40+38");
  CHECK(network->num_hosts() == 4992);
  // 19 * 18 + 18 + 2 * 16 = 392 leaves.
  CHECK(network->num_links() == 2 * 4992 + 2 * 392 * 18 + 22 * 21 * 18);
  const auto parts = network->parts();
  std::vector<int> hosts(22);
  for (const int cell : parts[1].partitions[0].part_of) ++hosts[static_cast<std::size_t>(cell)];
  std::vector<int> expected(22, 180);
  expected[19] = 324;
  expected[20] = expected[21] = 624;
  CHECK(hosts == expected);
  CHECK(network->diameter() == 5);
}

TEST_CASE("A malformed dragonfly-plus is one sentence that names the value") {
  const auto error_of = [](const std::string& spec, Routing rule = Routing::simgrid) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
  };
  CHECK(error_of("dragonfly-plus:0;4,4;4") ==
        "number of cells 0 in \"dragonfly-plus:0;4,4;4\": accepted are 1 to 2147483647");
  CHECK_THAT(error_of("dragonfly-plus:5;4,-4;4"), Catch::Contains("number of spines -4 in"));
  CHECK_THAT(error_of("dragonfly-plus:5;4;4"),
             Catch::Contains("CELLS;LEAVES,SPINES;HOSTS_PER_LEAF as dragonfly-plus:5;4,4;4"));
  for (const char* large : {"dragonfly-plus:65536;65536,1;1", "dragonfly-plus:1;65536,65536;1",
                            "dragonfly-plus:65536;1,1;1", "dragonfly-plus:2;2,2;2,links=2147483647",
                            "dragonfly-plus:2147483647;2147483647,2147483647;2147483647",
                            "dragonfly-plus:1;1,1;2000000000"})
    CHECK(error_of(large) ==
          "dragonfly-plus with more than 2147483647 hosts, switches or directed links");
  const auto cells = [&](const std::string& list) {
    return error_of("dragonfly-plus:3;2,2;4,cells=" + list);
  };
  CHECK_THAT(cells("4+4"), Catch::Contains("cells has hosts of 1 cells; accepted: 3"));
  CHECK_THAT(cells("4:1"), Catch::Contains("hosts of more than 3 cells"));
  CHECK_THAT(cells("3:5"), Catch::Contains("\"5\" hosts in \"5\" of cells; accepted: 0 to 4"));
  CHECK_THAT(cells("3:-1"), Catch::Contains("\"-1\" hosts in"));
  CHECK_THAT(cells("3:1+"), Catch::Contains("\"\" hosts in"));
  CHECK_THAT(cells("3:1+1+1"),
             Catch::Contains("more than 2 leaves in \"1+1+1\"; accepted: 1 to 2"));
  CHECK_THAT(cells("3:2000000000*1"), Catch::Contains("more than 2 leaves"));
  CHECK_THAT(cells("3:0"), Catch::Contains("cells has no host"));
  CHECK_THAT(cells("x:1"), Catch::Contains("number of cells \"x\""));
  for (const Routing rule : {Routing::positive, Routing::split})
    CHECK_THAT(
        error_of("dragonfly-plus:5;4,4;4", rule),
        Catch::Contains("accepted for a dragonfly-plus: simgrid (one route, by destination)"));
}
