#include "netmodels/machines/ibnetdiscover.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "netmodels/machines/machine_file.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::TemporaryFile;

namespace {

const std::string fabric_file = tests::source_path("examples/machines/fabric.ibnetdiscover");

FabricSpec read_text(const std::string& text) {
  const TemporaryFile file("fabric.ibnetdiscover", text);
  return read_ibnetdiscover(file.path(), {1e-6});
}

std::string ibnetdiscover_error(const std::string& text) {
  const TemporaryFile file("fault.ibnetdiscover", text);
  return tests::message_about(file.path(), [&] { read_ibnetdiscover(file.path(), {1e-6}); });
}

}  // namespace

// Expected counts: the sample was written from a plan of 8 hosts, 2 leaves and 2 spines with 8 host
// cables, two from each leaf to spine 1 and one to spine 2; an aggregation node is not a host.
TEST_CASE("The output of ibnetdiscover becomes hosts, switches and cables") {
  const FabricSpec spec = read_ibnetdiscover(fabric_file, {90e-9});
  CHECK(spec.hosts == std::vector<std::string>{"node01", "node02", "node03", "node04", "node05",
                                               "node06", "node07", "node08"});
  CHECK(spec.switches == std::vector<std::string>{"MF0;leaf1:SB7800/U1", "MF0;leaf2:SB7800/U1",
                                                  "MF0;spine1:SB7800/U1", "MF0;spine2:SB7800/U1"});
  CHECK(spec.cables.size() == 14);
  for (const FabricCable& cable : spec.cables) CHECK(cable.bandwidth.value == Approx(12.5e9));
  const auto network = make_fabric(spec);
  CHECK(network->diameter() == 4);
  CHECK(network->hops(HostId{0}, HostId{3}) == 2);
}

TEST_CASE("Data rates follow width and speed") {
  // 8b/10b up to QDR, 64b/66b from FDR on; HDR and NDR as sold: 200 and 400 Gb/s for four lanes.
  CHECK(infiniband_bandwidth("4xSDR")->value == Approx(1e9));
  CHECK(infiniband_bandwidth("4xQDR")->value == Approx(4e9));
  CHECK(infiniband_bandwidth("4xFDR10")->value == Approx(5e9));
  CHECK(infiniband_bandwidth("4xFDR")->value == Approx(54.545454e9 / 8));
  CHECK(infiniband_bandwidth("4xEDR")->value == Approx(12.5e9));
  CHECK(infiniband_bandwidth("4xHDR")->value == Approx(25e9));
  CHECK(infiniband_bandwidth("2xHDR")->value == Approx(12.5e9));
  CHECK(infiniband_bandwidth("4xNDR")->value == Approx(50e9));
  for (const auto* word : {"", "4", "x", "4xABC", "0xEDR", "99xEDR", "EDR", "-4xEDR"})
    CHECK_FALSE(infiniband_bandwidth(word));
}

TEST_CASE("Adapters of one host are rails, descriptions of hardware are no host names") {
  const FabricSpec spec = read_text(
      "Switch 2 \"S-1\" # \"rail0\" base port 0 lid 1 lmc 0\n"
      "[1] \"H-1\"[1](1) # \"n1 HCA-1\" lid 2 4xHDR\n[2] \"H-3\"[1](3) # \"MT4119 ConnectX5 "
      "Mellanox\" lid 3 4xHDR\n"
      "Switch 2 \"S-2\" # \"rail1\" base port 0 lid 4 lmc 0\n"
      "[1][ext 7] \"H-2\"[1](2) # \"n1 HCA-2\" lid 5 4xHDR\n"
      "Ca 1 \"H-1\" # \"n1 HCA-1\"\n[1](1) \"S-1\"[1] # lid 2 lmc 0 \"rail0\" lid 1 4xHDR\n"
      "Ca 1 \"H-2\" # \"n1 HCA-2\"\n[1](2) \"S-2\"[1] # lid 5 lmc 0 \"rail1\" lid 4 4xHDR\n"
      "Ca 1 \"H-3\" # \"MT4119 ConnectX5 Mellanox\"\n"
      "[1](3) \"S-1\"[2] # lid 3 lmc 0 \"rail0\" lid 1 4xHDR\n");
  CHECK(spec.hosts == std::vector<std::string>{"n1", "H-3"});
  CHECK(spec.cables.size() == 3);
}

