#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/report/change.hpp"
#include "sim/report/report.hpp"
#include "sim/report/text_columns.hpp"
#include "sim/run/decide.hpp"
#include "sim/run/guest.hpp"
#include "sim/run/plan.hpp"
#include "sim/run/ranking.hpp"
#include "sim/run/rows.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::verbs {

namespace {

/// `output` of the base is the file of the report.
struct MapOptions : WhatIfOptions {
  std::string embedding_file;
  std::string axis_order_file;  ///< empty: none
};

void check_mapper(const MapOptions& options) {
  const auto mappers = parse_mappers(options.scenario.mappers);
  if (mappers.size() != 1)
    throw UsageError(fmt::format("map takes one mapper, \"{}\" names {}; compare takes several",
                                 options.scenario.mappers, mappers.size()));
}

void check_files(const MapOptions& options) {
  if (options.embedding_file.empty()) return;
  check_not_input({options.embedding_file}, input_files(options));
  check_output(options.embedding_file);
  if (options.embedding_file != options.output) return;
  throw UsageError(options.output == "-"
                       ? "the embedding and the report cannot both go to standard output: give "
                         "one of -o and --report a file"
                       : fmt::format("-o and --report are both \"{}\"", options.output));
}

/// The scenario of the report for the one mapper whose embedding it is.
EmbeddingDocument document(const std::string& mapper, const Experiment& experiment,
                           const Report& report, const Embedding& embedding) {
  EmbeddingDocument result{embedding, *experiment.network, experiment.allocation, mapper,
                           report.scenario};
  for (auto& [option, value] : result.scenario)
    if (option == "mapper") value = result.mapper;
  return result;
}

/// The program of `parallel:`, which orders of axes need.
std::optional<ParallelProgram> program_of(const MapOptions& options,
                                          const EmbeddingFormat& format) {
  const bool has_file = !options.axis_order_file.empty();
  if (has_file) check_output(options.axis_order_file);
  auto program = parse_parallel_program(with_model(options.scenario.topology));
  if (!program && (has_file || format.name == "megatron"))
    throw UsageError(fmt::format("{}: the topology \"{}\" is not parallel:AXIS=SIZE,...",
                                 has_file ? "--axis-order" : "embedding format megatron",
                                 options.scenario.topology));
  return program;
}

/// Says that names in the file are not those of the machine, where that is so.
void remark_names(const MapOptions& options, const Experiment& experiment,
                  const std::string& text) {
  const std::string first = experiment.network->host_place(experiment.allocation.hosts[0]).node;
  if (experiment.knows_host_names || text.find(first) == std::string::npos) return;
  say(
      fmt::format("the file of {} does not know the names of its nodes: those in {}, such as {}, "
                  "are not the machine's; --host-names says them",
                  options.scenario.platform, options.embedding_file, first));
}

/// Grids that are named beside the best one, and kinds of links.
constexpr std::size_t max_named_grids = 3;
constexpr std::size_t max_kinds = 6;

/// Of the longest time: kinds that take less hold nothing back.
constexpr double least_share = 1e-3;

/// `4 % longer`, or that the times tie.
std::string compared(double time, double best, double noise) {
  const double percent = 100 * (time / best - 1);
  if (std::abs(percent) < 0.5) return "as long";
  if (is_tie(time, best, noise)) return "no difference above noise";
  return percent > 0 ? fmt::format("{:.0f} % longer", percent)
                     : fmt::format("{:.0f} % shorter", -percent);
}

/// A grid of ranks that was tried, with the time of the best placement found quickly.
struct TriedGrid {
  Scenario scenario;
  Seconds time;
};

std::string grid_text(const std::vector<TriedGrid>& grids, double noise) {
  std::string text = fmt::format("{}, of {} balanced grids, each quickly placed",
                                 grids.front().scenario.topology, grids.size());
  for (std::size_t g = 1; g < std::min(grids.size(), max_named_grids + 1); ++g)
    text += fmt::format("{} {}: {}", g == 1 ? ";" : ",", grids[g].scenario.topology,
                        compared(grids[g].time.value, grids.front().time.value, noise));
  return text;
}

/// Time of the best row, then how much longer the other rows take.
std::string placement_text(const Report& report) {
  const std::vector<double> times = row_times(report);
  const std::size_t best = report.verdict.best;
  std::string text = fmt::format("{}: {}", report.rows[best].mapper, format_seconds({times[best]}));
  for (std::size_t row = 0; row < report.rows.size(); ++row) {
    if (row == best || times[row] <= 0) continue;
    text += fmt::format(", {} against {} ({}{})", signed_text(change(times[row], times[best])),
                        report.rows[row].mapper, format_seconds({times[row]}),
                        is_tie(times[best], times[row], report.noise) ? ", a tie" : "");
  }
  return text;
}

/// A link's kind and how long the busiest link of that kind is busy.
struct BusyKind {
  std::string kind;
  Seconds time;
};

/// The longest first.
std::vector<BusyKind> busy_kinds(const Network& network, const Metrics& metrics) {
  const std::vector<LinkClass> classes = network.link_classes();
  std::vector<BusyKind> kinds;
  for (const LinkClass& kind : classes) kinds.push_back({kind.name, {0}});
  for (std::size_t l = 0; l < metrics.links.size(); ++l) {
    Seconds& most = kinds[static_cast<std::size_t>(network.link_class(id_at<LinkId>(l)))].time;
    most = std::max(most, metrics.links[l].congestion);
  }
  std::erase_if(kinds, [](const BusyKind& kind) { return kind.time.value <= 0; });
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const BusyKind& a, const BusyKind& b) { return a.time > b.time; });
  return kinds;
}

