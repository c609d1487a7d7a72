#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/sim/report_rows.hpp"
#include "tests/support/text.hpp"

using namespace vtopo;
using tests::contains;

TEST_CASE("The baseline is block, or the first row where block is missing") {
  CHECK(make_report({make_row("greedy", 1, 1), make_row("block", 1, 1)}).verdict.baseline == 1);
  CHECK(make_report({make_row("greedy", 1, 1), make_row("rcm", 1, 1)}).verdict.baseline == 0);
}

TEST_CASE("A report on a guest without edges has no numbers out of nothing") {
  Row row = make_row("block", 0, 0);
  row.metrics = Metrics{};
  row.bounds = {};
  const Report one = make_report({row});
  Row other = row;
  other.mapper = "greedy";
  const Report two = make_report({row, other});
  for (const std::string& text :
       {render_table(one), render_table(two), render_csv(one), render_json(two)}) {
    CHECK_FALSE(contains(text, "nan"));
    CHECK_FALSE(contains(text, "inf"));
  }
}

TEST_CASE("CSV has the contract's header and one line per row") {
  // Fields and their order are fixed by the contract of the command.
  Row row = simulated(make_row("block", 12 * mebibyte, 0.1 + 0.2), 1e-7);
  row.metrics.mean_dilation = 4.0 / 3;
  CHECK(render_csv(make_report({row})) ==
        "mapper,seed,ranks,hosts,edges,total_bytes,intra_host_bytes,max_dilation,mean_dilation,"
        "mean_hops_per_byte,hop_bytes,max_link_load,mean_link_load,max_flows_per_link,"
        "max_congestion,jsum,jmax,hop_bytes_bound,congestion_bound,mapping_seconds,makespan,solver,"
        "network_model,simulation_seconds,routing,hop_bytes_bound_kind,congestion_bound_kind,"
        "mean_congestion\n"
        "block,1,4,4,8,8388608,0,2,1.3333333333333333,1.5,12582912,2097152,786432,2,"
        "0.30000000000000004,8,2,8388608,0.0001,0.25,1e-07,simgrid,CM02,0.5,simgrid,,,0\n");
}

TEST_CASE("CSV quotes as RFC 4180 says and leaves absent values empty") {
  Row row = make_row("tile:size=\"2,2\"", 1, 1);
  row.timing = false;
  const auto lines = lines_of(render_csv(make_report({row})));
  CHECK(lines[1].starts_with("\"tile:size=\"\"2,2\"\"\",1,"));
  CHECK(lines[1].ends_with(",0.0001,,,,,,simgrid,,,0"));
}

TEST_CASE("JSON reads back field by field") {
  Row row = simulated(make_row("block", 12 * mebibyte, 210e-6), 231e-6);
  row.seed = std::numeric_limits<std::uint64_t>::max();
  row.routing = Routing::positive;
  row.top_links = {{"d0+:3->0", {{1.5 * mebibyte}, 2, {150e-6}}, "ring 0"},
                   {"d0-:0->3", {{mebibyte}, 1, {100e-6}}}};
  Report report = make_report({row, row});
  report.scenario = {
      {"network", "torus:4"}, {"fail-link", "a"}, {"fail-link", "b"}, {"bytes", "1"}};
  const std::string text = render_json(report);
  CHECK(text.ends_with("}\n"));
  CHECK(text.starts_with("{\n  \"schema\": \"vtopo/compare/v1\",\n  \"version\": \""));
  const auto document = nlohmann::ordered_json::parse(text);
  CHECK(document["scenario"].dump() ==
        R"({"network":"torus:4","fail-link":["a","b"],"bytes":"1"})");
  REQUIRE(document["rows"].size() == 2);
  const auto& read = document["rows"][0];
  CHECK(read["mapper"] == "block");
  CHECK(read["seed"] == std::numeric_limits<std::uint64_t>::max());
  CHECK(read["ranks"] == 4);
  CHECK(read["hosts"] == 4);
  CHECK(read["edges"] == 8);
  CHECK(read["total_bytes"] == 8 * mebibyte);
  CHECK(read["intra_host_bytes"] == 0);
  CHECK(read["max_dilation"] == 2);
  CHECK(read["mean_dilation"] == 1.5);
  CHECK(read["mean_hops_per_byte"] == 1.5);
  CHECK(read["hop_bytes"] == 12 * mebibyte);
  CHECK(read["max_link_load"] == 2 * mebibyte);
  CHECK(read["mean_link_load"] == 0.75 * mebibyte);
  CHECK(read["max_flows_per_link"] == 2);
  CHECK(read["max_congestion"] == 210e-6);
  CHECK(read["jsum"] == 8);
  CHECK(read["jmax"] == 2);
  CHECK(read["hop_bytes_bound"] == 8 * mebibyte);
  CHECK(read["congestion_bound"] == 100e-6);
  CHECK(read["mapping_seconds"] == 0.25);
  CHECK(read["makespan"] == 231e-6);
  CHECK(read["solver"] == "simgrid");
  CHECK(read["network_model"] == "CM02");
  CHECK(read["simulation_seconds"] == 0.5);
  CHECK(read["hop_histogram"].dump() == "[0,4,4]");
  CHECK(read["top_links"].dump() ==
        R"([{"name":"d0+:3->0","kind":"ring 0","bytes":1572864.0,"flows":2,"seconds":0.00015},)"
        R"({"name":"d0-:0->3","kind":null,"bytes":1048576.0,"flows":1,"seconds":0.0001}])");
  CHECK(read["routing"] == "positive");
  CHECK(read.size() == 30);
}

TEST_CASE("JSON has null for what was not simulated or not timed") {
  const auto rows_of = [](const Row& row) {
    return nlohmann::json::parse(render_json(make_report({row})))["rows"];
  };
  const auto plain = rows_of(make_row("block", 1, 1))[0];
  for (const char* field : {"makespan", "solver", "network_model", "simulation_seconds"})
    CHECK(plain[field].is_null());
  CHECK(plain["mapping_seconds"] == 0.25);
  CHECK(plain["top_links"].is_array());

  Row untimed = simulated(make_row("block", 1, 1), 2);
  untimed.timing = false;
  const auto without_times = rows_of(untimed)[0];
  CHECK(without_times["mapping_seconds"].is_null());
  CHECK(without_times["simulation_seconds"].is_null());
  CHECK(without_times["makespan"] == 2);

  Row infinite = make_row("block", 1, std::numeric_limits<double>::infinity());
  CHECK(rows_of(infinite)[0]["max_congestion"].is_null());
}

TEST_CASE("JSON survives a file name that is not UTF-8") {
  Report report = make_report({make_row("file:\xff", 1, 1)});
  CHECK(nlohmann::json::parse(render_json(report))["rows"][0]["mapper"] == "file:\xEF\xBF\xBD");
}
