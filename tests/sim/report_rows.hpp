#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/report/report.hpp"
#include "sim/run/decide.hpp"

namespace vtopo {

inline constexpr double mebibyte = 1048576;

/// Row whose figures are chosen, not computed: the report prints what it is given.
inline Row make_row(const std::string& mapper, double hop_bytes, double congestion) {
  Row row;
  row.mapper = mapper;
  row.ranks = 4;
  row.hosts = 4;
  row.metrics.edges = 8;
  row.metrics.total_volume = {8 * mebibyte};
  if (hop_bytes == 0) row.metrics.intra_host_volume = row.metrics.total_volume;
  row.metrics.max_dilation = 2;
  row.metrics.mean_dilation = 1.5;
  row.metrics.mean_hops_per_byte = 1.5;
  row.metrics.hop_bytes = {hop_bytes};
  row.metrics.max_link_load = {2 * mebibyte};
  row.metrics.mean_link_load = {0.75 * mebibyte};
  row.metrics.max_flows_per_link = 2;
  row.metrics.max_congestion = {congestion};
  row.metrics.jsum = 8;
  row.metrics.jmax = 2;
  row.metrics.hop_histogram = {0, 4, 4};
  row.bounds = {{8 * mebibyte}, {100e-6}};
  row.mapping_time = Seconds{0.25};
  return row;
}

inline Row simulated(Row row, double makespan) {
  row.simulation = SimulationResult{{makespan}, {}, {0.5}};
  row.solver = "simgrid";
  row.network_model = "CM02";
  return row;
}

inline Report make_report(std::vector<Row> rows) {
  Report report;
  report.guest = "cart:2x2, 4 ranks, 8 edges";
  report.network = "torus:4, 4 hosts, 8 links";
  report.rows = std::move(rows);
  report.verdict = detail::decide(report);
  return report;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    REQUIRE(end != std::string::npos);
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

}  // namespace vtopo
