#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/bench/bench.hpp"
#include "sim/report/fields.hpp"

namespace vtopo::detail {

/// Whole answer of `vtopo bench`.
struct BenchReport {
  std::vector<std::pair<std::string, std::string>> options;  ///< option and value, in order
  std::vector<BenchTable> tables;
  std::vector<LeagueRow> league;
  bool timing = true;  ///< whether measured times and memory are printed
};

/// A field of a row: its name in CSV and JSON, and how to get it.
struct BenchField {
  std::string_view name;
  FieldValue (*value)(const BenchTable&, const BenchRow&);
  bool measured = false;  ///< null unless `timing`
};

/// All fields of a row, in order.
std::span<const BenchField> bench_fields();

/// Value of a field as the report tells it: measured ones are null without `timing`.
FieldValue told_value(const BenchField& field, const BenchReport& report, const BenchTable& table,
                      const BenchRow& row);

/// One table per instance, then the league of mappers.
std::string render_bench_table(const BenchReport& report);
/// Header and one line per row; the league is left out.
std::string render_bench_csv(const BenchReport& report);
/// Document of the schema `vtopo/bench/v1`.
std::string render_bench_json(const BenchReport& report);

/// The instances as `--list` tells them.
std::string list_instances_table(std::span<const Instance> instances);
std::string list_instances_csv(std::span<const Instance> instances);
std::string list_instances_json(std::span<const Instance> instances);

}  // namespace vtopo::detail
