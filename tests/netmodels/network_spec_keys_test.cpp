#include <catch2/catch.hpp>

#include <string>

#include "netmodels/models/dragonfly/dragonfly.hpp"
#include "netmodels/models/fat_tree/fat_tree.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

TorusSpec torus_of(const std::string& text) {
  const SpecText spec(text);
  return parse_torus(spec, {}, {}, spec.kind == "torus");
}

FatTreeSpec fat_tree_of(const std::string& text) {
  return parse_fat_tree(SpecText(text), {}, {});
}

DragonflySpec dragonfly_of(const std::string& text) {
  return parse_dragonfly(SpecText(text), {}, {});
}

std::string key_error(const std::string& spec) {
  return tests::message_of<UsageError>([&] { make_network(spec, {}); });
}

}  // namespace

TEST_CASE("Keys of a torus give rates per dimension and hosts per router") {
  const auto torus = torus_of(
      "torus:25,16,24,per_router=2,bandwidth=9.4GBps/4.7GB/s/75Gbps,latency=105ns,"
      "host_bandwidth=5.8GBps,host_latency=1us");
  REQUIRE(torus.dimensions.size() == 3);
  CHECK(torus.dimensions[2].size == 24);
  CHECK(torus.dimensions[0].rates.bandwidth == parse_bandwidth("9.4GBps"));
  CHECK(torus.dimensions[1].rates.bandwidth == parse_bandwidth("4.7GBps"));
  CHECK(torus.dimensions[2].rates.bandwidth == parse_bandwidth("75Gbps"));
  for (const auto& dimension : torus.dimensions)
    CHECK(dimension.rates.latency == parse_seconds("105ns"));
  CHECK(torus.hosts_per_router == 2);
  CHECK(torus.host_rates.bandwidth == parse_bandwidth("5.8GBps"));
  CHECK(torus.host_rates.latency == parse_seconds("1us"));
  const auto plain = torus_of("mesh:8x8x4");
  CHECK(plain.hosts_per_router == 1);
  CHECK_FALSE(plain.dimensions[0].rates.bandwidth);
  CHECK_FALSE(plain.dimensions[0].wraps);
  CHECK(torus_of("torus:8x8x4m,latency=1ns").dimensions.size() == 3);
}

TEST_CASE("Keys of a fat tree give rates per level, cables of hosts first") {
  const auto tree =
      fat_tree_of("fat-tree:2;4,4;1,2;1,2,down=dmodk,bandwidth=1GBps/2GBps,latency=5ns");
  CHECK(tree.levels[0].rates.bandwidth == BytesPerSecond{1e9});
  CHECK(tree.levels[1].rates.bandwidth == BytesPerSecond{2e9});
  CHECK(tree.levels[1].rates.latency == parse_seconds("5ns"));
  CHECK(tree.down == DownCables::dmodk);
  CHECK(fat_tree_of("fat-tree:2;4,4;1,2;1,2").down == DownCables::simgrid);
}

TEST_CASE("Keys of a dragonfly give its arrangement and rates per colour") {
  const auto dragonfly = dragonfly_of(
      "dragonfly:9,4;6,3;16,1;4,arrangement=circulant,pair_links=4,"
      "bandwidth=1GBps/2GBps/3GBps/4GBps,latency=1ns/2ns/3ns/4ns");
  CHECK(dragonfly.hosts_per_blade == 4);
  CHECK(dragonfly.arrangement == GlobalArrangement::circulant);
  CHECK(dragonfly.cables_per_pair == 4);
  CHECK(dragonfly.host_rates.bandwidth == BytesPerSecond{1e9});
  CHECK(dragonfly.green_rates.bandwidth == BytesPerSecond{2e9});
  CHECK(dragonfly.black_rates.latency == parse_seconds("3ns"));
  CHECK(dragonfly.blue_rates.latency == parse_seconds("4ns"));
  CHECK(dragonfly_of("dragonfly:9,4;6,3;16,1;4,arrangement=absolute").arrangement ==
        GlobalArrangement::absolute);
  CHECK(dragonfly_of("dragonfly:9,4;6,3;16,1;4,arrangement=relative").arrangement ==
        GlobalArrangement::relative);
  CHECK(dragonfly_of("dragonfly:9,4;6,3;16,1;4,arrangement=simgrid").arrangement ==
        GlobalArrangement::simgrid);
}

