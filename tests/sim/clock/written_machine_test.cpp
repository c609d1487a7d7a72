#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "tests/netmodels/platform/platform_samples.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Sixteen hosts below four switches below one, 10 GB/s to hosts and 1 GB/s above, cable by cable.
std::string two_level_tree() {
  std::string text =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">\n";
  std::string links, routes;
  const auto cable = [&](const std::string& from, const std::string& to, const char* bandwidth) {
    links += "<link id=\"" + from + "-" + to + "\" bandwidth=\"" + bandwidth +
             "\" latency=\"0\" sharing_policy=\"SPLITDUPLEX\"/>\n";
    routes += "<route src=\"" + from + "\" dst=\"" + to + "\"><link_ctn id=\"" + from + "-" + to +
              "\" direction=\"UP\"/></route>\n";
  };
  for (int h = 0; h < 16; ++h) text += "<host id=\"h" + std::to_string(h) + "\" speed=\"1Gf\"/>\n";
  for (const char* s : {"s0", "s1", "s2", "s3", "top"})
    text += "<router id=\"" + std::string(s) + "\"/>\n";
  for (int h = 0; h < 16; ++h)
    cable("h" + std::to_string(h), "s" + std::to_string(h / 4), "10GBps");
  for (int s = 0; s < 4; ++s) cable("s" + std::to_string(s), "top", "1GBps");
  return tests::write_file("two-level-tree.xml", text + links + routes + "</zone>\n</platform>\n");
}

}  // namespace

TEST_CASE("Bounds do not depend on whether a tree is written as a file or as a specification") {
  const auto file = load_platform(two_level_tree(), {});
  const auto spec = make_network("fat-tree:2;4,4;1,1;1,1,bandwidth=10GBps/1GBps", {});
  for (const CommGraph& guest :
       {unit_grid({4, 4}, Periodicity::periodic), unit_grid({2, 8}), drawn_graph(16, 60, 3)}) {
    const Bounds of_file = lower_bounds(guest, *file, tests::all_hosts(*file, 1));
    const Bounds of_spec = lower_bounds(guest, *spec, tests::all_hosts(*spec, 1));
    CHECK(of_spec.congestion.value > 0);
    CHECK(of_file.congestion.value == Approx(of_spec.congestion.value));
    CHECK(of_file.hop_bytes.value == Approx(of_spec.hop_bytes.value));
  }
}

TEST_CASE("Coordinates of Vivaldi zones count in finish times") {
  // By hand: the narrower of 21 MB/s out of peer-1 and 12 MB/s into peer-2, hence 1 s; and
  // sqrt(3^2 + 4^2) + 1.5 + 2.5 = 9 ms between them.
  const auto network = load_platform(tests::platform_sample("vivaldi"), {});
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, Bytes{12e6}}};
  const CommGraph guest(2, edges);
  const Embedding embedding({HostId{1}, HostId{2}}, tests::all_hosts(*network, 1));
  for (const Solver solver : {Solver::fast, Solver::simgrid}) {
    SimulationOptions options;
    options.solver = solver;
    CHECK(simulate(guest, *network, embedding, options).makespan.value == Approx(1.009));
  }
}
