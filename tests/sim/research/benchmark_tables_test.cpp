#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "netmodels/platform/platform.hpp"
#include "sim/research/validation/benchmark_tables.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Half round trips by hand: overhead 0.4 us, latency 0.8 us, 10 GB/s, a handshake above 16 KiB of
/// two overheads and twice the latency.
const char* const latencies =
    "# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
    "0                  1.6000\n8                  1.6008\n1024               1.7024\n"
    "8192               2.4192\n16384              3.2384\n32768              7.2768\n"
    "65536              10.5536\n131072             17.1072\n1048576            108.8576\n";

std::vector<BenchmarkTable> read(const std::string& text) {
  return read_benchmark_tables(tests::write_file("table.txt", text));
}

const FittedNumber& number_of(const BenchmarkFit& fit, const std::string& name) {
  const auto at = std::find_if(fit.numbers.begin(), fit.numbers.end(),
                               [&](const FittedNumber& number) { return number.name == name; });
  REQUIRE(at != fit.numbers.end());
  return *at;
}

}  // namespace

TEST_CASE("A ping-pong with a handshake gives overhead, latency, bandwidth and eager limit") {
  const auto tables = read(latencies);
  REQUIRE(tables.size() == 1);
  CHECK(tables.front().rows.size() == 9);
  const BenchmarkFit fit = fit_benchmarks(tables);
  CHECK(number_of(fit, "overhead").value == Approx(0.4e-6).epsilon(0.01));
  CHECK(number_of(fit, "latency").value == Approx(0.8e-6).epsilon(0.01));
  CHECK(number_of(fit, "injection").value == Approx(10e9).epsilon(0.001));
  CHECK(number_of(fit, "eager-limit").value == 16384);
  CHECK_FALSE(number_of(fit, "gap").is_determined);
  CHECK_FALSE(number_of(fit, "reduction-bandwidth").is_determined);
  CHECK(fit.half_round_trip(32768) == Approx(7.2768e-6).epsilon(0.01));
}

TEST_CASE("What a table does not determine is said and stays at its default") {
  const auto tables = read(
      "#---------\n# Benchmarking PingPong\n# #processes = 2\n"
      "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
      "            0         1000         1.20         0.00\n"
      "        65536          640         7.75      8456.00\n"
      "       131072          320        14.31      9159.00\n\n"
      "# Benchmarking Reduce_local\n# #processes = 2\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "      1048576           40       100.00       110.00       104.8576\n");
  REQUIRE(tables.size() == 2);
  const BenchmarkFit fit = fit_benchmarks(tables);
  CHECK_FALSE(number_of(fit, "overhead").is_determined);
  CHECK_FALSE(number_of(fit, "latency").is_determined);
  // The sum is: 2 x 0.3 + 0.6 us.
  CHECK(fit.half_round_trip(0) == Approx(1.2e-6));
  CHECK(number_of(fit, "reduction-bandwidth").value == Approx(10e9));
  CHECK_THAT(fit_text(fit, tables), Catch::Contains("not determined: overhead: no table"));
}

TEST_CASE("netgauge parts overhead and latency, message rates give the gap") {
  auto tables = read(
      "L=1.900000  s=1  o_s=0.400000  o_r=0.600000  g=0.600000  G=0.000100 (76 GiB/s) lsqu=0\n");
  for (BenchmarkTable& table : read("[1,0]<stdout>:# OSU MPI Bandwidth Test v5.9\n"
                                    "[1,0]<stdout>:# Size      Bandwidth (MB/s)\n"
                                    "[1,0]<stdout>:8          40.00\n"
                                    "[1,0]<stdout>:1048576    10000.00\n"))
    tables.push_back(std::move(table));
  const BenchmarkFit fit = fit_benchmarks(tables);
  CHECK(number_of(fit, "overhead").value == Approx(0.5e-6));
  CHECK(number_of(fit, "latency").value == Approx(0.9e-6).epsilon(0.001));  // less its byte
  // 8 bytes at 40 MB/s: 0.2 us; netgauge's g is 0.6 us, and the overhead limits both.
  CHECK(number_of(fit, "gap").value <= 0.5e-6);
  CHECK(number_of(fit, "injection").value == Approx(10e9));
}

TEST_CASE("The machine file of tables is read with its network, numbers and assumptions") {
  const BenchmarkFit fit = fit_benchmarks(read(latencies));
  const std::string file =
      tests::write_file("mine.xml", machine_file_text(fit, "mine", "torus:4x4"));
  CHECK(load_platform(file, {})->num_hosts() == 16);
  const MachineParameters read = parameters_of(read_platform_properties(file));
  CHECK(read.overhead.value == Approx(0.4e-6).epsilon(0.01));
  CHECK(read.injection.value == Approx(10e9).epsilon(0.01));
}

TEST_CASE("A file without a table, rows or a time is refused with its place") {
  const auto error_of = [](const std::string& text) {
    const std::string file = tests::write_file("wrong.txt", text);
    return tests::message_about(file, [&] { read_benchmark_tables(file); });
  };
  CHECK_THAT(error_of("hello\n"), Catch::Contains("no table of a benchmark"));
  CHECK_THAT(error_of("# OSU MPI Latency Test\n# Size Latency (us)\n"), Catch::Contains("no rows"));
  CHECK_THAT(error_of("# OSU MPI Latency Test\n# Size Latency (us)\n8 -1\n"),
             Catch::Contains("\"-1\": expected a time in microseconds above 0"));
  CHECK_THAT(error_of("# OSU MPI Latency Test\n# Size Latency (us)\n8\n"),
             Catch::Contains("1 columns"));
  CHECK_THAT(error_of("# OSU MPI Latency Test\n# Size Latency (us)\n8 1e-320\n"),
             Catch::Contains("expected a time in microseconds above 0"));
  // 65536 bytes more in 3 us, the only step upwards: 21.8 GB/s.
  const BenchmarkFit falling = fit_benchmarks(
      read("# OSU MPI Latency Test\n# Size Latency (us)\n8 1.5\n1048576 9\n65536 10\n131072 13\n"));
  CHECK(number_of(falling, "injection").value == Approx(65536 / 3e-6));
  CHECK_THROWS_WITH(fit_benchmarks(read("# OSU MPI Latency Test\n# Size Latency (us)\n8 1.5\n")),
                    Catch::Contains("no bandwidth"));
}
