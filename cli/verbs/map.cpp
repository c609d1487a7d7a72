#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cli/command/first_answer.hpp"
#include "cli/command/scenario_verb.hpp"
#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/run/guest.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

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
  check_not_input(options.embedding_file, input_files(options));
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

/// Replaces `cart:auto` by the best of the grids that it stands for, compared with the orders of
/// launchers. @returns the grids that were tried, the best first; none for another topology.
std::vector<TriedGrid> choose_grid(Scenario& scenario) {
  if (scenario.topology != auto_grid) return {};
  const std::vector<Scenario> scenarios = with_balanced_grids(scenario);
  say(describe_grids(scenario, scenarios));
  std::vector<TriedGrid> grids = try_grids(scenarios, console());
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

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

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
