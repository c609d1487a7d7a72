
#include <memory>

#include "cli/command/verb.hpp"
#include "cli/mpirun/smpi_options.hpp"
#include "cli/mpirun/smpi_run.hpp"
#include "cli/output/output.hpp"

namespace vtopo::detail::verbs {

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

Verb record() {
  auto options = std::make_shared<RecordOptions>();
  Verb verb{"record", "runs an MPI program on simulated ranks, writes who sent how much"};
  verb.listed = {VerbHeading::programs, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo record -np 64 --network torus:4x4x4 --no-reorder -o halo.csv ./halo 4\n"
      "  vtopo compare halo.csv torus:4x4x4 --mapper block,greedy,exchange\n"
      "  vtopo map halo.csv torus:4x4x4 -o ranks.csv\n"
      "  vtopo mpirun -np 64 --network torus:4x4x4 --no-reorder --embedding ranks.csv ./halo 4\n"
      "\n"
      "On a real cluster, libvtopo_record.so writes such files (sim/record/README.md).";
  add_smpi_options(verb, *options);
  verb.common.emplace_back("--output");
  verb.group("Output");
  verb.add("-o,--output", &options->output,
           "file of the recording, or - for stdout; --traffic reads it")
      ->required();
  verb.run = [options](const Invocation& invocation) {
    take_program("record", invocation, *options);
    return run_record(*options);
  };
  return verb;
}

}  // namespace vtopo::detail::verbs
