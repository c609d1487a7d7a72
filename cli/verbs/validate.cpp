#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/mpirun/smpi_installation.hpp"
#include "cli/mpirun/smpi_ledger.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "sim/research/validation/ledger_report.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

struct ValidateOptions {
  std::string folder;
  MachineSelection selection;
  int smpi = 0;  ///< points per machine
  std::string output = "-";
};

constexpr int max_smpi_points = 100000;

using LedgerWriter = std::string (*)(const Ledgers&);

/// By the extension of the file.
LedgerWriter ledger_writer(const std::string& output) {
  if (output == "-" || output.ends_with(".txt")) return ledger_text;
  if (output.ends_with(".csv")) return ledger_csv;
  if (output.ends_with(".json")) return ledger_json;
  if (output.ends_with(".md")) return ledger_markdown;
  if (output.ends_with(".html")) return ledger_page;
  throw UsageError(fmt::format(
      "-o {}: accepted extensions are .txt, .csv, .json, .md and .html, or - for stdout", output));
}

int run_validate(const ValidateOptions& options) {
  const LedgerWriter write = ledger_writer(options.output);
  check_output(options.output);
  if (options.smpi > 0) find_smpirun();
  Console console;
  const std::vector<MachineFiles> machines = machine_files(options.folder, options.selection);
  for (const MachineFiles& files : machines) {
    const auto work = console.begin("reading " + files.machine);
    const MeasuredMachine machine(options.folder, files.platform);
    machine.check(files.points);
    std::vector<MeasuredPoint> of_pairs;
    for (const MeasuredPair& pair : files.pairs) of_pairs.push_back(pair.a);
    machine.check(of_pairs);
  }
  Ledgers ledgers;
  for (const MachineFiles& files : machines) {
    const auto work = console.begin("predicting " + files.machine);
    MeasuredMachine machine(options.folder, files.platform);
    ledgers.push_back(make_ledger(machine, files, work->callback()));
    if (options.smpi == 0) continue;
    work->rename("SMPI on " + files.machine);
    add_smpi_times(machine, options.smpi, work->callback(), ledgers.back());
  }
  write_output(options.output, write(ledgers));
  return 0;
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb validate() {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb{"validate", "holds the clock against measured times of collective operations"};
  verb.listed = {VerbHeading::others, 4};
  verb.examples =
      "DIR holds runs.csv, with a line machine,run,nodes,collective,algorithm,library,bytes,\n"
      "...,median_s per measured point, and allocations/MACHINE-RUN.csv with rank,host. Each\n"
      "machine is described by its platform file: network, rule of its routes, and five numbers\n"
      "that vtopo calibrate has found.\n"
      "\n"
      "Examples:\n"
      "  vtopo validate examples/measured --platforms examples/measured\n"
      "  vtopo validate examples/measured --machine hill --platforms examples/measured -o "
      "ledger.json\n"
      "  vtopo validate examples/measured --smpi 5 --platforms examples/measured -o "
      "ledger.html";
  verb.add("folder", &options->folder, "folder with runs.csv and allocations/")
      ->type_name("DIR")
      ->required();
  verb.add("--machine", &options->selection.machine, "only this machine of runs.csv");
  verb.add("--platform", &options->selection.platform, "its platform file (default: by its name)");
  verb.add("--platforms", &options->selection.platforms,
           "folder of platform files (default: those that vtopo brings)");
  verb.add(
          "--smpi", &options->smpi,
          "of each machine, have SimGrid's SMPI simulate so many points of up to 32 nodes with the "
          "same algorithms, for comparison")
      ->check(whole_number(max_smpi_points));
  verb.add("-o,--output", &options->output,
           "file (.txt, .csv, .json, .md, .html), or - for stdout");
  verb.run = [options](const Invocation&) { return run_validate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
