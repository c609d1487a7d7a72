#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/report/change.hpp"
#include "sim/report/column_scale.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table_parts.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/sensitivity.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

using namespace detail;

namespace {

bool share_bounds(const Report& report) {
  const Bounds& bounds = report.rows.front().bounds;
  return std::all_of(report.rows.begin(), report.rows.end(), [&](const Row& row) {
    return row.bounds.hop_bytes == bounds.hop_bytes && row.bounds.congestion == bounds.congestion;
  });
}

/// How much a better mapper than the best one could gain at most.
std::string best_gap_text(const Report& report) {
  const std::size_t best = report.verdict.best;
  return fmt::format("* {}: {}", row_name(report, best), bounds_text(report.rows[best]));
}

TextColumn scaled_column(const ColumnScale& scale, const std::vector<double>& values) {
  TextColumn column{"", scale.unit(), {}};
  for (const double value : values) column.cells.push_back(scale.cell(value));
  return column;
}

/// Kinds of links next to their names; no column where all links are of one kind.
void append_kinds(const std::vector<ReportedLink>& links, std::vector<TextColumn>& columns) {
  TextColumn kinds{"", "kind", {}, Align::left};
  for (const auto& link : links) kinds.cells.push_back(link.kind);
  if (!links.front().kind.empty()) columns.push_back(std::move(kinds));
}

/// What other jobs put on the links, if there are any.
void append_background(const std::vector<ReportedLink>& links, std::vector<TextColumn>& columns) {
  if (!links.front().background) return;
  std::vector<double> volumes;
  volumes.reserve(links.size());
  for (const auto& link : links) volumes.push_back(link.background->value);
  columns.push_back(scaled_column(byte_scale(volumes), volumes));
  columns.back().heading = "others', " + columns.back().heading;
}

/// `links` are not empty.
std::string links_text(const std::vector<ReportedLink>& links, const TextStyle& style) {
  TextColumn names{"", "link", {}, Align::left}, flows{"", "flows", {}};
  std::vector<double> volumes, times;
  for (const auto& link : links) {
    names.cells.push_back(link.name);
    volumes.push_back(link.load.traffic.value);
    flows.cells.push_back(fmt::format("{}", link.load.flows));
    times.push_back(link.load.congestion.value);
  }
  std::vector<TextColumn> columns{names};
  append_kinds(links, columns);
  columns.push_back(scaled_column(byte_scale(volumes), volumes));
  append_background(links, columns);
  columns.push_back(flows);
  columns.push_back(scaled_column(time_scale(times), times));
  return text_table(columns, {style, 2});
}

template <class Cell>
TextColumn column(const Report& report, std::string group, std::string heading, Cell cell) {
  TextColumn result{std::move(group), std::move(heading), {}};
  for (const std::size_t row : sorted_rows(report)) result.cells.push_back(cell(report.rows[row]));
  return result;
}

bool ties_with_best(const Report& report, std::size_t row) {
  const auto& ties = report.verdict.ties;
  return std::find(ties.begin(), ties.end(), row) != ties.end();
}

/// `hyperplane *` is the best, `greedy =` ties with it.
TextColumn name_column(const Report& report) {
  TextColumn names{"", "mapper", {}, Align::left};
  for (const std::size_t row : sorted_rows(report))
    names.cells.push_back(row_name(report, row) + (row == report.verdict.best    ? " *"
                                                   : ties_with_best(report, row) ? " ="
                                                                                 : ""));
  return names;
}

/// Change of a field against the baseline; `-` for the baseline itself, and where there is none.
TextColumn relative_column(const Report& report, const RowField& field) {
  const Row& baseline = report.rows[report.verdict.baseline];
  const std::string heading = "vs " + (is_baseline(baseline) ? baseline.mapper : "first");
  const auto reference = number_of(field.value(baseline));
  return column(report, std::string(field.words), heading, [&](const Row& row) {
    const auto value = number_of(field.value(row));
    return &row == &baseline || !value || !reference ? "-"
                                                     : signed_text(change(*reference, *value));
  });
}

/// Of all rows, where they have one.
std::vector<double> values_of(const Report& report, const RowField& field) {
  std::vector<double> values;
  for (const Row& row : report.rows)
    if (const auto value = number_of(field.value(row))) values.push_back(*value);
  return values;
}

/// The times that are compared in one unit, side by side.
ColumnScale scale_of(const Report& report, const RowField& field,
                     const std::vector<const RowField*>& shown) {
  std::vector<double> values;
  for (const RowField* other : shown)
    if (other == &field || (other->kind == FieldKind::seconds && field.kind == FieldKind::seconds &&
                            other->is_compared && field.is_compared))
      for (const double value : values_of(report, *other)) values.push_back(value);
  if (field.kind == FieldKind::bytes) return byte_scale(values);
  return field.kind == FieldKind::seconds ? time_scale(values) : ColumnScale("", 1, values);
}

void append_field(const Report& report, const RowField& field,
                  const std::vector<const RowField*>& shown, std::vector<TextColumn>& columns) {
  const ColumnScale scale = scale_of(report, field, shown);
  const std::string words(field.words);
  const std::string heading = field.is_compared      ? scale.unit()
                              : scale.unit().empty() ? words
                                                     : words + ", " + scale.unit();
  columns.push_back(
      column(report, field.is_compared ? words : "", heading, [&](const Row& row) -> std::string {
        const FieldValue value = field.value(row);
        const auto* text = std::get_if<std::string>(&value);
        return text != nullptr ? *text : scale.cell(number_of(value));
      }));
  if (field.kind == FieldKind::text) columns.back().align = Align::left;
  if (field.is_compared) columns.push_back(relative_column(report, field));
}

/// Hop-bytes, busiest link and simulated time, where nobody asked for others; of these only columns
/// in which any row has a value.
std::vector<const RowField*> shown_fields(const Report& report, const TableStyle& style) {
  if (!style.columns.empty()) return fields_of_columns(style.columns);
  std::vector<const RowField*> fields = fields_of_columns("hop_bytes,max_congestion,makespan");
  std::erase_if(fields, [&](const RowField* field) { return values_of(report, *field).empty(); });
  return fields;
}

/// The row with its messages as a phase, where it has none.
Row with_phases(Row row) {
  if (row.phases.empty()) row.phases.push_back({"all at once", 1, row.metrics, row.simulation});
  return row;
}

std::string total_text(const Row& row) {
  std::string text =
      fmt::format("total: busiest links {}", format_seconds(row.metrics.max_congestion));
  if (row.simulation)
    text += fmt::format(", simulated time {}", format_seconds(row.simulation->makespan));
  return text;
}

std::string line(std::string_view key, std::string_view value, const TextStyle& style) {
  return key_line(key, key_width, value, style.width);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> detail::head_facts(const Report& report) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!report.guest.empty()) facts.emplace_back("application", report.guest);
  if (!report.network.empty()) facts.emplace_back("network", report.network);
  if (!report.background.empty())
    facts.emplace_back("background", report.background + "; it counts for links, not for hops");
  const Routing routing = report.rows.front().routing;
  facts.emplace_back(
      "routing", to_string(routing) +
                     (depends_on_traffic(routing)
                          ? ", for the whole traffic of each row; mappers see the shortest routes"
                          : ""));
  if (report.rows.size() < 2) return facts;
  facts.emplace_back("noise", noise_fact(report.noise));
  if (share_bounds(report)) {
    const Bounds& bounds = report.rows.front().bounds;
    facts.emplace_back(
        "bounds", fmt::format("any placement: hop-bytes >= {}, busiest link >= {}",
                              format_bytes(bounds.hop_bytes), format_seconds(bounds.congestion)));
  }
  return facts;
}