TEST_CASE("A wrong key is one sentence with what is accepted") {
  CHECK(
      key_error("torus:8x8,bandwith=1GBps") ==
      "\"torus:8x8,bandwith=1GBps\": unknown key \"bandwith\"; accepted for torus: per_router, "
      "bandwidth, latency, host_bandwidth, host_latency, twist, nics, injection, extraction, nic, "
      "node, rail; did you mean \"bandwidth\"?");
  CHECK(key_error("dragonfly:9,4;6,3;16,1;4,taper=2") ==
        "\"dragonfly:9,4;6,3;16,1;4,taper=2\": unknown key \"taper\"; accepted for dragonfly: "
        "arrangement, pair_links, groups, bandwidth, latency, nics, injection, extraction, nic, "
        "node, rail");
  CHECK(key_error("torus:8x8,per_router") ==
        "\"torus:8x8,per_router\": key \"per_router\" has no value; accepted: per_router=...");
  CHECK(key_error("torus:8,8,latency=1ns,latency=2ns") ==
        "\"torus:8,8,latency=1ns,latency=2ns\": key \"latency\" is given twice; accepted is once");
  CHECK(key_error("torus:8x8,=3").find("unknown key \"\"") != std::string::npos);
  CHECK(key_error("torus:8x8,latency=1ns,8").find("unknown key \"8\"") != std::string::npos);
  CHECK(key_error("torus:8x8,") == "torus size \"8x8\" in \"torus:8x8,\" is not an integer");
}

TEST_CASE("A wrong value is one sentence with what is accepted") {
  CHECK(key_error("torus:8x8,bandwidth=1GBps/2GBps/3GBps") ==
        "\"torus:8x8,bandwidth=1GBps/2GBps/3GBps\": bandwidth has 3 values; accepted: one for all, "
        "or 2 separated by / (one per dimension)");
  CHECK(key_error("torus:8x8,per_router=0") ==
        "per_router 0 in \"torus:8x8,per_router=0\": accepted are 1 to 2147483647");
  CHECK(
      key_error("torus:8x8,latency=5parsec") ==
      "\"torus:8x8,latency=5parsec\": time \"5parsec\" has the unknown unit \"parsec\"; accepted: "
      "s ps ns us ms m h d w");
  for (const char* bandwidth : {"inf", "0", "-1GBps", "", "1GBps/", "nan", "1e400"})
    CHECK(key_error(std::string("torus:8x8,bandwidth=") + bandwidth).find("bandwidth \"") !=
          std::string::npos);
  CHECK(key_error("torus:8x8,host_latency=1ns") ==
        "\"torus:8x8,host_latency=1ns\": host_bandwidth and host_latency are those of cables "
        "between hosts and routers; accepted with per_router=2 or more, for a single host is its "
        "router");
  CHECK(key_error("dragonfly:9,4;6,3;16,1;4,arrangement=absolut") ==
        "\"dragonfly:9,4;6,3;16,1;4,arrangement=absolut\": arrangement \"absolut\"; accepted: "
        "simgrid, absolute, relative, circulant; did you mean \"absolute\"?");
  CHECK(
      key_error("dragonfly:9,4;6,3;16,1;4,latency=1ns/2ns") ==
      "\"dragonfly:9,4;6,3;16,1;4,latency=1ns/2ns\": latency has 2 values; accepted: one for all, "
      "or 4 separated by / (host/green/black/blue)");
}

TEST_CASE("A wrong taper is one sentence with what is accepted") {
  const std::string tree = "fat-tree:2;4,4;1,2;1,2,taper=";
  for (const char* taper : {"0", "-2", "two", "2:0", "-2:-1", "2:1:1", "inf", ""})
    CHECK(key_error(tree + taper) ==
          "\"" + tree + taper + "\": taper \"" + taper +
              "\"; accepted: a ratio such as 2 or 22:18, from 1e-6 to 1e6");
  CHECK(key_error(tree + "1/2") ==
        "\"" + tree +
            "1/2\": taper has 2 values; accepted: 1, one per level of switches below the "
            "top");
  CHECK(key_error("fat-tree:1;4;1;1,taper=2").find("accepted with 2 levels or more") !=
        std::string::npos);
  CHECK(key_error(tree + "2,bandwidth=1GBps/2GBps").find("accepted with one value of bandwidth") !=
        std::string::npos);
}
