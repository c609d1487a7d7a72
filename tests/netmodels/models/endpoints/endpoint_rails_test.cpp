#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/netmodels/walks.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/needs_wings.hpp"
#include "tests/support/routes.hpp"

// Interfaces in the planes of a fat tree. Expected times by hand: a link of 50 GB/s or 450 GB/s is
// shared evenly and is busy until its last byte; nothing has latency here.

using namespace vtopo;

namespace {

constexpr int gpus = 8;

const std::string tree = "fat-tree:2;4,4;1,4;1,1,bandwidth=50GBps,latency=0";
const std::string eight_gpus = ",node=8:nvlink=450GBps";
const std::string rails = tree + eight_gpus + ",rails=8,nics=8,injection=50GBps";

/// GPU g of a node as the host of the network that it is.
int gpu(int node, int g) {
  return node * gpus + g;
}

/// 1 GB from one host to another.
struct Transfer {
  int from, to;
};

/// When the last message ends, each rank on the host of its number: by both solvers.
double transfer_seconds(const Network& network, const std::vector<Transfer>& messages) {
  constexpr double gigabyte = 1e9;
  std::vector<DirectedEdge> edges;
  for (const auto& [from, to] : messages) edges.push_back({Rank{from}, Rank{to}, Bytes{gigabyte}});
  const CommGraph guest(network.num_hosts(), edges);
  std::vector<HostId> places;
  for (int h = 0; h < network.num_hosts(); ++h) places.push_back(HostId{h});
  const Embedding embedding(places, make_allocation(network, "all", std::vector{1}, 1));
  SimulationOptions options;
  options.solver = Solver::fast;
  const double time = simulate(guest, network, embedding, options).makespan.value;
  options.solver = Solver::simgrid;
  CHECK(simulate(guest, network, embedding, options).makespan.value == Approx(time));
  return time;
}

double transfer_seconds(const std::string& spec, const std::vector<Transfer>& messages) {
  return transfer_seconds(*make_network(spec, {}), messages);
}

/// From every GPU of a node to its peer in another.
std::vector<Transfer> to_peers(int node, int other) {
  std::vector<Transfer> messages;
  for (int g = 0; g < gpus; ++g) messages.push_back({gpu(node, g), gpu(other, g)});
  return messages;
}

std::vector<Transfer> all_to_one(int node, int receiver) {
  std::vector<Transfer> messages;
  for (int g = 0; g < gpus; ++g) messages.push_back({gpu(node, g), receiver});
  return messages;
}

std::vector<Transfer> one_to_all(int sender, int node) {
  std::vector<Transfer> messages;
  for (int g = 0; g < gpus; ++g) messages.push_back({sender, gpu(node, g)});
  return messages;
}

std::string route_text(const Network& network, int from, int to) {
  std::string text;
  for (const LinkId link : tests::route_of(network, from, to))
    text += (text.empty() ? "" : " ") + network.link_name(link);
  return text;
}

std::shared_ptr<const Network> with_failed(const std::string& spec,
                                           const std::vector<std::string>& links) {
  return apply_edits(make_network(spec, {}), NetworkEdits{links, {}, {}});
}

/// The names of a route in a tree of eight planes as they would be in one of one plane.
std::string in_one_plane(const std::string& route) {
  static const std::regex position("(s[0-9]+\\.)([0-9]+)");
  std::string text;
  auto rest = route.cbegin();
  for (std::sregex_iterator found(route.begin(), route.end(), position), end; found != end;
       ++found) {
    text.append(rest, found->prefix().second);
    text += (*found)[1].str() + std::to_string(std::stoi((*found)[2]) / gpus);
    rest = (*found)[0].second;
  }
  return text.append(rest, route.cend());
}

}  // namespace

TEST_CASE("Peers of two nodes take a plane each") {
  // 1 GB at 50 GB/s; over one cable it would be eight times as long.
  CHECK(transfer_seconds(rails, to_peers(0, 1)) == Approx(0.02));
  CHECK(transfer_seconds(rails, to_peers(0, 9)) == Approx(0.02));
  const auto network = make_network(rails, {});
  CHECK(route_text(*network, gpu(0, 3), gpu(1, 3)) ==
        "host-0:nvlink.3-up host-0:nic3-out host-0->s1.3 s1.3->host-1 host-1:nic3-in "
        "host-1:nvlink.3-down");
  CHECK(network->description() ==
        "fat-tree:2;4,4;8,4;1,1,bandwidth=50GBps,latency=0,node=8:nvlink=450GBps,nics=8,nic=rank,"
        "injection=50GBps");
  // The same tree by its parents, and interfaces without a limit of their own.
  const std::string parents = "fat-tree:2;4,4;8,4;1,1,bandwidth=50GBps,latency=0";
  CHECK(transfer_seconds(parents + eight_gpus + ",nics=8,injection=50GBps", to_peers(0, 1)) ==
        Approx(0.02));
  CHECK(transfer_seconds(parents + eight_gpus + ",nics=8,injection=inf", to_peers(0, 1)) ==
        Approx(0.02));
}

