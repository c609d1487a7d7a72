#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/needs_wings.hpp"

// Times of messages that interfaces and links inside hosts slow down. Expected times by hand: in
// the fluid model a full link is shared evenly, and nothing has latency here.

using namespace vtopo;

namespace {

constexpr double gigabyte = 1e9;

struct Message {
  int from, to;
  double gigabytes = 1;
};

/// Nine nodes at one switch, on cables that limit nothing.
std::string at_one_switch(const std::string& keys) {
  return "fat-tree:1;9;1;1,bandwidth=1000GBps,latency=0" + keys;
}

/// When the last message ends, each rank on the host of its number: by both solvers.
double seconds(const std::string& spec, const std::vector<Message>& messages) {
  const auto network = make_network(spec, {});
  std::vector<DirectedEdge> edges;
  for (const auto& [from, to, gigabytes] : messages)
    edges.push_back({Rank{from}, Rank{to}, Bytes{gigabytes * gigabyte}});
  const int hosts = network->num_hosts();
  const CommGraph guest(hosts, edges);
  std::vector<HostId> places;
  for (int h = 0; h < hosts; ++h) places.push_back(HostId{h});
  const Embedding embedding(places, make_allocation(*network, "all", std::vector{1}, 1));
  SimulationOptions options;
  options.solver = Solver::fast;
  const double time = simulate(guest, *network, embedding, options).makespan.value;
  options.solver = Solver::simgrid;
  CHECK(simulate(guest, *network, embedding, options).makespan.value == Approx(time));
  return time;
}

/// Between the first of the nodes and `others`, to it or from it.
std::vector<Message> star(int others, bool to_first) {
  std::vector<Message> messages;
  for (int other = 1; other <= others; ++other)
    messages.push_back(to_first ? Message{other, 0} : Message{0, other});
  return messages;
}

}  // namespace

TEST_CASE("An incast takes the time of the receiver's interface") {
  const auto incast = star(8, true);
  // 8 GB at 10 GB/s; two interfaces; one that takes in less than it sends.
  CHECK(seconds(at_one_switch(",injection=10GBps"), incast) == Approx(0.8));
  CHECK(seconds(at_one_switch(",injection=10GBps,nics=2"), incast) == Approx(0.4));
  CHECK(seconds(at_one_switch(",injection=10GBps,extraction=5GBps"), incast) == Approx(1.6));
  // Only sending is limited: each of the eight sends 1 GB at 10 GB/s.
  CHECK(seconds(at_one_switch(",injection=10GBps,extraction=inf"), incast) == Approx(0.1));
}

TEST_CASE("One that sends to all takes the time of its interface, alone on a torus too") {
  CHECK(seconds(at_one_switch(",injection=10GBps"), star(8, false)) == Approx(0.8));
  CHECK(seconds(at_one_switch(",injection=10GBps,nics=4"), star(8, false)) == Approx(0.2));
  CHECK(seconds(at_one_switch(",extraction=10GBps,injection=inf"), star(8, false)) == Approx(0.1));
  // A ring of 3 hosts with 10 GB/s each way: 1 GB to both neighbours, one interface of 10 GB/s.
  CHECK(seconds("torus:3,latency=0", {{0, 1}, {0, 2}}) == Approx(0.1));
  CHECK(seconds("torus:3,latency=0,injection=10GBps", {{0, 1}, {0, 2}}) == Approx(0.2));
}

TEST_CASE("Flows of different volumes share the receiver's interface one after the other") {
  // All to one: r GB from host r, 36 GB at 10 GB/s; the interface is never idle.
  std::vector<Message> messages = star(8, true);
  for (Message& message : messages) message.gigabytes = message.from;
  CHECK(seconds(at_one_switch(",extraction=10GBps"), messages) == Approx(3.6));
}

TEST_CASE("Two ranks of a node share one interface or have one each") {
  const std::vector<Message> both{{0, 2}, {1, 3}}, one{{0, 2}};
  const std::string node = ",node=2:pcie=16GBps,injection=10GBps";
  // Each has 5 GB/s of one interface, or 10 GB/s of its own.
  CHECK(seconds(at_one_switch(node), both) == Approx(0.2));
  CHECK(seconds(at_one_switch(node + ",nics=2"), both) == Approx(0.1));
  CHECK(seconds(at_one_switch(node + ",nics=2,nic=round_robin"), both) == Approx(0.1));
  // Alone it has 10 GB/s of its own interface; of both together as much as its link inside carries.
  CHECK(seconds(at_one_switch(node + ",nics=2,nic=rank"), one) == Approx(0.1));
  CHECK(seconds(at_one_switch(node + ",nics=2,nic=round_robin"), one) == Approx(1.0 / 16));
}

TEST_CASE("The interface of a message follows from the sender's place or the receiver's") {
  const std::string node = ",node=2:pcie=100GBps,injection=10GBps,nics=2";
  // From place 0 of a node to both of another: on its own interface, or on one for each.
  CHECK(seconds(at_one_switch(node + ",nic=rank"), {{0, 2}, {0, 3}}) == Approx(0.2));
  CHECK(seconds(at_one_switch(node + ",nic=destination"), {{0, 2}, {0, 3}}) == Approx(0.1));
  // From both places of a node to one, which has one interface under either rule.
  CHECK(seconds(at_one_switch(node + ",nic=rank"), {{0, 2}, {1, 2}}) == Approx(0.2));
  CHECK(seconds(at_one_switch(node + ",nic=destination"), {{0, 2}, {1, 2}}) == Approx(0.2));
  // Without places inside, the number of the receiving host: 0 sends to 2 and 4, then to 1 and 2.
  const std::string plain = ",injection=10GBps,nics=2,nic=destination";
  CHECK(seconds(at_one_switch(plain), {{0, 2}, {0, 4}}) == Approx(0.2));
  CHECK(seconds(at_one_switch(plain), {{0, 1}, {0, 2}}) == Approx(0.1));
}

TEST_CASE("Messages inside a node take its links and no others") {
  const std::string node = ",node=2x2:nvlink=100GBps,numa=10GBps,injection=1GBps";
  CHECK(seconds(at_one_switch(node), {{0, 1}}) == Approx(0.01));
  CHECK(seconds(at_one_switch(node), {{0, 2}}) == Approx(0.1));
  CHECK(seconds(at_one_switch(node), {{0, 2}, {1, 3}}) == Approx(0.2));  // share one link
  CHECK(seconds(at_one_switch(node), {{0, 2}, {2, 0}}) == Approx(0.1));  // one each way
  CHECK(seconds(at_one_switch(node), {{0, 4}}) == Approx(1));            // to the next node
}

TEST_CASE("Interfaces and links inside nodes add their latency to that of the route") {
  // By hand: 2 cables of 100 ns, one interface at each end, one link inside each node.
  const auto network = make_network(
      "fat-tree:1;2;1;1,node=2:pcie=16GBps/50ns,injection=10GBps/200ns,extraction=10GB/s/1us", {});
  std::vector<LinkId> route;
  network->append_route(HostId{0}, HostId{2}, route);
  double latency = 0;
  for (const LinkId link : route) latency += network->link(link).latency.value;
  CHECK(latency == Approx(200e-9 + 100e-9 + 200e-9 + 1e-6));
}
