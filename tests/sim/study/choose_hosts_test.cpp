#include "sim/study/choose_hosts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

#include "sim/run/run.hpp"
#include "tests/support/budget.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

HostChoice choose(const HostRequest& request) {
  Observer silent;
  return choose_hosts(request, silent);
}

HostRequest job(std::string network, std::string free, std::string topology) {
  HostRequest request;
  request.scenario.network = std::move(network);
  request.scenario.hosts = std::move(free);
  request.scenario.topology = std::move(topology);
  return request;
}

/// `list:0,5,9` of the chosen hosts.
std::string listed(const HostChoice& choice) {
  std::string list;
  for (const HostId host : choice.hosts.hosts)
    list += (list.empty() ? "list:" : ",") + std::to_string(number(host));
  return list;
}

const ComparedHosts& compared(const HostChoice& choice, std::string_view name) {
  return *std::find_if(choice.compared.begin(), choice.compared.end(),
                       [&](const ComparedHosts& other) { return other.name == name; });
}

}  // namespace

TEST_CASE("the time of chosen hosts is that of a run on them") {
  const HostRequest request = job("torus:4x4x2", "random:20", "cart:2x4");
  const HostChoice choice = choose(request);
  Scenario scenario = request.scenario;
  scenario.hosts = listed(choice);
  CHECK(choice.time.value == Approx(run(scenario).rows.front().simulation->makespan.value));
  scenario.hosts = "random:20";  // block takes the first of them
  CHECK(compared(choice, "first").time.value ==
        Approx(run(scenario).rows.front().simulation->makespan.value));
  CHECK(compared(choice, "first").gain ==
        Approx(1 - choice.time.value / compared(choice, "first").time.value));
}

TEST_CASE("hosts that are as quick as any save nothing") {
  // Each inner rank sends two messages on its only cable, whichever hosts; the mean of ten equal
  // times is rounded.
  const HostChoice choice = choose(job("fat-tree:2;3,3;1,2;1,1", "all", "cart:4"));
  for (const ComparedHosts& other : choice.compared) CHECK(other.gain == 0);
}

TEST_CASE("a cube of ranks asks for a cube of a torus") {
  HostRequest request;
  request.ranks = 8;
  request.scenario.network = "torus:6x6x6";
  request.most_sets = 500;
  const HostChoice choice = choose(request);
  // cart:2x2x2 on 2x2x2 hosts: every link carries one message of 1 MiB at 10 GB/s, 104.8576 us,
  // and 100 ns of latency; the first eight hosts are a row and two more.
  CHECK(choice.time.value == Approx(104.9576e-6));
  CHECK(compared(choice, "first").time.value > 1.5 * choice.time.value);
}

TEST_CASE("chosen hosts are the quickest of all sets where these are few") {
  const HostChoice choice = choose(job("fat-tree:2;4,4;1,2;1,1", "random:12", "cart:6p"));
  CHECK(choice.complete);
  CHECK(choice.all_sets == 924);  // 12 over 6
  CHECK(choice.tried == 924);
}

/// Every set is the oracle of the search, which here may try a small part of them.
TEST_CASE("the search is within 5 % of the quickest of all sets of up to 16 hosts") {
  constexpr std::array networks{"torus:4x4x2",
                                "mesh:6x6",
                                "fat-tree:2;4,6;1,2;1,1",
                                "fat-tree:3;4,2,3;1,1,2;1,1,1",
                                "dragonfly:3,1;2,1;4,1;2",
                                "dragonfly-plus:4;2,2;3",
                                "hyperx:4x4,per_router=2",
                                "slim-fly:q=5,per_router=1"};
  constexpr std::array guests{"cart:2x4", "cart:8p", "cart:2x2x2", "hypercube:3", "rgg:8:3:1"};
  Random random(5);
  for (int drawn = 0; drawn < tests::budget(8, 24); ++drawn) {
    const std::string network = networks[random.below(networks.size())];
    const std::string guest = guests[random.below(guests.size())];
    const auto free = 12 + random.below(5);
    HostRequest request = job(network, "random:" + std::to_string(free), guest);
    request.scenario.seed = random.below(1000);
    INFO(network << ' ' << guest << ' ' << free << " free, seed " << request.scenario.seed);
    request.most_sets = 800;  // of 495 to 12870
    const HostChoice found = choose(request);
    request.every_set = true;
    const HostChoice best = choose(request);
    CHECK(found.time.value >= best.time.value * (1 - 1e-9));
    CHECK(found.time.value <= best.time.value * 1.05);
  }
}

TEST_CASE("a mapper places the ranks on the best sets") {
  HostRequest request = job("torus:4x4", "random:12", "shuffle:3:cart:2x4");
  const Seconds in_order = choose(request).time;
  request.scenario.mappers = "exchange";
  CHECK(choose(request).time.value < in_order.value);
}

/// The search ranks sets with ranks in the order of their hosts, which a mapper changes.
TEST_CASE("chosen hosts with a mapper are never slower than the first or a scheduler's") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    HostRequest request = job("mesh:3x4", "random:10", "rgg:6:3:" + std::to_string(seed));
    request.scenario.mappers = "greedy";
    request.scenario.seed = seed;
    const HostChoice choice = choose(request);
    INFO("seed " << seed);
    CHECK(choice.time.value <= compared(choice, "first").time.value);
    CHECK(choice.time.value <= compared(choice, "scheduler").time.value);
  }
}

TEST_CASE("hosts with several slots are asked for until all ranks have one") {
  HostRequest request = job("torus:4x4", "all", "cart:4x4");
  request.scenario.slots = "4";
  const HostChoice choice = choose(request);
  CHECK(choice.hosts.num_hosts() == 4);
  CHECK(choice.all_sets == 1820);  // 16 over 4
  request.scenario.hosts = "first:3";
  request.scenario.slots = "3,8,9";
  // 8 and 9 slots suffice for 16 ranks
  CHECK(choose(request).hosts.num_hosts() == 2);
}

TEST_CASE("a job that does not fit, has another size or none is refused") {
  HostRequest request = job("torus:4x4", "first:6", "cart:2x4");
  CHECK_THROWS_AS(choose(request), FitError);
  request = job("torus:4x4", "all", "cart:2x4");
  request.ranks = 9;
  CHECK(message_of<UsageError>([&] { choose(request); }) == "--ranks 9: the job given has 8 ranks");
  CHECK(message_of<UsageError>([&] { choose(job("torus:4x4", "all", "")); }) ==
        "how large the job is, is missing: give --ranks");
  request = job("torus:8x8", "all", "cart:4x8");
  request.every_set = true;
  CHECK(message_of<UsageError>([&] { choose(request); }).find("2000000 sets") != std::string::npos);
  // 10^7 hosts took minutes
  CHECK(
      message_of<UsageError>([&] { choose(job("torus:1000x1000x10", "first:99", "cart:4x8")); }) ==
      "the network has 10000000 hosts: a search of hosts accepts networks of up to 1048576; give "
      "that part of the machine on which the job can run");
}