TEST_CASE("An all-to-all within rails is as fast as the interface of each GPU") {
  std::vector<Transfer> messages;
  for (int from = 0; from < 4; ++from)
    for (int to = 0; to < 4; ++to)
      for (int g = 0; g < gpus; ++g)
        if (from != to) messages.push_back({gpu(from, g), gpu(to, g)});
  // 3 GB out of each of the interfaces.
  CHECK(transfer_seconds(rails, messages) == Approx(0.06));
}

TEST_CASE("An all-to-all across rails goes by the receiver's plane, the sender's or both") {
  std::vector<Transfer> messages;
  for (int a = 0; a < gpus; ++a)
    for (int b = 0; b < gpus; ++b) messages.push_back({gpu(0, a), gpu(1, b)});
  for (const char* rail : {"", ",rail=receiver", ",rail=sender", ",rail=spine"}) {
    CAPTURE(rail);
    // 8 GB out of each interface and into each.
    CHECK(transfer_seconds(rails + rail, messages) == Approx(0.16));
  }
  // To one GPU: by its interface alone; by eight, and then 8 GB over its link of 450 GB/s.
  CHECK(transfer_seconds(rails, all_to_one(0, gpu(1, 0))) == Approx(0.16));
  CHECK(transfer_seconds(rails + ",rail=sender", all_to_one(0, gpu(1, 0))) == Approx(0.02));
  CHECK(transfer_seconds(rails + ",rail=spine", all_to_one(0, gpu(1, 0))) == Approx(0.16));
  // From one GPU, the other way round.
  CHECK(transfer_seconds(rails, one_to_all(gpu(0, 0), 1)) == Approx(0.02));
  CHECK(transfer_seconds(rails + ",rail=sender", one_to_all(gpu(0, 0), 1)) == Approx(0.16));
  CHECK(transfer_seconds(rails + ",rail=spine", one_to_all(gpu(0, 0), 1)) == Approx(0.16));
}

TEST_CASE("Messages across rails change planes inside a node or at the top") {
  // D-mod-k by host 5 goes up to the second of four top switches: 5 modulo 4.
  CHECK(route_text(*make_network(rails, {}), gpu(0, 2), gpu(5, 6)) ==
        "host-0:nvlink.2-up host-0:nic6-out host-0->s1.6 s1.6->s2.14 s2.14->s1.14 s1.14->host-5 "
        "host-5:nic6-in host-5:nvlink.6-down");
  CHECK(route_text(*make_network(rails + ",rail=sender", {}), gpu(0, 2), gpu(5, 6)) ==
        "host-0:nvlink.2-up host-0:nic2-out host-0->s1.2 s1.2->s2.10 s2.10->s1.10 s1.10->host-5 "
        "host-5:nic2-in host-5:nvlink.6-down");
  const auto spine = make_network(rails + ",rail=spine", {});
  CHECK(route_text(*spine, gpu(0, 2), gpu(5, 6)) ==
        "host-0:nvlink.2-up host-0:nic2-out host-0->s1.2 s1.2->s2.1 s2.1->s1.14 s1.14->host-5 "
        "host-5:nic6-in host-5:nvlink.6-down");
  // Below one leaf switch, too.
  CHECK(route_text(*spine, gpu(0, 2), gpu(1, 6)) ==
        "host-0:nvlink.2-up host-0:nic2-out host-0->s1.2 s1.2->s2.1 s2.1->s1.6 s1.6->host-1 "
        "host-1:nic6-in host-1:nvlink.6-down");
  CHECK(spine->hops(HostId{gpu(0, 2)}, HostId{gpu(1, 6)}) == 6);
  CHECK(spine->hops(HostId{gpu(0, 2)}, HostId{gpu(1, 2)}) == 4);
  // Under nic=destination the receiver decides, too.
  CHECK(route_text(*make_network(rails + ",nic=destination", {}), gpu(0, 2), gpu(5, 6)) ==
        route_text(*make_network(rails, {}), gpu(0, 2), gpu(5, 6)));
}

