#include <array>
#include <memory>

#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/topology/topology_inquiry.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail {

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

void add_options(Verb& verb, TopologyOptions& options) {
  TopologyQuestions& questions = options.questions;
  verb.add("SPEC", &questions.specification,
           "virtual topology: cart:8x8x8, cart:8px8p (p: periodic), hypercube:12, "
           "stencil:8x8:moore, graph:FILE, dist:FILE, rgg:RANKS:DEGREE:SEED, "
           "shuffle:SEED:SPEC")
      .required();
  verb.group("Questions, each as often as you like");
  const auto add = [&](const char* option, std::vector<std::string>& list, const char* argument,
                       const char* help) -> Option& {
    return verb.add(option, &list, help).called(argument);
  };
  add("--coords", questions.coords, "R", "cart_coords: coordinates of rank R");
  add("--rank", questions.rank, "C", "cart_rank: rank at coordinates C, such as 1,0")
      .or_empty();  // of a grid without dimensions
  add("--shift", questions.shift, "DIM,DISP",
      "cart_shift: source and destination of every rank when all shift by DISP along DIM");
  add("--neighbors", questions.neighbors, "R",
      "neighbours of rank R in the order of neighbourhood collectives; of a grid: per dimension "
      "negative, then positive direction");
  add("--sub", questions.sub, "1,0",
      "cart_sub: subgrids that keep the dimensions with 1 and drop those with 0")
      .or_empty();
  add("--of", questions.of, "R", "rank R alone, or R,R,..., in the answers to --shift and --sub");
  verb.group("Options");
  verb.add("--format", &options.format, "text or json");
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb topology() {
  auto options = std::make_shared<TopologyOptions>();
  Verb verb{"topology", "what the inquiry functions of MPI return for a virtual topology"};
  verb.listed = {VerbHeading::by_themselves, 1};
  verb.examples = examples;
  add_options(verb, *options);
  verb.run = [options](const Invocation&) { return run_topology(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
