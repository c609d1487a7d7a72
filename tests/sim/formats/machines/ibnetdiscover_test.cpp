#include "sim/formats/machines/ibnetdiscover.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

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

const CableAssumptions one_microsecond{{10e9}, {1e-6}};

FabricSpec read_text(const std::string& text) {
  const TemporaryFile file("fabric.ibnetdiscover", text);
  return read_ibnetdiscover(file.path(), one_microsecond);
}

std::string ibnetdiscover_error(const std::string& text) {
  const TemporaryFile file("fault.ibnetdiscover", text);
  return tests::message_about(file.path(),
                              [&] { read_ibnetdiscover(file.path(), one_microsecond); });
}

}  // namespace

// Expected counts: the sample was written from a plan of 8 hosts, 2 leaves and 2 spines with 8 host
// cables, two from each leaf to spine 1 and one to spine 2; an aggregation node is not a host.
TEST_CASE("The output of ibnetdiscover becomes hosts, switches and cables") {
  const FabricSpec spec = read_infiniband(fabric_file, one_microsecond);
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
  CHECK(
      ibnetdiscover_error("switchguid=1\nSwitch 2 \"S-1\" # \"a\"\n[1] \"H-1\"[1] # fast\n"
                          "[2] \"H-2\"[1] # 4xEDR\n") ==
      ":3: \"[1] \"H-1\"[1] # fast\": no width and speed such as 4xEDR at the end of the line, as "
      "others have");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\nSwitch 1 \"S-1\" # \"a\"\n") ==
        ":2: \"S-1\" is listed twice");
  CHECK(ibnetdiscover_error("Ca 1 \"H-1\" # \"n1 mlx5_0\"\n[1] \"S-1\"[1] # \"a\" 4xEDR\n") ==
        ":2: \"S-1\" has no Switch or Ca line of its own in the file");
  CHECK(ibnetdiscover_error("Switch 1 \"S-1\" # \"a\"\n") ==
        ": the file lists no channel adapter (Ca)");
}

namespace {

FabricSpec listing(const std::string& text) {
  const TemporaryFile file("listing.txt", text);
  CHECK(is_infiniband_listing(text));
  return read_infiniband(file.path(), one_microsecond);
}

std::string listing_error(const std::string& text) {
  const TemporaryFile file("listing.txt", text);
  return tests::message_about(file.path(), [&] { read_infiniband(file.path(), one_microsecond); });
}

/// `a 1 - leaf 4e9`: cables of a fabric by name, sorted.
std::vector<std::string> cables_of(const FabricSpec& spec) {
  std::vector<std::string> names = spec.hosts, cables;
  names.insert(names.end(), spec.switches.begin(), spec.switches.end());
  for (const FabricCable& cable : spec.cables) {
    std::string a = names[static_cast<std::size_t>(cable.a)];
    std::string b = names[static_cast<std::size_t>(cable.b)];
    if (b < a) std::swap(a, b);
    cables.push_back(fmt::format("{} {} {:.4g}", a, b, cable.bandwidth.value));
  }
  std::sort(cables.begin(), cables.end());
  return cables;
}

}  // namespace

// Rates by hand: 4 lanes of EDR carry 12.5 GB/s, of HDR 25 GB/s. The second adapter of n2 has two
// ports, each with a GUID of its own.
TEST_CASE("Listings by ports, ibnetdiscover -p, are read") {
  const FabricSpec spec = listing(
      "SW     1  1 0x00a0 4x HDR - SW     2  9 0x00b0 ( 'spine 1' - 'leaf' )\n"
      "SW     2  9 0x00b0 4x HDR - SW     1  1 0x00a0 ( 'leaf' - 'spine 1' )\n"
      "SW     2  1 0x00b0 4x EDR 'leaf' - CA     3  1 0x00c1 ( 'leaf' - 'n1 mlx5_0' )\n"
      "SW     2  2 0x00b0 4x EDR - CA     4  1 0x00d1 ( 'leaf' - 'n2 mlx5_0' )\n"
      "SW     2  3 0x00b0 4x EDR - CA     5  2 0x00d2 ( 'leaf' - 'n2 mlx5_0' )\n"
      "CA     4  1 0x00d1 4x EDR - SW     2  2 0x00b0 ( 'n2 mlx5_0' - 'leaf' )\n"
      "SW     2 12 0x00b0 4x SDR                                    'leaf'\n"
      "CA     6  1 0x00e1 4x SDR                                    'n3 mlx5_0'\n");
  CHECK(spec.hosts == std::vector<std::string>{"n1", "n2", "n3"});
  CHECK(spec.switches == std::vector<std::string>{"spine 1", "leaf"});
  CHECK(cables_of(spec) == std::vector<std::string>{"leaf n1 1.25e+10", "leaf n2 1.25e+10",
                                                    "leaf n2 1.25e+10", "leaf spine 1 2.5e+10"});
}