TEST_CASE("Where an interface or its cable failed, messages take the next plane that joins both") {
  for (const char* failed : {"host-0:nic3-out", "host-0->s1.3", "host-1:nic3-in", "s1.3->host-1"}) {
    CAPTURE(failed);
    const auto network = with_failed(rails, {failed});
    CHECK(route_text(*network, gpu(0, 3), gpu(1, 3)) ==
          "host-0:nvlink.3-up host-0:nic4-out host-0->s1.4 s1.4->host-1 host-1:nic4-in "
          "host-1:nvlink.3-down");
    // The other direction and the other planes are as they were.
    CHECK(route_text(*network, gpu(1, 3), gpu(0, 3)) ==
          route_text(*make_network(rails, {}), gpu(1, 3), gpu(0, 3)));
    CHECK(transfer_seconds(*network, to_peers(0, 1)) == Approx(0.04));
    CHECK(transfer_seconds(*network, to_peers(1, 0)) == Approx(0.02));
  }
  // Planes 3 and 4 are closed at one end each.
  CHECK_THAT(
      route_text(*with_failed(rails, {"host-0:nic3-out", "host-1:nic4-in"}), gpu(0, 3), gpu(1, 3)),
      Catch::Contains("host-0:nic5-out host-0->s1.5 s1.5->host-1 host-1:nic5-in"));
  // By the top, the sender's interface is replaced alone.
  CHECK_THAT(
      route_text(*with_failed(rails + ",rail=spine", {"host-0:nic3-out"}), gpu(0, 3), gpu(1, 3)),
      Catch::Contains("nic4-out host-0->s1.4 s1.4->s2.1 s2.1->s1.3 s1.3->host-1"));
}

TEST_CASE("A failed cable between switches leaves messages in their plane") {
  const auto whole = make_network(rails, {});
  CHECK_THAT(route_text(*whole, gpu(0, 3), gpu(5, 3)), Catch::Contains("s1.3->s2.11 s2.11->s1.11"));
  const auto network = with_failed(rails, {"s1.3->s2.11"});
  const std::string around = route_text(*network, gpu(0, 3), gpu(5, 3));
  CHECK_THAT(around, Catch::StartsWith("host-0:nvlink.3-up host-0:nic3-out host-0->s1.3 s1.3->s2"));
  CHECK_THAT(around, Catch::EndsWith("s1.11->host-5 host-5:nic3-in host-5:nvlink.3-down"));
  CHECK(route_text(*network, gpu(0, 4), gpu(5, 4)) == route_text(*whole, gpu(0, 4), gpu(5, 4)));
}

TEST_CASE("Nodes that no plane joins any more have no route, and the error says so") {
  const auto none = with_failed(rails, {"host-0:nic[0-3]-out", "host-1:nic[4-7]-in"});
  CHECK_THAT(tests::message_of<InputError>([&] { route_text(*none, gpu(0, 3), gpu(1, 3)); }),
             Catch::Contains("\"host-0\" to \"host-1\": in no plane"));
  CHECK_NOTHROW(route_text(*none, gpu(0, 3), gpu(2, 3)));
  CHECK_THAT(tests::message_of<InputError>([&] { none->hops(HostId{0}, HostId{gpu(1, 0)}); }),
             Catch::Contains("in no plane"));
}

TEST_CASE("GPUs that share an interface share its plane") {
  const std::string four = tree + eight_gpus + ",rails=4,nics=4,injection=50GBps";
  // Two GPUs at each interface: 2 GB at 50 GB/s.
  CHECK(transfer_seconds(four, to_peers(0, 1)) == Approx(0.04));
  CHECK(route_text(*make_network(four, {}), gpu(0, 2), gpu(1, 5)) ==
        "host-0:nvlink.2-up host-0:nic1-out host-0->s1.1 s1.1->host-1 host-1:nic1-in "
        "host-1:nvlink.5-down");
  // Two interfaces in each plane: they share the cable, of twice the bandwidth here.
  const std::string pairs = "fat-tree:2;4,4;1,4;1,1,bandwidth=100GBps,latency=0,rails=4" +
                            eight_gpus + ",nics=8,injection=50GBps";
  CHECK(transfer_seconds(pairs, to_peers(0, 1)) == Approx(0.02));
  CHECK_THAT(route_text(*make_network(pairs, {}), gpu(0, 6), gpu(1, 6)),
             Catch::Contains("host-0:nic6-out host-0->s1.2 s1.2->host-1 host-1:nic6-in"));
}

