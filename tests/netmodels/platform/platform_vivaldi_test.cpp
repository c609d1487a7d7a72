#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/platform/platform_samples.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/support/routes.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::route_names;

namespace {

std::string vivaldi_file(const std::string& name, const std::string& members) {
  return tests::write_file(
      "vivaldi-" + name + ".xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Vivaldi\">\n" +
          members + "</zone>\n</platform>\n");
}

const std::string two_placed_hosts =
    "<host id=\"a\" speed=\"1Gf\" coordinates=\"0 0 1\"/>\n"
    "<host id=\"b\" speed=\"1Gf\" coordinates=\"30 40 2\"/>\n";

std::string rack_of_hosts(const std::string& id) {
  return "<cluster id=\"" + id + "\" prefix=\"" + id +
         "-\" suffix=\"\" radical=\"0-99\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>\n";
}

}  // namespace

TEST_CASE("The distance of coordinates is the latency of the flow, not of a link") {
  // By hand, in milliseconds: sqrt(3^2 + 4^2) + 0.5 + 1.5 = 7 and sqrt(6^2 + 8^2) + 0.5 + 2.5 = 13.
  const auto network = load_platform(tests::platform_sample("vivaldi"), {});
  CHECK(network->flow_latency(HostId{0}, HostId{1}).value == Approx(7e-3));
  CHECK(network->flow_latency(HostId{2}, HostId{0}).value == Approx(13e-3));
  CHECK(network->flow_latency(HostId{1}, HostId{1}).value == 0);
  const auto slower = apply_edits(network, NetworkEdits{{}, {}, {{"*", 0.5}}});
  CHECK(slower->flow_latency(HostId{0}, HostId{1}).value == Approx(7e-3));
}

TEST_CASE("Hosts that only coordinates join have a route without links") {
  // By hand: sqrt(30^2 + 40^2) + 1 + 2 = 53 ms.
  const auto network = load_platform(vivaldi_file("hosts", two_placed_hosts), {});
  CHECK(route_names(*network, 0, 1).empty());
  CHECK(network->hops(HostId{0}, HostId{1}) == 0);
  CHECK(network->flow_latency(HostId{0}, HostId{1}).value == Approx(53e-3));
}

TEST_CASE("A host without coordinates has no routes in its Vivaldi zone, and others keep theirs") {
  const std::string path =
      vivaldi_file("unplaced", two_placed_hosts + "<host id=\"c\" speed=\"1Gf\"/>\n");
  const auto network = load_platform(path, {});
  CHECK(route_names(*network, 1, 0).empty());
  CHECK(tests::message_about(path, [&] { network->hops(HostId{0}, HostId{2}); }) ==
        ": there is no route from \"a\" to \"c\": between members of a Vivaldi zone it takes "
        "coordinates of both, which zones cannot have");
}

TEST_CASE("Zones in a Vivaldi zone, which SimGrid cannot join, cost no process per pair of hosts") {
  const std::string path =
      vivaldi_file("clusters", rack_of_hosts("a") + rack_of_hosts("b") + rack_of_hosts("c"));
  const auto network = load_platform(path, {});
  const double start = tests::processor_seconds();
  int without_route = 0;
  for (int a = 0; a < 300; ++a)
    for (int b = 0; b < 300; ++b) {
      try {
        network->hops(HostId{a}, HostId{b});
      } catch (const InputError&) {
        ++without_route;
      }
    }
  CHECK(without_route == 300 * 200);
  // A process that SimGrid ends computes for 20 ms; the answers as such are 90,000 look-ups.
  CHECK(tests::processor_seconds() - start < 30);
  const LintReport report = lint_platform(path);
  CHECK(report.count(LintSeverity::error) == 0);
  REQUIRE(report.findings.size() == 3);
  for (const auto& finding : report.findings) CHECK(finding.rule == "missing-coordinates");
}