TEST_CASE("Two machines of one name in a listing by ports stay two") {
  const FabricSpec spec = listing(
      "SW 1 1 0xa 4x EDR - CA 3 1 0xc ( 'leaf' - 'node HCA-1' )\n"
      "SW 1 2 0xa 4x EDR - CA 4 1 0xd ( 'leaf' - 'node HCA-1' )\n");
  CHECK(spec.hosts == std::vector<std::string>{"0xc", "0xd"});
}

// QDR signals 10 Gb/s on a lane, FDR10 10.3125, NDR 106.25: 4, 5 and 50 GB/s on four lanes.
TEST_CASE("What iblinkinfo prints is read, with headings or a line for each end") {
  const std::vector<std::string> expected{"a leaf-1 4e+09", "b leaf-1 5e+09", "leaf-1 spine 5e+10"};
  const FabricSpec spec = listing(
      "CA: b mlx4_0:\n      0x01      4    1[  ] ==( 4X       10.3125 Gbps Active/  LinkUp)==>  "
      "     2   36[  ] \"leaf-1\" ( )\n"
      "Switch: 0x02 leaf-1:\n"
      "           2    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>       3    1[  ] \"a "
      "mlx4_0\" ( )\n"
      "           2    2[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
      "           2   35[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>       9    1[ext 3] "
      "\"spine\" ( Could be XDR)\n"
      "           2   36[  ] ==( 4X       10.3125 Gbps Active/  LinkUp)==>       4    1[  ] \"b "
      "mlx4_0\" ( )\n"
      "Switch 0x09 spine:\n"
      "           9    1[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>       2   35[  ] "
      "\"leaf-1\" ( )\n");
  CHECK(spec.switches == std::vector<std::string>{"leaf-1", "spine"});
  CHECK(cables_of(spec) == expected);
  const FabricSpec lines = listing(
      "0x02 \"     leaf-1\"      2    1[  ] ==( 4X          10.0 Gbps Active/  LinkUp)==>  0x03    "
      " "
      " 3    1[  ] \"a mlx4_0\" ( )\n"
      "0x02 \"     leaf-1\"      2   35[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>  0x09    "
      "  9    1[  ] \"spine\" ( )\n"
      "0x02 \"     leaf-1\"      2   36[  ] ==( 4X       10.3125 Gbps Active/  LinkUp)==>  0x01    "
      "  4    1[  ] \"b mlx4_0\" ( )\n"
      "0x09 \"     spine\"       9    2[  ] ==(                Down/ Polling)==>             [  ] "
      "\"\" ( )\n");
  CHECK(cables_of(lines) == expected);
}

TEST_CASE("Where lines of adapters contradict those of switches, the switch's count") {
  const FabricSpec spec = listing(
      "CA: a mlx4_0:\n 0x03 3 1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 2 36[ ] \"leaf\" ( )\n"
      "Switch: 0x02 leaf:\n 2 1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 3 1[ ] \"a mlx4_0\" ( )\n"
      " 2 36[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 4 1[ ] \"b mlx4_0\" ( )\n");
  CHECK(cables_of(spec) == std::vector<std::string>{"a leaf 4e+09", "b leaf 4e+09"});
}

TEST_CASE("What iblinkinfo prints is read without its headings, as grep leaves it") {
  const FabricSpec spec = listing(
      "      0x0a      4    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2   17[  ] "
      "\"leaf\" ( )\n"
      "           2   17[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       4    1[  ] \"a "
      "HCA-1\" ( )\n"
      "           2   18[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       1    1[  ] \"b "
      "HCA-1\" ( )\n");
  CHECK(cables_of(spec) == std::vector<std::string>{"a leaf 1.25e+10", "b leaf 1.25e+10"});
}

