#include "sim/research/validation/ledger_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "sim/draw/document_tables.hpp"
#include "sim/report/csv_cells.hpp"
#include "topology/base/text.hpp"
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

using LedgerJson = nlohmann::ordered_json;

LedgerJson seconds_or_null(const std::optional<Seconds>& time) {
  return time ? LedgerJson(time->value) : LedgerJson(nullptr);
}

LedgerJson machine_json(const MachineLedger& ledger) {
  LedgerJson parameters;
  MachineParameters values = ledger.parameters;
  for (const NamedParameter& parameter : named_parameters())
    parameters[parameter.name] = parameter.of(values);
  const Agreement of = agreement(counted_rows(ledger));
  const Agreement free = agreement(counted_rows(ledger), LedgerModel::contention_free);
  LedgerJson json = {{"machine", ledger.machine},
                     {"platform", ledger.platform},
                     {"parameters", parameters},
                     {"points", of.points},
                     {"median_abs_log", of.median_error},
                     {"p90_abs_log", of.p90_error},
                     {"median_log", of.bias},
                     {"winner_right", of.winner_right},
                     {"winner_cases", of.winner_cases},
                     {"kendall_tau", of.kendall_tau},
                     {"noise", noise_of(ledger) ? LedgerJson(*noise_of(ledger)) : LedgerJson()},
                     {"contention_free",
                      {{"median_abs_log", free.median_error}, {"p90_abs_log", free.p90_error}}}};
  if (const auto rows = rows_of_smpi(ledger); !rows.empty())
    json["smpi"] = {{"points", rows.size()},
                    {"median_abs_log", agreement(rows, LedgerModel::smpi).median_error},
                    {"p90_abs_log", agreement(rows, LedgerModel::smpi).p90_error},
                    {"vtopo_median_abs_log", agreement(rows).median_error},
                    {"vtopo_p90_abs_log", agreement(rows).p90_error}};
  if (!ledger.pairs.empty()) {
    const PairAgreement pairs = pair_agreement(ledger);
    json["pairs_sign_right"] = pairs.sign_right;
    json["pairs_cases"] = pairs.cases;
    json["pairs_median_abs_log"] = pairs.median_error;
    json["pairs_median_abs_log_of_best_constant"] = pairs.median_error_of_constant;
    json["pairs_tau"] = pairs.tau;
  }
  return json;
}

template <class Value>
LedgerJson value_or_null(const std::optional<Value>& value) {
  return value ? LedgerJson(*value) : LedgerJson(nullptr);
}

LedgerJson pair_json(const PairRow& row) {
  const MeasuredPoint& point = row.pair.a;
  LedgerJson json = {{"machine", point.machine},
                     {"run", point.run},
                     {"nodes", point.nodes},
                     {"tasks_per_node", point.tasks_per_node},
                     {"collective", point.collective},
                     {"bytes", point.bytes.value},
                     {"library", point.library},
                     {"segments", value_or_null(row.pair.segments)},
                     {"ports", value_or_null(row.pair.ports)},
                     {"algorithm_a", row.pair.algorithm_a},
                     {"algorithm_b", row.pair.algorithm_b},
                     {"measured_ratio", row.pair.ratio()},
                     {"predicted_ratio", value_or_null(row.ratio())},
                     {"noise", row.pair.noise}};
  if (!row.ratio()) json["reason"] = row.a.time ? row.b.reason : row.a.reason;
  return json;
}

LedgerJson row_json(const LedgerRow& row) {
  const MeasuredPoint& point = row.point;
  LedgerJson json = {{"machine", point.machine},
                     {"run", point.run},
                     {"nodes", point.nodes},
                     {"tasks_per_node", point.tasks_per_node},
                     {"collective", point.collective},
                     {"algorithm", point.algorithm},
                     {"library", point.library},
                     {"bytes", point.bytes.value},
                     {"measured_s", point.time.value},
                     {"predicted_s", seconds_or_null(row.prediction.time)},
                     {"contention_free_s", seconds_or_null(row.prediction.contention_free)}};
  if (row.smpi) json["smpi_s"] = row.smpi->value;
  if (!row.prediction.reason.empty()) json["reason"] = row.prediction.reason;
  return json;
}

std::string aligned(const LedgerTable& table) {
  return table.title + '\n' + text_table(columns_of(table), TableLook{{}, 2, {}}) + '\n';
}

std::string markdown(const LedgerTable& table) {
  return fmt::format("## {}\n\n{}\n", table.title, markdown_table(columns_of(table)));
}

