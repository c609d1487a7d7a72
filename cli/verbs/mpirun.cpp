#include <fmt/format.h>

#include <memory>
#include <set>

#include "cli/command/verb.hpp"
#include "cli/mpirun/mpirun_report.hpp"
#include "cli/mpirun/smpi_options.hpp"
#include "cli/mpirun/smpi_run.hpp"
#include "cli/output/output.hpp"
#include "sim/draw/page/page.hpp"
#include "sim/run/decide.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

struct MpirunOptions : SmpiOptions {
  bool compare = false;
  std::string rank_times;  ///< CSV file; empty: none
  std::optional<std::string> format;
  std::string output = "-";
  std::string timing = "on";
};

bool wants_page(const MpirunOptions& options) {
  return options.format == "html" || (!options.format && (options.output.ends_with(".html") ||
                                                          options.output.ends_with(".htm")));
}

/// Only the program's own output and exit code.
bool wants_no_report(const MpirunOptions& options) {
  return options.format == "none";
}

OutputFormat checked_format(const MpirunOptions& options) {
  const OutputFormat format = wants_page(options) || wants_no_report(options)
                                  ? OutputFormat::table
                                  : choose_output_format(options.format, options.output);
  if (format == OutputFormat::csv)
    throw UsageError("mpirun reports as table or json; csv has no place for several tables");
  check_output(options.output);
  check_side_file("--rank-times", options.rank_times, options.output);
  if (options.timing != "on" && options.timing != "off")
    throw UsageError(fmt::format("timing \"{}\"; accepted: on, off", options.timing));
  if (options.compare && options.no_reorder)
    throw UsageError("--compare runs with and without reordering: --no-reorder leaves one out");
  return format;
}

MpirunReport empty_report(const MpirunOptions& options, const SmpiJob& job) {
  MpirunReport report;
  report.scenario = described(options);
  report.program = options.program;
  report.network = job.machine.text;
  report.ranks = options.np;
  const auto& hosts = job.placement.embedding.hosts();
  report.hosts = static_cast<int>(std::set<HostId>(hosts.begin(), hosts.end()).size());
  report.timing = options.timing == "on";
  report.charges_computation = options.charge_computation;
  return report;
}

/// Runs the program once; whether its row is there.
bool add_run(const MpirunOptions& options, const SmpiJob& job, bool reorder, MpirunReport& report) {
  SmpiRun run = run_on_simulated_ranks(options, job, reorder, report.rows.empty());
  if (run.has_no_ranks && wants_no_report(options)) return false;
  if (options.compare && run.sentence)
    run.sentence =
        fmt::format("{}: {}", reorder ? "with reordering" : "as launched", *run.sentence);
  if (report.exit_code == 0) report.exit_code = run.exit_code;
  if (run.finished && !run.interrupted) {
    if (run.sentence) say(*run.sentence);
    report.rows.push_back(make_row(std::move(run), reorder, job));
    return true;
  }
  report.unfinished =
      UnfinishedRun{reorder, std::move(run.constructors), run.sentence.value_or("")};
  return false;
}

/// The page of the runs: the traffic of all messages, as launched first where there are two runs.
std::string mpirun_page(const MpirunReport& report, const SmpiJob& job) {
  Report page;
  page.scenario = report.scenario;
  page.guest = fmt::format("{}: {} ranks", join(report.program, " "), report.ranks);
  page.network = report.network;
  PictureSource pictures(report.rows.back().run.traffic.all, job.machine.network);
  for (auto run = report.rows.rbegin(); run != report.rows.rend(); ++run) {
    Row row;
    row.mapper = name_of(*run);
    row.ranks = report.ranks;
    row.hosts = report.hosts;
    row.routing = job.machine.network->routing();
    row.metrics = run->all.metrics;
    row.timing = false;
    row.simulation = SimulationResult{run->run.simulated, run->run.rank_seconds, Seconds{0}};
    row.solver = "simgrid";
    row.network_model = "SMPI";
    row.clock = "burst";
    pictures.add(run->run.traffic.all, job.placement.embedding, row.metrics);
    page.rows.push_back(std::move(row));
  }
  page.verdict = decide(page);
  std::string command = "vtopo mpirun";
  if (page.rows.size() > 1) command += " --compare";
  for (const auto& [option, value] : report.scenario)
    command += " --" + option + (value == "true" ? "" : ' ' + shell_quoted(value));
  for (const std::string& word : report.program) command += ' ' + shell_quoted(word);
  return render_page(page, pictures, command);
}

std::string rendered(const MpirunReport& report, OutputFormat format) {
  return format == OutputFormat::json ? render_mpirun_json(report)
                                      : render_mpirun_table(report, text_style());
}

int run_mpirun(const MpirunOptions& options) {
  const OutputFormat format = checked_format(options);
  const SmpiJob job = prepare(options);
  MpirunReport report = empty_report(options, job);
  if (add_run(options, job, !options.no_reorder, report) && options.compare)
    add_run(options, job, false, report);
  if (const auto& run = report.unfinished) {
    // What the constructors have done may be why it did not end well.
    if (!run->constructors.empty() && !wants_page(options) && !wants_no_report(options))
      write_output(options.output, rendered(report, format));
    say(run->sentence);
    return report.exit_code;
  }
  if (report.rows.empty() || wants_no_report(options)) return report.exit_code;
  if (!options.rank_times.empty())
    write_output(options.rank_times, rank_times_csv(report.rows.front().run));
  write_output(options.output,
               wants_page(options) ? mpirun_page(report, job) : rendered(report, format));
  return report.exit_code;
}

}  // namespace

Verb mpirun() {
  auto options = std::make_shared<MpirunOptions>();
  Verb verb{"mpirun", "runs an MPI program on simulated ranks: what reordering saves it"};
  verb.listed = {VerbHeading::programs, 1};
  verb.examples =
      "Examples:\n"
      "  smpicc -O2 halo.c -o halo\n"
      "  vtopo mpirun -np 64 --network torus:4x4x4 ./halo 4\n"
      "  vtopo mpirun -np 216 --network torus:6x6x6 --launcher-mapper random --compare ./halo 8\n"
      "  vtopo mpirun -np 64 --network 'fat-tree:2;4,4;1,2;1,2' --slots 4 -o run.json ./halo 4\n"
      "\n"
      "The program is compiled by smpicc, smpicxx or smpif90 and runs as it is; constructors with\n"
      "reorder = 1 get ranks from the mapper. Its output and its exit code are the command's; the\n"
      "report follows.";
  add_smpi_options(verb, *options);
  verb.common.insert(verb.common.end(), {"--rank-times", "--compare", "--format", "--output"});
  verb.group("Output");
  verb.add("--compare", &options->compare,
           "run again without reordering (its standard output is dropped) and report the gain");
  verb.add("--rank-times", &options->rank_times,
           "write rank,finish_seconds of MPI_COMM_WORLD to this CSV file");
  verb.add("--format", &options->format, "table, json, html or none (default: by extension)");
  verb.add("--timing", &options->timing,
           "on, or off: measured times are null and equal runs give equal bytes");
  verb.add("-o,--output", &options->output, "file (.txt, .json, .html), or - for stdout");
  verb.run = [options](const Invocation& invocation) {
    take_program("mpirun", invocation, *options);
    return run_mpirun(*options);
  };
  return verb;
}

}  // namespace vtopo::detail::verbs