// InfiniBand's FDR10 has the lanes of QDR's rate with 64b/66b: 4 x 10.3125 x 64/66 / 8 = 5 GB/s. 12
// lanes of it: 15 GB/s.
TEST_CASE("The name of a speed counts where iblinkinfo prints it") {
  const FabricSpec spec = listing(
      "Switch: 0x02 leaf:\n 2 1[ ] ==( 4X 10.0 Gbps (FDR10) Active/ LinkUp)==> 3 1[ ] \"a h\" ( )\n"
      " 2 2[ ] ==( 12X 10.0 Gbps(FDR10) Active/ LinkUp)==> 4 1[ ] \"b h\" ( )\n"
      " 2 3[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 5 1[ ] \"c h\" ( )\n");
  CHECK(cables_of(spec) ==
        std::vector<std::string>{"a leaf 5e+09", "b leaf 1.5e+10", "c leaf 4e+09"});
}

TEST_CASE("Without any rate the cables of ibnetdiscover have the assumed one, which is said") {
  const TemporaryFile file(
      "bare.ibnetdiscover",
      "vendid=0x2c9\nswitchguid=0x1\nSwitch 1 \"S-1\" # \"a\"\n[1] \"H-1\"[1]\n"
      "caguid=0x2\nCa 1 \"H-1\" # \"n1 mlx5_0\"\n[1] \"S-1\"[1]\n");
  std::vector<std::string> remarks;
  const FabricSpec spec = read_infiniband(
      file.path(), one_microsecond, [&](const std::string& text) { remarks.push_back(text); });
  CHECK(cables_of(spec) == std::vector<std::string>{"a n1 1e+10"});
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0] == file.path() +
                          ": no line has a width and speed such as 4xEDR: every cable has "
                          "10 GB/s");
}

TEST_CASE("Net files of ibsim have the assumed bandwidth") {
  const FabricSpec spec = listing(
      "# a fabric\n\nSwitch\t8 \"leaf A\"\n[1]\t\"n 1\"[2]\n[8]\t\"spine\"[1]\n\n"
      "Switch 4 \"spine\"\n[1] \"leaf A\"[8]\nHca\t2 \"n 1\"\n[2] \"leaf A\"[1]\n"
      "Hca 1 \"n2\"\n[1] \"spine\"[3] # second\n");
  CHECK(spec.hosts == std::vector<std::string>{"n 1", "n2"});
  CHECK(cables_of(spec) ==
        std::vector<std::string>{"leaf A n 1 1e+10", "leaf A spine 1e+10", "n2 spine 1e+10"});
}

TEST_CASE("Faults of listings get a sentence with their line") {
  CHECK(listing_error("SW 1 1 0xa 4x EDR - CA 3 1 ( 'a' - 'b' )\n") ==
        ":1: \"SW 1 1 0xa 4x EDR - CA 3 1 ( 'a' - 'b' )\": accepted behind the dash is the peer: "
        "type, LID, port, GUID");
  CHECK(
      listing_error("SW 1 1 0xa 4x EDR 'a'\nSW 1\n") ==
      ":2: \"SW 1\": accepted is a line of ibnetdiscover -p: type, LID, port, GUID, width, speed");
  CHECK(listing_error("SW 1 1 0xa 4x ODR - CA 3 1 0xb ( 'a' - 'b' )\n") ==
        ":1: \"4x ODR\" is not a width and speed such as 4x EDR");
  CHECK(listing_error("SW 1 1 0xa 4x EDR - CA 3 1 0xb\n") ==
        ":1: \"SW 1 1 0xa 4x EDR - CA 3 1 0xb\": accepted at the end are the names of both ends: ( "
        "'a' - 'b' )");
  CHECK(
      listing_error("Switch: 0x1 s:\n2 1[ ] ==( 4X 11.0 Gbps Active/ LinkUp)==> 3 1[ ] \"a\"\n") ==
      ":2: \"4X 11.0 Gbps Active/ LinkUp\": accepted are a width and the rate of a lane such as "
      "4X 25.78125 Gbps");
  CHECK(listing_error("Switch: 0x1 s:\n1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 3 1[ ] \"a\"\n") ==
        ":2: \"1[ ] ==( 4X 10.0 Gbps Active/ LinkUp)==> 3 1[ ] \"a\"\": accepted in front of ==( "
        "are a LID and a port");
  CHECK(listing_error("hello\nSwitch: 0x1 s:\n1 2[ ] ==( Down )==> [ ] \"\" ( )\n") ==
        ":1: \"hello\": accepted are headings \"CA:\" and \"Switch:\", and lines with ==( 4X ... "
        ")==>");
  CHECK(listing_error("Switch: 0x1 s:\n1 2[ ] ==( Down )==> [ ] \"\" ( )\n") ==
        ": the file lists no channel adapter (Ca)");
}