constexpr std::string_view what_is_counted =
    "Errors are |ln(predicted / measured)| of points of at least 64 KiB: 0.10 is 10 % off, 0.69 a "
    "factor of two; bias below 0: predicted too fast. Winner: cases of one run, collective, "
    "library "
    "and size whose best two algorithms differ by over 10 %, and those in which the fastest is "
    "predicted. Tau: Kendall's, of the order of algorithms. Contention-free: each message as if it "
    "were alone, same parameters.";

constexpr std::string_view what_smpi_is =
    "SMPI: SimGrid's, with its own version of the same algorithm, on the same links and one route "
    "per pair of hosts, with the same overhead and latency, without factors of its own; it has no "
    "time for reductions and copies.";

constexpr std::string_view where_it_is_wrong =
    "## Why it is wrong where it is\n\n"
    "- *One overhead per message*, whatever its size. On 8 nodes of Fugaku a message takes, "
    "besides "
    "its bytes on the links, 2.5 us with 4 bytes, 6 us with 16 KiB and 12 us with 128 KiB; the "
    "clock has 5.8 us up to the eager limit, and no copies of eager messages, so that rings of "
    "small messages on 512 nodes are predicted up to twice too slow.\n"
    "- *One gap* of 0.15 us, which alltoalls of a few bytes take on MareNostrum 5 for each message "
    "and end, for all machines and sizes. Gathers and alltoalls of less than 16 KiB per message on "
    "512 nodes of Fugaku are then off by a factor of up to 2 (without a gap, 4 to 23); Fujitsu's "
    "linear alltoalls do pay an overhead for each message and are predicted up to ten times too "
    "fast, its pairwise ones twice. A block of sparbit, a message of its own, costs 1.1 us on LUMI "
    "and 0.15 to 0.3 us on Leonardo.\n"
    "- *Sending and receiving* on Fugaku: a rank that only sends puts two or three messages on as"
    " many links, each at the rate of a link (binary and chain broadcasts on 8 nodes take exactly"
    " so many levels), while one that also receives gets 6.7 GB/s each way (alltoall). The clock "
    "limits what goes out, to 6.8 GB/s: these trees are predicted 1.5 times too slow.\n"
    "- *Buffers above 32 MiB*: allocators give memory that a call takes back to the system, so "
    "that each call touches fresh pages and registers them with the interface. The clock has one "
    "bandwidth for that, whatever the order in which they are touched, and the same for packing "
    "and rotations (Bruck) in buffers of any size, though these are faster inside caches: Bruck's "
    "alltoalls of 8 MiB and less on MareNostrum 5 are predicted 1.6 to 3.2 times too slow. LUMI's "
    "smallest run does not show this bandwidth: its Bruck allgathers on 16 nodes are predicted up "
    "to 1.6 times too fast. On 8 nodes of Fugaku trees reduce 512 MiB up to 2.6 times slower than "
    "predicted and 64 MiB up to 1.4 times faster: its allocator seems to keep more than 32 MiB.\n"
    "- *What a library takes by itself* is known for Open MPI and MPICH. Cray MPICH gathers and "
    "broadcasts small allgathers, and Fujitsu MPI has rules and segments of its own; some names of "
    "theirs take times that the algorithm of that name cannot.\n"
    "- *Rings of messages of 64 to 128 KiB* on 512 and 1,000 nodes of Leonardo and LUMI take three "
    "times as long as predicted; messages of four to eight times the size take two to three times "
    "as long as these. Handshakes of ranks that wait for each other would explain it.\n"
    "- *Other jobs* share the links of a production machine. The clock has the machine to itself.\n"
    "- *Steps that overlap*: a message is timed among those of its own step; ranks that are a step "
    "ahead meet others.\n\n";

}  // namespace

std::vector<TextColumn> columns_of(const LedgerTable& table) {
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < table.headings.size(); ++c) {
    TextColumn column{"", table.headings[c], {}};
    const bool is_number = table.headings[c] == "points" || c >= 2;
    column.align = is_number && table.headings[c] != "reason" ? Align::right : Align::left;
    for (const auto& row : table.rows) column.cells.push_back(row[c]);
    columns.push_back(std::move(column));
  }
  return columns;
}

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

