#include "tests/bench/hand_cases.hpp"

namespace vtopo {

namespace {

constexpr const char* one_cable =
    "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
    "<link id=\"l\" bandwidth=\"1GBps\" latency=\"0\"/>"
    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>";

std::string star(const char* backbone_sharing) {
  return std::string(
             "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" "
             "bw=\"1GBps\" lat=\"0\" bb_bw=\"1GBps\" bb_lat=\"0\" bb_sharing_policy=\"") +
         backbone_sharing + "\"/>";
}

std::vector<HandCase> on_one_link() {
  return {
      {"one flow", "mesh:2", "", {{0, 1}}, "1 GB / 1 GB/s", {1}},
      {"two flows on one link", "mesh:2", "", {{0, 1}, {0, 1}}, "1 / (1/2) each", {2, 2}},
      {"a flow and one of half its volume on one link",
       "mesh:2",
       "",
       {{0, 1}, {0, 1, 0.5}},
       "the small one 0.5 / (1/2) = 1; then 0.5 is left, alone: 1 + 0.5",
       {1.5, 1}},
      {"opposite ways, a link each way (split duplex)",
       "mesh:2",
       "",
       {{0, 1}, {1, 0}},
       "1 / 1 each",
       {1, 1}},
      {"opposite ways, one link for both (shared)",
       one_cable,
       "file: two hosts, one SHARED link",
       {{0, 1}, {1, 0}},
       "1 / (1/2) each",
       {2, 2}},
      {"inside a host, loopback of 4 GB/s",
       "mesh:2",
       "",
       {{0, 0}},
       "1 / 4",
       {0.25},
       {},
       NetworkModel::cm02,
       {4e9}},
  };
}

std::vector<HandCase> on_several_links() {
  return {
      {"cross traffic: a long flow, one short one per link",
       "mesh:4",
       "",
       {{0, 3}, {0, 1}, {1, 2}, {2, 3}},
       "each link halves: 1 / (1/2) each",
       {2, 2, 2, 2}},
      {"cross traffic: unequal links",
       "mesh:3",
       "",
       {{0, 1}, {0, 1}, {0, 2}, {1, 2}},
       "link 0-1 in thirds: 1 / (1/3) = 3; 1→2 has the other two thirds of link 1-2: 1 / (2/3)",
       {3, 3, 3, 1.5}},
      {"a ring, all three steps on",
       "torus:8",
       "",
       {{0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {5, 0}, {6, 1}, {7, 2}},
       "three flows on every link: 1 / (1/3) each",
       {3, 3, 3, 3, 3, 3, 3, 3}},
      {"a slow dimension",
       "torus:4x4,bandwidth=1GBps/500MBps",
       "",
       {{0, 1}, {0, 5}},
       "0→5 is held to 1/2 by dimension 1, which leaves 1/2 of dimension 0: 1 / (1/2) both",
       {2, 2}},
      {"a star with a shared backbone",
       star("SHARED"),
       "file: cluster of 8 hosts, SHARED backbone of 1 GB/s",
       {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
       "four flows on the backbone: 1 / (1/4) each",
       {4, 4, 4, 4}},
      {"a star with a backbone for each (fatpipe)",
       star("FATPIPE"),
       "file: the same, FATPIPE backbone",
       {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
       "each flow has all of it: 1 / 1",
       {1, 1, 1, 1}},
  };
}

/// Leaf switches of four hosts with as many uplinks as `uplinks` says: hosts 0 to 3 send to 4 to 7.
HandCase tapered(const char* name, const char* network, std::string calculation, double seconds) {
  return {name,
          network,
          "",
          {{0, 4}, {1, 5}, {2, 6}, {3, 7}},
          std::move(calculation),
          {seconds, seconds, seconds, seconds}};
}

std::vector<HandCase> on_machines() {
  return {
      tapered("fat tree, no taper", "fat-tree:2;4,4;1,4;1,1",
              "a port for each of the four destinations: 1 / 1", 1),
      tapered("fat tree, taper 2:1", "fat-tree:2;4,4;1,2;1,1",
              "destination mod 2 is the port, two flows on each: 1 / (1/2)", 2),
      tapered("fat tree, taper 4:1", "fat-tree:2;4,4;1,1;1,1",
              "four flows on the one uplink: 1 / (1/4)", 4),
      {"dragonfly, four flows on a global link and one on a local link beside them",
       "dragonfly:2,1;1,1;4,1;2",
       "",
       {{0, 8}, {1, 9}, {4, 12}, {5, 13}, {0, 3}},
       "global link in quarters: 1 / (1/4) = 4; of the local link to the gateway two quarters are "
       "taken, 0→3 has 1/2: 2",
       {4, 4, 4, 4, 2}},
      {"dragonfly, all hosts of a group to the next",
       "dragonfly:2,1;1,1;4,1;2",
       "",
       {{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}},
       "eight flows on the global link: 1 / (1/8) each",
       {8, 8, 8, 8, 8, 8, 8, 8}},
      {"latency of three hops", "mesh:4", "", {{0, 3}}, "1 / 1 + 3 x 0.001", {1.003}, {1e-3}},
      {"latency and a shared link: shares do not go by latency",
       "mesh:4",
       "",
       {{0, 1}, {0, 3}},
       "1 / (1/2) + 1 x 0.001 and + 3 x 0.001",
       {2.001, 2.003},
       {1e-3}},
      {"latency across a torus",
       "torus:4x4x4",
       "",
       {{0, 42}},
       "42 is (2,2,2), two hops per dimension: 1 + 6 x 0.001",
       {1.006},
       {1e-3}},
  };
}

std::vector<HandCase> with_corrections() {
  return {
      {"LV08, one flow",
       "mesh:2",
       "",
       {{0, 1}},
       "bandwidth x 0.97: 1 / 0.97",
       {1 / 0.97},
       {},
       NetworkModel::lv08},
      {"LV08, opposite ways",
       "mesh:2",
       "",
       {{0, 1}, {1, 0}},
       "0.05 of each flow goes back as acknowledgements: 1.05 / 0.97",
       {1.05 / 0.97, 1.05 / 0.97},
       {},
       NetworkModel::lv08},
  };
}

}  // namespace

std::vector<HandCase> hand_cases() {
  std::vector<HandCase> all;
  for (const auto& some : {on_one_link(), on_several_links(), on_machines(), with_corrections()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace vtopo
