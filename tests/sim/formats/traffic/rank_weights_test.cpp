#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "sim/run/run.hpp"

using namespace vtopo;

// A path of six ranks of which the first weighs as much as all others: two hosts of weight 5 each
// have one rank and five, and the one message between 0 and 1 leaves a host, 4 bytes both ways over
// 2 hops.
TEST_CASE("Hosts take an even share of the weights that a METIS graph has") {
  const auto path = std::filesystem::temp_directory_path() / "vtopo-weights.graph";
  std::ofstream(path) << "6 5 011\n5 2 4\n1 1 4 3 7\n1 2 7 4 7\n1 3 7 5 7\n1 4 7 6 7\n1 5 7\n";
  Scenario scenario;
  scenario.traffic = path.string();
  scenario.network = "fat-tree:1;2;1;1";
  scenario.imbalance = "0%";
  scenario.mappers = "portfolio,block";
  Observer nobody;
  const Report report = run(scenario, nobody);
  CHECK(report.rows.size() >= 2);
  for (const Row& row : report.rows) CHECK(row.metrics.hop_bytes.value == 8);
  std::filesystem::remove(path);
}