namespace {

/// Two switches, two adapters: the first on switch 1, the second on `second_switch`.
FabricSpec two_adapters(const std::string& first, const std::string& second,
                        const std::string& second_switch) {
  return read_text(
      "Switch 36 \"S-1\" # \"swA\" lid 1\n[3] \"S-2\"[3] # \"swB\" lid 2 4xQDR\n"
      "Switch 36 \"S-2\" # \"swB\" lid 2\n[3] \"S-1\"[3] # \"swA\" lid 1 1xQDR\n"
      "Ca 1 \"H-1\" # \"" +
      first + "\"\n[1] \"S-1\"[1] # lid 11 \"swA\" lid 1 4xQDR\nCa 1 \"H-2\" # \"" + second +
      "\"\n[1] \"" + second_switch + "\"[2] # lid 12 \"sw\" lid 2 4xQDR\n");
}

}  // namespace

TEST_CASE("Adapters of one name on different switches are different machines") {
  const std::vector<std::string> guids{"H-1", "H-2"};
  for (const std::string name : {"localhost.localdomain HCA-1", "node01 mlx5_0", "node01",
                                 "localhost", "MT25408 ConnectX Mellanox Technologies"}) {
    CAPTURE(name);
    CHECK(two_adapters(name, name, "S-2").hosts == guids);
  }
  // One number twice is two machines on one switch too; without numbers it may be one.
  CHECK(two_adapters("node01 HCA-1", "node01 HCA-1", "S-1").hosts == guids);
  CHECK(two_adapters("node01", "node01", "S-1").hosts == std::vector<std::string>{"node01"});
  CHECK(two_adapters("node01 HCA-1", "node01 HCA-2", "S-2").hosts ==
        std::vector<std::string>{"node01"});
  CHECK(two_adapters("localhost.localdomain HCA-1", "localhost.localdomain HCA-2", "S-2").hosts ==
        guids);
}

TEST_CASE("Where the ends of a cable say different widths the lower one counts") {
  // Data rates of QDR: 4 GB/s on four lanes, 1 GB/s on one.
  const FabricSpec spec = two_adapters("a HCA-1", "b HCA-1", "S-2");
  REQUIRE(spec.cables.size() == 3);
  CHECK(spec.cables[0].bandwidth.value == Approx(1e9));
  CHECK(spec.cables[1].bandwidth.value == Approx(4e9));
}

TEST_CASE("Faults of ibnetdiscover output get a sentence with their line") {
  CHECK(ibnetdiscover_error("hello\n") ==
        ": no Switch or Ca line: this is not output of ibnetdiscover");
  CHECK(ibnetdiscover_error("Switch 2 S-1\n") == ":1: a name in quotation marks is missing");
  CHECK(ibnetdiscover_error("[1] \"S-1\"[1] # 4xEDR\n") ==
        ":1: a port before any Switch or Ca line");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\n[x] \"H-1\"[1] # 4xEDR\n") ==
        ":2: a port number in brackets such as [12] is missing");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\n[1] \"H-1\" # 4xEDR\n") ==
        ":2: a port number in brackets such as [12] is missing");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\n[1] \"H-1\"[1] # fast\n") ==
        ":2: no width and speed such as 4xEDR at the end of the line");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\nSwitch 1 \"S-1\" # \"a\"\n") ==
        ":2: \"S-1\" is listed twice");
  CHECK(ibnetdiscover_error("Ca 1 \"H-1\" # \"n1 mlx5_0\"\n[1] \"S-1\"[1] # \"a\" 4xEDR\n") ==
        ":2: \"S-1\" has no Switch or Ca line of its own in the file");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\n") ==
        ": the file lists no channel adapter (Ca)");
}