std::string kinds_text(const std::vector<BusyKind>& kinds) {
  std::vector<std::string> parts;
  for (const BusyKind& kind : kinds)
    if (parts.size() < max_kinds && kind.time >= kinds.front().time * least_share)
      parts.push_back(fmt::format("{} {}", kind.kind, format_seconds(kind.time)));
  return parts.empty() ? "nothing: no message leaves its node" : join(parts, ", ");
}

/// What neighbours exchange, of a grid that divides a domain.
std::string volume_text(const Scenario& scenario) {
  return fmt::format(
      "the grid divides {} elements of {}; neighbours exchange the points of their common face",
      scenario.domain->text(), scenario.element.text());
}

/// Places the ranks of each scenario, which differ in their grids, by what takes little time.
/// @returns the quickest first; at a tie as they were given.
std::vector<TriedGrid> try_grids(const std::vector<Scenario>& scenarios, Observer& observer) {
  std::vector<TriedGrid> tried;
  double noise = 0;
  const auto work = observer.begin(fmt::format("trying {} grids", scenarios.size()));
  const auto request = observer.listen();
  for (const Scenario& scenario : scenarios) {
    Scenario quick = scenario;
    quick.mappers = mapper_of(MapperRole::default_choice).name + ":members=quick,refine=no";
    quick.time_limit.reset();
    Observer silent;
    RunPlan plan = plan_run(quick, silent);
    const PlacedReport placed = compare(plan, silent);
    tried.push_back({scenario, {row_times(placed.report).front()}});
    noise = plan.experiment.noise;
    work->update(static_cast<double>(tried.size()) / static_cast<double>(scenarios.size()));
    if (!request->is_set()) continue;
    observer.remark(fmt::format("interrupted: the best of the first {} of {} grids, quickly placed",
                                tried.size(), scenarios.size()));
    for (TriedGrid& grid : tried) grid.scenario.mappers = quick.mappers;
    break;
  }
  // Of those that tie with the quickest the first one has the least halo.
  const auto is_quicker = [](const TriedGrid& a, const TriedGrid& b) { return a.time < b.time; };
  const Seconds least = std::min_element(tried.begin(), tried.end(), is_quicker)->time;
  const auto others = std::stable_partition(tried.begin(), tried.end(), [&](const TriedGrid& grid) {
    return is_tie(grid.time.value, least.value, noise);
  });
  std::stable_sort(others, tried.end(), is_quicker);
  return tried;
}

/// Mappers of a report that compares with what launchers do: those, then the one of the scenario.
std::string with_launcher_orders(const std::string& mapper) {
  std::string mappers;
  for (const MapperInfo& info : all_mappers())
    if (info.ignores_traffic && !info.uses_seed && info.self_contained) mappers += info.name + ',';
  return mappers + mapper;
}

/// The answer to "which grid, which placement, what is gained, and what holds it back?", in lines
/// of the style's width.
/// @param grids that were tried, the chosen one first; one: no choice is reported.
/// @param file of the embedding; empty: none was written.
std::string first_answer(const RunPlan& plan, const PlacedReport& placed,
                         const std::vector<TriedGrid>& grids, const std::string& file,
                         const TextStyle& style) {
  const Report& report = placed.report;
  const Experiment& experiment = plan.experiment;
  std::string text;
  const auto add = [&](std::string_view key, std::string_view value) {
    text += key_line(key, 15, value, style.width);
  };
  if (grids.size() > 1) add("best grid", grid_text(grids, report.noise));
  if (plan.scenario.domain) add("volumes", volume_text(plan.scenario));
  add("best placement", placement_text(report));
  const Metrics metrics =
      metrics_of(experiment, placed.embeddings[report.verdict.best], plan.setup.budget.threads);
  add("held back by", kinds_text(busy_kinds(*experiment.network, metrics)));
  add("noise", noise_fact(report.noise));
  for (const std::string& assumption : report.assumptions) add("assumes", assumption);
  if (!file.empty()) add("file", file);
  for (const auto& [launcher, command] : report.launch)
    text += folded_command(fmt::format("{}: {}", launcher, command), style.width) + '\n';
  return text;
}

/// Replaces `cart:auto` by the best of the grids that it stands for, compared with the orders of
/// launchers. @returns the grids that were tried, the best first; none for another topology.
std::vector<TriedGrid> choose_grid(Scenario& scenario) {
  if (scenario.topology != auto_grid) return {};
  const BalancedGrids balanced = balanced_grids(scenario);
  say(balanced.assumed);
  std::vector<TriedGrid> grids = try_grids(balanced.scenarios, console());
  scenario = grids.front().scenario;
  scenario.mappers = with_launcher_orders(scenario.mappers);
  return grids;
}

