#include "sim/research/validation/benchmark_tables.hpp"

#include <cmath>

#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void run_benchmark_tables(std::string_view input) {
  const MemoryFile file(input);
  const auto tables = read_benchmark_tables(file.path());
  for (const BenchmarkTable& table : tables) {
    require(!table.rows.empty(), "a table without rows");
    for (const BenchmarkRow& row : table.rows) {
      require(row.bytes >= 0 && std::isfinite(row.bytes), "a size that is not one");
      require(row.seconds > 0 && std::isfinite(row.seconds), "a time that is not one");
    }
  }
  const BenchmarkFit fit = fit_benchmarks(tables);
  for (const FittedNumber& number : fit.numbers) {
    require(number.value >= 0, "a fitted number below 0");  // infinite: nothing limits it
    require(!number.error || *number.error >= 0, "an error below 0");
  }
  require(fit.half_round_trip(65536) >= fit.half_round_trip(8), "more bytes take less time");
  require(fit_text(fit, tables).find("nan") == std::string::npos, "a number that is none");
  require(!machine_file_text(fit, "mine", "torus:4").empty(), "an empty machine file");
}

}  // namespace

Target benchmark_tables() {
  return {"printed tables of benchmarks", run_benchmark_tables, {}};
}

}  // namespace vtopo::fuzz::targets
