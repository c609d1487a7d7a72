#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "sim/research/bench/bench.hpp"

namespace vtopo::detail {

namespace {

constexpr double at_the_best = 1 + 1e-9;
constexpr double none = std::numeric_limits<double>::infinity();

/// Sums over the rows of a mapper.
struct Standing {
  LeagueRow row;
  double log_sum = 0;
  int ratios = 0;
};

void count(const BenchRow& row, Standing& standing) {
  standing.row.cpu_time += row.cpu_time;
  if (row.status == RunStatus::not_applicable) ++standing.row.not_applicable;
  if (row.status != RunStatus::ok) {
    if (row.status != RunStatus::not_applicable) ++standing.row.failed;
    return;
  }
  ++standing.row.solved;
  if (!row.ratio_to_best || *row.ratio_to_best <= 0) return;
  if (*row.ratio_to_best <= at_the_best) ++standing.row.best;
  standing.row.worst_ratio = std::max(standing.row.worst_ratio.value_or(0), *row.ratio_to_best);
  standing.log_sum += std::log(*row.ratio_to_best);
  ++standing.ratios;
}

}  // namespace

std::vector<LeagueRow> league(const std::vector<BenchTable>& tables) {
  std::map<std::string, Standing> standings;
  for (const BenchTable& table : tables)
    for (const BenchRow& row : table.rows) count(row, standings[row.mapper]);
  std::vector<LeagueRow> rows;
  for (auto& [mapper, standing] : standings) {
    standing.row.mapper = mapper;
    if (standing.ratios > 0) standing.row.mean_ratio = std::exp(standing.log_sum / standing.ratios);
    rows.push_back(standing.row);
  }
  std::sort(rows.begin(), rows.end(), [](const LeagueRow& a, const LeagueRow& b) {
    const double mean_a = a.mean_ratio.value_or(none), mean_b = b.mean_ratio.value_or(none);
    return std::tie(b.solved, mean_a, a.mapper) < std::tie(a.solved, mean_b, b.mapper);
  });
  return rows;
}

}  // namespace vtopo::detail