int run_map(MapOptions options, const Invocation& invocation) {
  load_plugins(options.scenario.plugins, invocation);
  check_mapper(options);
  if (options.output.empty())  // no --report: words leave standard output to the file
    options.output =
        options.embedding_file == "-" || options.axis_order_file == "-" ? "/dev/stderr" : "-";
  const bool written = !options.embedding_file.empty();
  options.takes_stdout = options.embedding_file == "-" || options.axis_order_file == "-";
  if (!written && options.scenario.embedding_format)
    throw UsageError("--embedding-format is of the file that -o names: give -o, - for stdout");
  const EmbeddingFormat& format = embedding_format_of(
      written ? options.embedding_file : "report.csv", options.scenario.embedding_format);
  options.scenario.embedding_format.reset();  // of the file that is written, not of the one read
  check_files(options);
  const std::optional<ParallelProgram> program = program_of(options, format);
  const std::vector<TriedGrid> grids = choose_grid(options.scenario);
  WhatIf run(options);
  const Experiment& experiment = run.experiment();
  check_embedding_format(format, *experiment.network, experiment.allocation);
  return run.keep_or_move([&](PlacedReport placed) {
    const std::size_t best = placed.report.verdict.best;
    EmbeddingDocument written_one = document(placed.report.rows[best].mapper, experiment,
                                             placed.report, placed.embeddings[best]);
    written_one.program = program ? &*program : nullptr;
    const std::string text = write_embedding(format, written_one);
    if (written && format.launch && options.embedding_file != "-")
      placed.report.launch = format.launch(written_one, shell_word(options.embedding_file));
    std::string axis_order;
    if (!options.axis_order_file.empty())
      axis_order = write_embedding(find_embedding_format("megatron"), written_one);
    const auto answer = [&](const Report&, const TableStyle& style) {
      return first_answer(run.plan(), placed, grids, written ? options.embedding_file : "", style);
    };
    const int code = grids.empty() ? run.write(placed) : run.write(placed, answer);
    if (written) write_output(options.embedding_file, text);
    if (written) remark_names(options, experiment, text);
    if (!options.axis_order_file.empty()) write_output(options.axis_order_file, axis_order);
    return code;
  });
}

std::string embedding_format_help() {
  std::string text = "by name instead of by extension; one of";
  for (const EmbeddingFormat& format : embedding_formats())
    text += fmt::format("\n{} ({})", format.name, format.summary);
  return text;
}

}  // namespace

Verb map() {
  auto options = std::make_shared<MapOptions>();
  Verb verb{"map", "the best placement, what it gains, and its launcher file"};
  verb.listed = {VerbHeading::placing, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo map 16x16 torus:8x8x4\n"
      "  vtopo map 16x16 torus:16x16 -o ranks.csv\n"
      "  vtopo map 28x16 platforms/frontera.xml --nodes 8 --ranks-per-node 56 -o job.slurm\n"
      "  vtopo map examples/lammps-lj-64 platforms/bluegene-q-rack.xml --nodes 64 "
      "--mapper greedy -o job.bgq\n"
      "\n"
      "The report compares the placement with the order given, block or that of --embedding, which "
      "is written instead where no other is predicted to take less time by more than --min-gain. "
      "Nothing is written where the format cannot express it.";
  verb.several = "; vtopo compare takes several";
  add_plain_arguments(verb);
  verb.common = {"--nodes",   "--slots",      "--mapper",     "--bytes",     "--domain",
                 "--ranks",   "--pattern",    "--objective",  "--steps",     "--time-limit",
                 "--routing", "--host-names", "--background", "--embedding", "--min-gain",
                 "--columns", "--fail-link",  "--fail-host",  "--report",    "--output"};
  options->output.clear();
  options->scenario.mappers = mapper_of(MapperRole::default_choice).name;
  add_mapping_options(verb, *options, "NAME[:option=value] (see vtopo mappers)");
  verb.group(std::string(choice_group));
  verb.add("--embedding", &options->scenario.embedding,
           "file of the order given (default: block); its extension names the format");
  add_scenario_option(verb, options->scenario, "min-gain");
  add_scenario_option(verb, options->scenario, "imbalance");
  add_report_options(verb, *options);
  verb.add("-o,--output", &options->embedding_file,
           "file of the embedding, or - for stdout (and the report on stderr); the extension names "
           "the format (without it: the report alone)");
  verb.offer(
      verb.add("--embedding-format", &options->scenario.embedding_format, embedding_format_help()),
      embedding_format_names());
  verb.add("--axis-order", &options->axis_order_file,
           "of parallel: also write -o FILE.megatron, the order of axes such as tp-cp-dp-pp");
  verb.add("--report", &options->output,
           "file of the report (.txt, .csv, .json, .html, .svg), a folder with / at its end, or "
           "- for stdout (default)");
  verb.run = [options](const Invocation& invocation) { return run_map(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
