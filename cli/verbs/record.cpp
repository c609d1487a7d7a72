#include <fmt/format.h>

#include <memory>

#include "cli/output/output.hpp"
#include "cli/smpi/smpi_options.hpp"
#include "cli/smpi/smpi_run.hpp"
#include "cli/verbs/verbs.hpp"

namespace vtopo {

namespace {

struct RecordOptions : SmpiOptions {
  std::string output;
};

int run_record(const RecordOptions& options) {
  check_output(options.output);
  const SmpiJob job = prepare(options);
  const SmpiRun run = run_on_simulated_ranks(options, job, !options.no_reorder, true);
  if (run.sentence) say(*run.sentence);
  if (run.finished && !run.interrupted) write_output(options.output, run.finished->recording);
  return run.exit_code;
}

}  // namespace

void add_record(CLI::App& command, Run& run) {
  auto options = std::make_shared<RecordOptions>();
  CLI::App* verb = command.add_subcommand(
      "record", "runs an MPI program on simulated ranks and writes who sent how much to whom");
  verb->footer(
      "Examples:\n"
      "  vtopo record -np 64 --network torus:4x4x4 --no-reorder -o halo.csv ./halo 4\n"
      "  vtopo compare --traffic halo.csv --network torus:4x4x4 --mapper block,greedy,exchange\n"
      "  vtopo map --traffic halo.csv --network torus:4x4x4 -o ranks.csv\n"
      "  vtopo mpirun -np 64 --network torus:4x4x4 --no-reorder --embedding ranks.csv ./halo 4\n"
      "\n"
      "On a real cluster, libvtopo_record.so writes such files (sim/record/README.md).");
  add_smpi_options(*verb, *options);
  verb->option_defaults()->group("Output");
  verb->add_option("-o,--output", options->output,
                   "file of the recording, or - for stdout; --traffic reads it")
      ->required();
  verb->callback([options, verb, &run] {
    take_program(*verb, *options);
    run = [options] { return run_record(*options); };
  });
}

}  // namespace vtopo