std::string detail::head_text(const Report& report, const TextStyle& style) {
  std::string text;
  for (const auto& [key, value] : head_facts(report)) text += line(key, value, style);
  return text + '\n';
}

std::string render_table(const Report& report, const TableStyle& style) {
  const Ink ink{style.colour};
  const auto broken = [&](const std::string& sentence) { return folded(sentence, style.width); };
  std::string text = head_text(report, style);
  text += report.rows.size() == 1 ? details_text(report, style) : comparison_text(report, style);
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (const auto& links = report.rows[row].top_links; !links.empty())
      text += fmt::format("\nmost loaded links of {}\n{}", row_name(report, row),
                          links_text(links, style));
  for (std::size_t row = 0; row < report.rows.size(); ++row)
    if (const Row& shown = report.rows[row]; !shown.phases.empty())
      text += fmt::format("\nphases of {}\n{}", row_name(report, row), phases_text(shown, style));
  if (const std::string ideal = ideal_text(report); !ideal.empty()) text += '\n' + broken(ideal);
  text += '\n' + ink.dim(broken(simulation_text(report))) + '\n';
  if (report.rows.size() > 1) text += ink.dim(broken(best_gap_text(report))) + '\n';
  return text + render_answer(report, style);
}

std::string render_answer(const Report& report, const TableStyle& style) {
  const Ink ink{style.colour};
  const auto broken = [&](const std::string& sentence) { return folded(sentence, style.width); };
  std::string text = ink.bold(broken(verdict(report))) + '\n';
  for (const std::string& assumption : report.assumptions)
    text += broken("assumes: " + assumption) + '\n';
  if (report.sensitivity) text += ink.bold(broken(describe(*report.sensitivity))) + '\n';
  for (const auto& [launcher, command] : report.launch)
    text += folded_command(fmt::format("{}: {}", launcher, command), style.width) + '\n';
  return text;
}

std::string detail::legend_of(const std::vector<const RowField*>& fields) {
  std::vector<std::string> words;
  for (const RowField* field : fields) {
    words.push_back(std::string(field->words));
    if (field->words != field->name) words.back() += fmt::format(" ({})", field->name);
    if (!field->meaning.empty()) words.back() += fmt::format(": {}", field->meaning);
  }
  return join(words, "; ");
}

std::string detail::comparison_text(const Report& report, const TableStyle& style) {
  const std::vector<const RowField*> fields = shown_fields(report, style);
  std::vector<TextColumn> columns{name_column(report)};
  for (const RowField* field : fields) append_field(report, *field, fields, columns);
  const std::string legend =
      folded(fmt::format("*: {}{}; {}", report.verdict.kept_order.value_or(false) ? "kept" : "best",
                         report.verdict.ties.empty() ? "" : ", =: ties with it", legend_of(fields)),
             style.width);
  return text_table(columns, {style, 0, 0}) + Ink{style.colour}.dim(legend) + '\n';
}

std::string render_times(const Report& report, const TableStyle& style) {
  const Ink ink{style.colour};
  const Row row = with_phases(report.rows.front());
  std::string text = head_text(report, style);
  text.pop_back();  // the mapper belongs to the head
  text += line("mapper", row.mapper, style) + '\n';
  text += phases_text(row, style) + '\n' + ink.bold(total_text(row)) + '\n';
  if (row.timing && row.simulation)
    text += fmt::format("simulation took {}\n", format_seconds(row.simulation->wall_seconds));
  return text + ink.dim(folded(simulation_text(report), style.width)) + '\n';
}

}  // namespace vtopo
