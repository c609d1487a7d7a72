#include <array>
#include <memory>

#include "cli/output/output.hpp"
#include "cli/verbs/topology/topology_inquiry.hpp"
#include "cli/verbs/verbs.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi_error.hpp"

namespace vtopo {

namespace {

struct TopologyOptions {
  TopologyQuestions questions;
  std::string format = "text";
};

constexpr const char* examples =
    "Examples:\n"
    "  vtopo topology cart:4px4p --coords 5 --shift 0,1 --neighbors 5 --sub 1,0\n"
    "  vtopo topology cart:4x4p --rank 1,-1              # periodic coordinates wrap\n"
    "  vtopo topology cart:1000x1000x1000 --shift 2,-1 --of 123456789\n"
    "  vtopo topology graph:examples/ring.graph --neighbors 0\n"
    "  vtopo topology dist:examples/pipeline.dist --neighbors 2 --format json";

int run_topology(const TopologyOptions& options) {
  const std::array<std::string, 2> formats{"text", "json"};
  if (options.format != formats[0] && options.format != formats[1])
    throw UsageError(fmt::format("unknown output format \"{}\"; accepted: text, json{}",
                                 options.format, suggestion(options.format, formats)));
  try {
    const TopologyAnswers answers = answer(options.questions);
    write_output("-", options.format == "json" ? render_json(answers) : render_text(answers));
  } catch (const MpiError& error) {
    throw UsageError(fmt::format("{} ({})", error.what(), name(error.error_class())));
  }
  return 0;
}

void add_options(CLI::App& verb, TopologyOptions& options) {
  TopologyQuestions& questions = options.questions;
  verb.add_option("SPEC", questions.specification,
                  "virtual topology: cart:8x8x8, cart:8px8p (p: periodic), hypercube:12, "
                  "stencil:8x8:moore, graph:FILE, dist:FILE, rgg:RANKS:DEGREE:SEED, "
                  "shuffle:SEED:SPEC")
      ->required();
  verb.option_defaults()->group("Questions, each as often as you like");
  constexpr bool accepts_empty = false;  // of a grid without dimensions; main.cpp asks for the mark
  const auto add = [&](const char* option, std::vector<std::string>& list, const char* argument,
                       const char* help) {
    return verb.add_option(option, list, help)
        ->allow_extra_args(false)
        ->type_name(argument)
        ->default_str("");
  };
  add("--coords", questions.coords, "R", "cart_coords: coordinates of rank R");
  add("--rank", questions.rank, "C", "cart_rank: rank at coordinates C, such as 1,0")
      ->configurable(accepts_empty);
  add("--shift", questions.shift, "DIM,DISP",
      "cart_shift: source and destination of every rank when all shift by DISP along DIM");
  add("--neighbors", questions.neighbors, "R",
      "neighbours of rank R in the order of neighbourhood collectives; of a grid: per dimension "
      "negative, then positive direction");
  add("--sub", questions.sub, "1,0",
      "cart_sub: subgrids that keep the dimensions with 1 and drop those with 0")
      ->configurable(accepts_empty);
  add("--of", questions.of, "R", "rank R alone, or R,R,..., in the answers to --shift and --sub");
  verb.option_defaults()->group("Options");
  verb.add_option("--format", options.format, "text or json");
}

}  // namespace

void add_topology(CLI::App& command, Run& run) {
  auto options = std::make_shared<TopologyOptions>();
  CLI::App* verb = command.add_subcommand(
      "topology", "what the inquiry functions of MPI return for a virtual topology");
  verb->footer(examples);
  add_options(*verb, *options);
  verb->callback([options, &run] { run = [options] { return run_topology(*options); }; });
}

}  // namespace vtopo
