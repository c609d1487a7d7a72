#include "topology/base/units.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;

TEST_CASE("Volumes take decimal and binary units") {
  CHECK(parse_bytes("1500").value == 1500);
  CHECK(parse_bytes("0").value == 0);
  CHECK(parse_bytes("8B").value == 8);
  CHECK(parse_bytes("64KiB").value == 65536);
  CHECK(parse_bytes("1MB").value == 1e6);
  CHECK(parse_bytes("1.5kB").value == 1500);
  CHECK(parse_bytes("2TiB").value == 2199023255552.0);  // 2 * 2^40
  CHECK(parse_bytes("1e3").value == 1000);
}

TEST_CASE("Bandwidths are in bytes with B and in bits with b") {
  CHECK(parse_bandwidth("10GBps").value == 1e10);
  CHECK(parse_bandwidth("100Gbps").value == 1.25e10);  // 100e9 / 8
  CHECK(parse_bandwidth("8Kibps").value == 1024);      // 8 * 1024 / 8
  CHECK(parse_bandwidth("1e9").value == 1e9);
  CHECK(std::isinf(parse_bandwidth("inf").value));
}

TEST_CASE("Times go from picoseconds to weeks") {
  CHECK(parse_seconds("100ns").value == Approx(1e-7));
  CHECK(parse_seconds("2ms").value == Approx(2e-3));
  CHECK(parse_seconds("0.5").value == 0.5);
  CHECK(parse_seconds("3m").value == 180);
  CHECK(parse_seconds("1w").value == 604800);  // 7 * 86400
}

TEST_CASE("A volume that is no number, out of range or of another unit is a sentence") {
  const auto message = [](const char* text) {
    return message_of<UsageError>([&] { parse_bytes(text); });
  };
  CHECK(message("") ==
        "volume \"\" is not a number with a unit; accepted: 0 to 1e24 bytes, units B, kB MB "
        "GB TB PB EB ZB YB, KiB MiB to YiB");
  CHECK_THAT(message("MiB"), Catch::StartsWith("volume \"MiB\" is not a number with a unit"));
  CHECK_THAT(message("nan"), Catch::StartsWith("volume \"nan\" is not a number with a unit"));
  CHECK(message("-1KiB") == "volume \"-1KiB\" is out of range; accepted: 0 to 1e24 bytes");
  CHECK(message("inf") == "volume \"inf\" is out of range; accepted: 0 to 1e24 bytes");
  CHECK(message("1e308TiB") == "volume \"1e308TiB\" is out of range; accepted: 0 to 1e24 bytes");
  CHECK(message("1mb") ==
        "volume \"1mb\" has the unknown unit \"mb\"; accepted: B, kB MB GB TB PB EB ZB YB, "
        "KiB MiB to YiB");
  CHECK(message("1 MiB") == message("1MiB"));
}

TEST_CASE("A bandwidth must be above 0") {
  const auto message = [](const char* text) {
    return message_of<UsageError>([&] { parse_bandwidth(text); });
  };
  CHECK(message("0") ==
        "bandwidth \"0\" is out of range; accepted: 0.001 to 1e30 bytes per second, or inf");
  CHECK(message("-1GBps") ==
        "bandwidth \"-1GBps\" is out of range; accepted: 0.001 to 1e30 bytes per second, or inf");
  CHECK_THAT(message("10GB"), Catch::StartsWith("bandwidth \"10GB\" has the unknown unit \"GB\""));
  CHECK_THAT(message("fast"), Catch::StartsWith("bandwidth \"fast\" is not a number with a unit"));
}

TEST_CASE("A time must be finite and not negative") {
  const auto message = [](const char* text) {
    return message_of<UsageError>([&] { parse_seconds(text); });
  };
  CHECK(message("-1ns") == "time \"-1ns\" is out of range; accepted: 0 to 1e9 seconds");
  CHECK(message("inf") == "time \"inf\" is out of range; accepted: 0 to 1e9 seconds");
  CHECK(message("1min") ==
        "time \"1min\" has the unknown unit \"min\"; accepted: s ps ns us ms m h d w");
}

TEST_CASE("Volumes print with three significant digits and binary prefixes") {
  CHECK(format_bytes(Bytes{0}) == "0 B");
  CHECK(format_bytes(Bytes{1000}) == "1000 B");
  CHECK(format_bytes(Bytes{1024}) == "1 KiB");
  CHECK(format_bytes(Bytes{1572864}) == "1.5 MiB");    // 1.5 * 2^20
  CHECK(format_bytes(Bytes{174566992}) == "166 MiB");  // 174566992 / 2^20 = 166.48
  CHECK(format_bytes(Bytes{1048575}) == "1 MiB");      // never 1024 KiB
  CHECK(format_bytes(Bytes{0x1p70}) == "1024 EiB");    // the largest prefix stays
}

TEST_CASE("Bandwidths and times print with decimal prefixes") {
  CHECK(format_bandwidth(BytesPerSecond{1e10}) == "10 GB/s");
  CHECK(format_bandwidth(parse_bandwidth("inf")) == "inf");
  CHECK(format_bandwidth(BytesPerSecond{1e18}) == "inf");  // of links without a limit
  CHECK(format_seconds(Seconds{0}) == "0 s");
  CHECK(format_seconds(Seconds{40e-9}) == "40 ns");
  CHECK(format_seconds(Seconds{1.2649e-3}) == "1.26 ms");
  CHECK(format_seconds(Seconds{0.99996}) == "1 s");
  CHECK(format_seconds(Seconds{90}) == "90 s");
}

TEST_CASE("A number that no double can hold is no number, whatever unit follows") {
  CHECK_THROWS_WITH(parse_bytes("1e400"), Catch::Contains("is not a number with a unit"));
  CHECK_THROWS_WITH(parse_bytes("NaNB"), Catch::Contains("is not a number with a unit"));
  CHECK_THROWS_WITH(parse_bytes("infB"), Catch::Contains("out of range"));
}

TEST_CASE("What reports print can be typed again") {
  CHECK(parse_bandwidth("12.5 GB/s").value == 12.5e9);
  CHECK(parse_bandwidth("100Gb/s").value == 12.5e9);
  CHECK(parse_bytes(format_bytes(Bytes{65536})).value == 65536);
  CHECK(parse_seconds(format_seconds(Seconds{40e-9})).value == Approx(40e-9));
}

// SimGrid 3.32 knows these (xbt_parse_units.cpp); 1e18 B/s and more stand for no limit.
TEST_CASE("Bandwidths have every prefix that SimGrid knows") {
  CHECK(parse_bandwidth("2PBps").value == 2e15);
  CHECK(parse_bandwidth("0.5EBps").value == 5e17);
  CHECK(parse_bandwidth("8Pbps").value == 1e15);
  CHECK(parse_bandwidth("1PiBps").value == 1125899906842624.0);
  CHECK(parse_bandwidth("8Eibps").value == 1e18);
  CHECK(parse_bandwidth("0.000001YBps").value == 1e18);
  CHECK(parse_bandwidth("1e-9ZiBps").value == Approx(1180591620717.411));
  CHECK(parse_bandwidth("1000EBps").value == 1e18);
  CHECK(format_bandwidth(parse_bandwidth("1000EBps")) == "inf");
  CHECK(parse_bytes("3PB").value == 3e15);
  CHECK(parse_bytes("1EiB").value == 1152921504606846976.0);
  CHECK_THROWS_AS(parse_bandwidth("1e9YBps"), UsageError);
  CHECK_THROWS_AS(parse_bandwidth("1XBps"), UsageError);
}
