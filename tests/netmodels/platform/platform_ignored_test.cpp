#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::route_names;

namespace {

struct LoadedWithRemark {
  std::shared_ptr<const Network> network;
  std::string remark;  ///< without the path
  int errors = 0;      ///< of lint
};

LoadedWithRemark load_with_remark(const std::string& name, const std::string& body) {
  const std::string path = tests::write_file(
      "ignored-" + name + ".xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n" +
          body + "</platform>\n");
  LoadedWithRemark loaded;
  PlatformOptions options;
  options.remark = [&](const std::string& sentence) {
    loaded.remark = sentence.substr(path.size() + 2);
  };
  loaded.network = load_platform(path, options);
  loaded.errors = static_cast<int>(lint_platform(path).count(LintSeverity::error));
  return loaded;
}

std::string zone_with(const std::string& host_attributes, const std::string& link_attributes) {
  return "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1Gf\" " + host_attributes +
         "/>\n<host id=\"b\" speed=\"1Gf\"/>\n<link id=\"l\" bandwidth=\"1GBps\" "
         "latency=\"1us\" " +
         link_attributes + "/>\n<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</zone>\n";
}

const std::string ignored_end =
    " ignored: hosts and links are up and as declared all the time, and --network-model chooses "
    "the model";

}  // namespace

TEST_CASE("Profiles of hosts and links are ignored with a remark, and their files stay closed") {
  const auto loaded =
      load_with_remark("profiles", zone_with("speed_file=\"/no/s\" state_file=\"/no/t\"",
                                             "bandwidth_file=\"/no/b\" latency_file=\"/no/l\""));
  CHECK(loaded.remark ==
        "4 profiles (bandwidth_file, latency_file, speed_file, state_file)" + ignored_end);
  CHECK(route_names(*loaded.network, 0, 1) == std::vector<std::string>{"l"});
  CHECK(loaded.network->link(LinkId{0}).bandwidth.value == 1e9);
  CHECK(loaded.errors == 0);
}

TEST_CASE("Traces and settings of the simulator are ignored with a remark, and create no file") {
  const std::string trace = tests::write_file("ignored-trace", "");
  std::filesystem::remove(trace);
  const auto loaded = load_with_remark(
      "config",
      "<config id=\"General\"><prop id=\"tracing\" value=\"yes\"/><prop "
      "id=\"tracing/filename\" value=\"" +
          trace + "\"/></config>\n<trace id=\"t\" periodicity=\"1\">0 1</trace>\n" +
          zone_with("", "") + "<trace_connect kind=\"BANDWIDTH\" trace=\"t\" element=\"l\"/>\n");
  CHECK(loaded.remark ==
        "2 trace elements, settings of the simulator (tracing=yes, "
        "tracing/filename=" +
            trace + ")" + ignored_end);
  CHECK(route_names(*loaded.network, 1, 0) == std::vector<std::string>{"l"});
  CHECK_FALSE(std::filesystem::exists(trace));
  CHECK(loaded.errors == 0);
}

TEST_CASE("A wireless link has its first bandwidth, once per station on the route") {
  const auto loaded = load_with_remark(
      "wifi",
      "<zone id=\"w\" routing=\"Wifi\"><prop id=\"access_point\" value=\"p\"/>\n"
      "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n<router id=\"p\"/>\n"
      "<link id=\"air\" sharing_policy=\"WIFI\" bandwidth=\"54Mbps,36Mbps\" latency=\"0ms\"/>\n"
      "</zone>\n");
  CHECK(loaded.remark == "wireless links (air) have their first bandwidth, shared by all stations");
  CHECK(route_names(*loaded.network, 0, 1) == std::vector<std::string>{"air", "air"});
  CHECK(loaded.network->link(LinkId{0}).bandwidth.value == Approx(54e6 / 8));
  CHECK(loaded.errors == 0);
}

TEST_CASE("A speed of zero is that of a storage host, and said to be ignored") {
  const std::string rest =
      "<host id=\"b\" speed=\"1Gf\"/>\n<link id=\"l\" bandwidth=\"1000EBps\" "
      "latency=\"1us\"/>\n<route src=\"a\" dst=\"b\"><link_ctn "
      "id=\"l\"/></route>\n</zone>\n";
  const std::string zone = "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"";
  const auto later = load_with_remark("speeds", zone + "1Gf, 0f\"/>\n" + rest);
  CHECK(later.errors == 0);
  CHECK(later.remark.empty());
  for (const std::string speed : {"0f, 1Gf", "0f", "0"}) {
    const auto first = load_with_remark("speed", zone + speed + "\"/>\n" + rest);
    CHECK(first.errors == 0);
    CHECK(first.network->num_hosts() == 2);
    CHECK_THAT(first.remark, Catch::StartsWith("speed 0 of a ignored"));
    CHECK(route_names(*first.network, 0, 1) == std::vector<std::string>{"l"});
  }
  CHECK_THROWS_WITH(load_with_remark("speed", zone + "-1f\"/>\n" + rest),
                    Catch::Contains("speed \"-1f\" is not a finite number >= 0"));
}
