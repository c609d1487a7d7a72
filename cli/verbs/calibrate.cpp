#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command/verb.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/research/validation/calibrate.hpp"
#include "sim/research/validation/ledger_report.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

struct CalibrateOptions {
  std::string folder, run;
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

int run_calibrate(const CalibrateOptions& options) {
  check_output(options.output);
  const MachineFiles files = machine_files(options.folder, options.selection).front();
  Console console;
  const auto work = console.begin("calibrating " + files.machine);
  MeasuredMachine machine(options.folder, files.platform);
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

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb calibrate() {
  auto options = std::make_shared<CalibrateOptions>();
  Verb verb{"calibrate", "fits five numbers of a machine to one measured run"};
  verb.listed = {VerbHeading::others, 5};
  verb.examples =
      "Prints properties for the platform file: injection bandwidth and latency of the interface,\n"
      "overhead per message, and how fast a rank reduces and copies. Without --run, the run with\n"
      "the fewest nodes is taken; all others stay predictions for vtopo validate.\n"
      "\n"
      "Examples:\n"
      "  vtopo calibrate examples/measured --machine hill --platforms examples/measured";
  verb.add("folder", &options->folder, "folder with runs.csv and allocations/")
      ->type_name("DIR")
      ->required();
  verb.add("--machine", &options->selection.machine, "of runs.csv")->required();
  verb.add("--run", &options->run, "run to fit to (default: the smallest)");
  verb.add("--platform", &options->selection.platform, "its platform file (default: by its name)");
  verb.add("--platforms", &options->selection.platforms,
           "folder of platform files (default: those that vtopo brings)");
  verb.add("-o,--output", &options->output, "file, or - for stdout");
  verb.run = [options](const Invocation&) { return run_calibrate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