LedgerTable pair_table(const Ledgers& ledgers) {
  LedgerTable table{"Measured pairs",
                    {"machine", "pairs", "median", "best constant", "sign right", "tau", "noise"},
                    {}};
  for (const MachineLedger& ledger : ledgers) {
    if (ledger.pairs.empty()) continue;
    const PairAgreement of = pair_agreement(ledger);
    table.rows.push_back(
        {ledger.machine, std::to_string(of.pairs), fmt::format("{:.3f}", of.median_error),
         fmt::format("{:.3f}", of.median_error_of_constant),
         fmt::format("{}/{}", of.sign_right, of.cases), fmt::format("{:.2f}", of.tau),
         fmt::format("{:.2f}", noise_of(ledger).value_or(0))});
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
  LedgerTable table{
      "Parameters",
      {"machine", "overhead", "latency", "injection", "reduction", "memory", "gap (not fitted)"},
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

namespace {

/// What the files of the machines are to state.
std::string noise_sentences(const Ledgers& ledgers) {
  std::string text =
      "Noise, |ln(predicted ratio / measured ratio)| that 68 % of the pairs of algorithms stay "
      "below, and vtopo-noise of the machine's file:";
  for (const MachineLedger& ledger : ledgers)
    if (const auto noise = noise_of(ledger))
      text += fmt::format(
          " {} {:.3f} ({}).", ledger.machine, *noise,
          ledger.parameters.noise ? fmt::format("{}", *ledger.parameters.noise) : "not stated");
  return text;
}

}  // namespace

std::string ledger_text(const Ledgers& ledgers) {
  const LedgerTable smpi = smpi_table(ledgers), pairs = pair_table(ledgers);
  return aligned(machine_table(ledgers)) + (pairs.rows.empty() ? "" : aligned(pairs)) +
         (smpi.rows.empty() ? "" : aligned(smpi)) + aligned(collective_table(ledgers)) +
         folded(std::string(what_is_counted) +
                    (smpi.rows.empty() ? "" : ' ' + std::string(what_smpi_is)) + "\n\n" +
                    noise_sentences(ledgers) + '\n',
                TextStyle().width, 0);
}

std::string ledger_csv(const Ledgers& ledgers) {
  const bool has_smpi =
      std::any_of(ledgers.begin(), ledgers.end(),
                  [](const MachineLedger& ledger) { return !rows_of_smpi(ledger).empty(); });
  std::string text = fmt::format(
      "machine,run,nodes,collective,algorithm,library,bytes,measured_s,predicted_s,"
      "contention_free_s,ratio,reason,tasks_per_node{}\n",
      has_smpi ? ",smpi_s" : "");
  for (const MachineLedger& ledger : ledgers)
    for (const auto& [point, prediction, smpi] : ledger.rows) {
      const auto seconds = [](const std::optional<Seconds>& time) {
        return time ? fmt::format("{}", time->value) : std::string();
      };
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{}", csv_text(point.machine), csv_text(point.run),
          csv_text(point.nodes), csv_text(point.collective), csv_text(point.algorithm),
          csv_text(point.library), point.bytes.value, point.time.value, seconds(prediction.time),
          seconds(prediction.contention_free),
          prediction.time ? fmt::format("{}", prediction.time->value / point.time.value) : "",
          csv_text(prediction.reason), point.tasks_per_node);
      text += has_smpi ? ',' + seconds(smpi) + '\n' : "\n";
    }
  return text;
}

std::string ledger_json(const Ledgers& ledgers) {
  LedgerJson document = {{"schema", "vtopo/ledger/v1"},
                         {"machines", LedgerJson::array()},
                         {"rows", LedgerJson::array()},
                         {"pairs", LedgerJson::array()}};
  for (const MachineLedger& ledger : ledgers) {
    document["machines"].push_back(machine_json(ledger));
    for (const LedgerRow& row : ledger.rows) document["rows"].push_back(row_json(row));
    for (const PairRow& row : ledger.pairs) document["pairs"].push_back(pair_json(row));
  }
  return document.dump(1) + '\n';
}

std::string ledger_markdown(const Ledgers& ledgers) {
  constexpr std::size_t most_shown = 15;
  const LedgerTable smpi = smpi_table(ledgers), pairs = pair_table(ledgers);
  return "# vtopo's clock held against measured machines\n\nMade by `vtopo validate`.\n\n" +
         std::string(what_is_counted) + "\n\n" + noise_sentences(ledgers) + "\n\n" +
         markdown(machine_table(ledgers)) + (pairs.rows.empty() ? "" : markdown(pairs)) +
         (smpi.rows.empty() ? "" : markdown(smpi) + std::string(what_smpi_is) + "\n\n") +
         markdown(parameter_table(ledgers)) + markdown(collective_table(ledgers)) +
         markdown(worst_table(ledgers, most_shown)) + std::string(where_it_is_wrong) +
         markdown(reason_table(ledgers)) + markdown(name_table(ledgers));
}

}  // namespace vtopo::detail
