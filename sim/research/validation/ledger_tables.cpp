#include "sim/research/validation/ledger_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "topology/base/units.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo::detail {

namespace {

std::vector<std::string> agreement_cells(const Agreement& of) {
  return {std::to_string(of.points),
          fmt::format("{:.2f}", of.median_error),
          fmt::format("{:.2f}", of.p90_error),
          fmt::format("{:+.2f}", of.bias),
          of.winner_cases > 0 ? fmt::format("{}/{}", of.winner_right, of.winner_cases) : "-",
          of.pairs > 0 ? fmt::format("{:.2f}", of.kendall_tau) : "-"};
}

const std::vector<std::string> agreement_headings{"points", "median", "90 %",
                                                  "bias",   "winner", "tau"};

std::vector<std::string> joined(std::vector<std::string> first, std::vector<std::string> second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

LedgerTable machine_table(const Ledgers& ledgers) {
  LedgerTable table{"Machines", joined({"machine", "model"}, agreement_headings), {}};
  for (const MachineLedger& ledger : ledgers) {
    const auto rows = counted_rows(ledger);
    table.rows.push_back(joined({ledger.machine, "vtopo"}, agreement_cells(agreement(rows))));
    table.rows.push_back(joined({ledger.machine, "contention-free"},
                                agreement_cells(agreement(rows, LedgerModel::contention_free))));
  }
  return table;
}

LedgerTable smpi_table(const Ledgers& ledgers) {
  LedgerTable table{
      "SMPI with the same algorithms", joined({"machine", "model"}, agreement_headings), {}};
  for (const MachineLedger& ledger : ledgers) {
    const auto rows = rows_of_smpi(ledger);
    if (rows.empty()) continue;
    table.rows.push_back(joined({ledger.machine, "vtopo"}, agreement_cells(agreement(rows))));
    table.rows.push_back(
        joined({ledger.machine, "SMPI"}, agreement_cells(agreement(rows, LedgerModel::smpi))));
  }
  return table;
}

LedgerTable parameter_table(const Ledgers& ledgers) {
  LedgerTable table{"Parameters",
                    {"machine", "overhead", "latency", "injection", "reduction", "memory",
                     "gap (not fitted)"},
                    {}};
  for (const MachineLedger& ledger : ledgers) {
    const MachineParameters& of = ledger.parameters;
    table.rows.push_back({ledger.machine, format_seconds(of.overhead), format_seconds(of.latency),
                          format_bandwidth(of.injection), format_bandwidth(of.reduction_bandwidth),
                          format_bandwidth(of.memory_bandwidth),
                          of.gap ? format_seconds(*of.gap) : "-"});
  }
  return table;
}

LedgerTable collective_table(const Ledgers& ledgers) {
  LedgerTable table{"Collectives", joined({"machine", "collective"}, agreement_headings), {}};
  for (const MachineLedger& ledger : ledgers) {
    std::set<std::string> collectives;
    for (const LedgerRow& row : ledger.rows) collectives.insert(row.point.collective);
    for (const std::string& collective : collectives)
      table.rows.push_back(joined({ledger.machine, collective},
                                  agreement_cells(agreement(counted_rows(ledger, collective)))));
  }
  return table;
}

LedgerTable worst_table(const Ledgers& ledgers, std::size_t most) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>,
           std::vector<const LedgerRow*>>
      groups;
  for (const MachineLedger& ledger : ledgers)
    for (const LedgerRow* row : counted_rows(ledger))
      if (row->prediction.time)
        groups[{row->point.machine, row->point.collective, row->point.algorithm,
                row->point.library}]
            .push_back(row);
  std::vector<std::pair<Agreement, std::vector<std::string>>> lines;
  for (const auto& [key, rows] : groups) {
    const Agreement of = agreement(rows);
    lines.push_back({of,
                     {std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key),
                      std::to_string(of.points), fmt::format("{:.2f}", of.median_error),
                      fmt::format("{:+.2f}", of.bias)}});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.first.median_error > b.first.median_error;
  });
  LedgerTable table{"Largest errors",
                    {"machine", "collective", "algorithm", "library", "points", "median", "bias"},
                    {}};
  for (std::size_t l = 0; l < std::min(most, lines.size()); ++l)
    table.rows.push_back(lines[l].second);
  return table;
}

LedgerTable reason_table(const Ledgers& ledgers) {
  std::map<std::pair<std::string, std::string>, int> reasons;
  for (const MachineLedger& ledger : ledgers)
    for (const LedgerRow& row : ledger.rows)
      if (!row.prediction.time) ++reasons[{ledger.machine, row.prediction.reason}];
  LedgerTable table{"Points without a prediction", {"machine", "points", "reason"}, {}};
  for (const auto& [key, count] : reasons)
    table.rows.push_back({key.first, std::to_string(count), key.second});
  return table;
}

LedgerTable name_table(const Ledgers& ledgers) {
  std::set<std::tuple<std::string, std::string, std::string>> names;
  for (const MachineLedger& ledger : ledgers)
    for (const LedgerRow& row : ledger.rows)
      names.insert({row.point.library, row.point.collective, row.point.algorithm});
  LedgerTable table{"Names of algorithms", {"library", "collective", "name", "algorithm here"}, {}};
  for (const auto& [library, collective, name] : names) {
    const LibraryAlgorithm* row = find_library_algorithm(library_of(library), collective, name);
    const bool is_known = row != nullptr && !row->options.empty();
    table.rows.push_back({library, collective, name, is_known ? std::string(row->options) : "-"});
  }
  return table;
}

}  // namespace vtopo::detail
