#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/research/validation/benchmark_tables.hpp"
#include "sim/research/validation/calibrate.hpp"
#include "sim/research/validation/ledger_report.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

struct CalibrateOptions {
  std::vector<std::string> inputs;  ///< a folder, or files
  std::string run, network = "fat-tree:1;2;1;1";
  MachineSelection selection;
  std::string output = "-";
};

/// Errors of the points of the run, by collective and algorithm.
std::string residuals(MeasuredMachine& machine, const MachineFiles& files, const std::string& run) {
  MachineFiles of_run{files.machine, files.platform, {}, {}};
  for (const MeasuredPoint& point : files.points)
    if (point.run == run) of_run.points.push_back(point);
  const Ledgers ledgers{make_ledger(machine, of_run, {})};
  std::string text;
  for (const auto& row : worst_table(ledgers, of_run.points.size()).rows)
    text += fmt::format("  {:<15} {:<22} {:>3} points, median error {}, bias {}\n", row[1], row[2],
                        row[4], row[5], row[6]);
  return text;
}

/// From printed tables to a machine file; what they say is printed.
int calibrate_tables(const CalibrateOptions& options) {
  if (!options.run.empty() || !options.selection.platform.empty() ||
      !options.selection.platforms.empty())
    throw UsageError(
        "--run, --platform and --platforms go with a folder of measured runs, not with "
        "tables of benchmarks");
  if (options.output != "-" && !options.output.ends_with(".xml"))
    throw UsageError(fmt::format("-o {}: expected a machine file, .xml, or - for the numbers alone",
                                 options.output));
  make_network(options.network, {});
  std::vector<BenchmarkTable> tables;
  for (const std::string& input : options.inputs)
    for (BenchmarkTable& table : read_benchmark_tables(input)) tables.push_back(std::move(table));
  const BenchmarkFit fit = fit_benchmarks(tables);
  write_output("-", fit_text(fit, tables) +
                        (options.output == "-" ? "\n" + property_lines(fit.parameters) : ""));
  const std::string& name = options.selection.machine;
  if (options.output != "-")
    write_output(options.output,
                 machine_file_text(fit, name.empty() ? "my-machine" : name, options.network));
  return 0;
}

int run_calibrate(const CalibrateOptions& options) {
  check_output(options.output);
  const std::string& folder = options.inputs.front();
  if (!std::filesystem::is_directory(folder)) return calibrate_tables(options);
  if (options.inputs.size() > 1)
    throw UsageError(fmt::format("{}: a folder of measured runs goes alone", folder));
  if (options.selection.machine.empty())
    throw UsageError(fmt::format("--machine is missing: which machine of {} to fit", folder));
  const MachineFiles files = machine_files(folder, options.selection).front();
  Console console;
  const auto work = console.begin("calibrating " + files.machine);
  MeasuredMachine machine(folder, files.platform);
  Calibration fit = calibrate(machine, files.points, options.run);
  work->rename("predicting all of " + files.machine);
  fit.parameters.noise = noise_of(make_ledger(machine, files, work->callback()));
  std::string text = fmt::format(
      "{}: fitted to the run {} from what {} says; mean of |ln(predicted / measured)| {:.3f}\n\n{}"
      "\n",
      files.machine, fit.run, files.platform, fit.error, property_lines(fit.parameters));
  std::vector<std::string> kept = fit.undetermined;
  for (std::string& name : kept) name.erase(name.rfind('_'));  // the unit: the lines above have it
  if (!kept.empty())
    text += fmt::format("not determined by this run, and as before: {}\n\n", join(kept, ", "));
  write_output(options.output, text + "residuals:\n" + residuals(machine, files, fit.run));
  return 0;
}

}  // namespace

Verb calibrate() {
  auto options = std::make_shared<CalibrateOptions>();
  Verb verb{"calibrate", "fits the numbers of a machine to measured runs or tables"};
  verb.listed = {VerbHeading::others, 5};
  verb.examples =
      "Prints properties for the platform file: injection bandwidth and latency of the interface,\n"
      "overhead per message, and how fast a rank reduces and copies. Without --run, the run with\n"
      "the fewest nodes is taken; all others stay predictions for vtopo validate.\n"
      "Files are printed tables of osu_latency, osu_bw, osu_mbw_mr, IMB (PingPong, Uniband,\n"
      "Reduce_local) or netgauge's LogGP, of two nodes: -o writes a machine file with their "
      "numbers\n"
      "and errors, and what no table determines is said.\n"
      "\n"
      "Examples:\n"
      "  vtopo calibrate examples/measured --machine hill --platforms examples/measured\n"
      "  vtopo calibrate examples/tables/*.txt --network torus:8x8 -o my.xml";
  verb.add("input", &options->inputs, "folder with runs.csv and allocations/, or tables")
      ->type_name("DIR|FILE")
      ->required();
  verb.add("--machine", &options->selection.machine, "of runs.csv, or what to call it");
  verb.add("--network", &options->network, "of the machine file that tables become");
  verb.add("--run", &options->run, "run to fit to (default: the smallest)");
  verb.add("--platform", &options->selection.platform, "its platform file (default: by its name)");
  verb.add("--platforms", &options->selection.platforms,
           "folder of platform files (default: those that vtopo brings)");
  verb.add("-o,--output", &options->output, "file, or - for stdout");
  verb.run = [options](const Invocation&) { return run_calibrate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
