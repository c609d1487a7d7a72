#include <memory>

#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

int run_evaluate(const WhatIfOptions& options) {
  load_plugins(options.scenario.plugins);
  if (!options.scenario.embedding.empty()) return run_what_if(options);
  const auto mappers = parse_mappers(options.scenario.mappers);
  if (mappers.size() != 1)
    throw UsageError(
        fmt::format("evaluate takes one mapper, \"{}\" names {}; compare takes several",
                    options.scenario.mappers, mappers.size()));
  return run_what_if(options);
}

}  // namespace

}  // namespace vtopo::detail

namespace vtopo::detail::verbs {

Verb evaluate() {
  auto options = std::make_shared<WhatIfOptions>();
  options->scenario.mappers = mapper_of(MapperRole::baseline).name;
  options->default_top_links = 5;
  Verb verb{"evaluate", "hop counts, contention and simulated time of one embedding, in detail"};
  verb.listed = {VerbHeading::placing, 1};
  verb.examples =
      "Examples:\n"
      "  vtopo evaluate --topology cart:8x8x8 --network torus:8x8x8 --mapper greedy\n"
      "  vtopo evaluate --traffic examples/halo-4x4.csv --network torus:16x16 --top-links 20\n"
      "  vtopo evaluate --topology cart:4x4 --network torus:4x4 "
      "--embedding examples/halo-4x4-ranks.csv\n"
      "  vtopo evaluate --topology cart:32x32 --network mesh:32x32 "
      "--fail-if 'max_congestion>2ms'";
  add_what_if_options(verb, *options, "NAME[:option=value] (see vtopo mappers)");
  add_embedding_options(verb, options->scenario);
  verb.run = [options](const Invocation&) { return run_evaluate(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