TEST_CASE("In a plane D-mod-k routes as in a tree of one plane") {
  for (const char* shape : {"fat-tree:2;4,4;%,4;1,1", "fat-tree:3;2,3,2;%,2,3;2,1,2",
                            "fat-tree:2;4,4;%,2;2,2,down=dmodk"}) {
    const auto of = [&](const std::string& parents, const std::string& keys) {
      std::string spec = shape;
      return make_network(spec.replace(spec.find('%'), 1, parents) + ",node=8" + keys, {});
    };
    const auto one = of("1", ",injection=1GBps"), eight = of("8", ",nics=8,injection=1GBps");
    CAPTURE(shape);
    REQUIRE(one->num_hosts() == eight->num_hosts());
    static const std::regex own_interface("nic[0-9]-");
    for (int a = 0; a < one->num_hosts(); a += 7)
      for (int b = 0; b < one->num_hosts(); b += 5) {
        const auto in_plane = std::regex_replace(route_text(*eight, a, b), own_interface, "nic0-");
        REQUIRE(in_one_plane(in_plane) == route_text(*one, a, b));
      }
  }
}

TEST_CASE("Rails have walks, hops and sums of traffic that agree, whole or with failures") {
  // The second leaf switch has no way up at all: its hosts leave by another plane.
  const std::vector<std::string> damage{"host-1:nic2-in", "s1.1->host-0", "s1.1->s2.*",
                                        "host-4->s1.4"};
  for (const char* rail : {"receiver", "sender", "spine"})
    for (const Routing rule : {Routing::simgrid, Routing::ecmp})
      for (const bool fails : {false, true}) {
        CAPTURE(rail, to_string(rule), fails);
        const auto whole =
            make_network("fat-tree:2;4,3;1,3;1,2,rails=4,node=5,nics=4,injection=1GBps,rail=" +
                             std::string(rail),
                         {}, {rule});
        const auto network = fails ? apply_edits(whole, NetworkEdits{damage, {}, {}}) : whole;
        const std::vector<bool> failed =
            fails ? failed_link_flags(*whole, resolve_edits(*whole, NetworkEdits{damage, {}, {}}))
                  : std::vector<bool>(index(whole->num_links()));
        const auto traffic = network->make_link_traffic();
        std::vector<double> expected(index(network->num_links()));
        std::vector<LinkShare> shares;
        for (int a = 0; a < network->num_hosts(); ++a)
          for (int b = 0; b < network->num_hosts(); ++b) {
            if (a == b) continue;
            const auto route = tests::route_of(*network, a, b);
            REQUIRE(is_walk(*network, route, HostId{a}, HostId{b}, failed));
            double hops = 0;
            for (const LinkId link : route) hops += network->link(link).hops;
            REQUIRE(network->hops(HostId{a}, HostId{b}) == hops);
            REQUIRE(hops <= network->diameter());
            shares.clear();
            network->append_shares(HostId{a}, HostId{b}, shares);
            for (const auto& [link, share] : shares) {
              REQUIRE_FALSE(failed[index(link)]);
              expected[index(link)] += share;
            }
            traffic->add(HostId{a}, HostId{b}, Bytes{1});
          }
        const LinkTotals totals = traffic->totals();
        for (std::size_t link = 0; link < expected.size(); ++link)
          REQUIRE(totals.traffic[link] == Approx(expected[link]).margin(1e-6));
      }
}

TEST_CASE("What interfaces and planes cannot be together is refused in one sentence") {
  const auto error_of = [](const std::string& keys) {
    return tests::message_of<UsageError>(
        [&] { make_network("fat-tree:2;4,4;1,4;1,1" + keys, {}); });
  };
  CHECK_THAT(error_of(",rails=2,node=6,nics=3,injection=1GBps"),
             Catch::Contains("nics=3 on") && Catch::Contains("its 2 planes") &&
                 Catch::Contains("accepted: nics=2 or a multiple, or nic=round_robin"));
  for (const char* keys :
       {",node=8,nics=8,injection=1GBps,rail=sender", ",rails=8,node=8,rail=spine",
        ",rails=8,nics=8,injection=1GBps,rail=sender",
        ",rails=8,node=8,nics=8,injection=1GBps,nic=destination,rail=sender"})
    CHECK_THAT(error_of(keys), Catch::Contains("rail=s") && Catch::Contains("rails=N and nics=N"));
  CHECK_THAT(error_of(",rails=2,node=2,nics=2,injection=1GBps,rail=both"),
             Catch::Contains("sender, receiver, spine"));
  // Where interfaces are one link together, the rule of the network chooses the plane.
  CHECK(route_text(*make_network("fat-tree:2;4,4;1,4;1,1,rails=2,nics=2,injection=1GBps", {}), 0,
                   3) == "host-0:nics-out host-0->s1.1 s1.1->host-3 host-3:nics-in");
}
