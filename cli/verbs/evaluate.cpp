#include <memory>

#include "cli/command/verb.hpp"
#include "cli/command/what_if.hpp"
#include "cli/command/words.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::verbs {

namespace {

int run_evaluate(const WhatIfOptions& options, const Invocation& invocation) {
  load_plugins(options.scenario.plugins, invocation);
  if (!options.scenario.embedding.empty()) return run_what_if(options);
  const auto mappers = parse_mappers(options.scenario.mappers);
  if (mappers.size() != 1)
    throw UsageError(
        fmt::format("evaluate takes one mapper, \"{}\" names {}; compare takes several",
                    options.scenario.mappers, mappers.size()));
  return run_what_if(options);
}

}  // namespace

Verb evaluate() {
  auto options = std::make_shared<WhatIfOptions>();
  options->scenario.mappers = mapper_of(MapperRole::baseline).name;
  options->default_top_links = 5;
  Verb verb{"evaluate", "compare with one row: that of --mapper (block) or of --embedding"};
  verb.listed = {VerbHeading::others, 1};
  verb.examples =
      "Examples:\n"
      "  vtopo evaluate 8x8x8 torus:8x8x8 --mapper greedy\n"
      "  vtopo evaluate examples/halo-4x4.csv torus:16x16 --top-links 20\n"
      "  vtopo evaluate 4x4 torus:4x4 --embedding examples/halo-4x4-ranks.csv\n"
      "  vtopo evaluate 32x32 mesh:32x32 --fail-if 'max_congestion>2ms'";
  verb.several = "; vtopo compare takes several";
  add_plain_arguments(verb);
  verb.common = {"--nodes",   "--slots",     "--mapper",    "--bytes",           "--domain",
                 "--ranks",   "--pattern",   "--routing",   "--fail-link",       "--background",
                 "--columns", "--top-links", "--embedding", "--scale-bandwidth", "--sensitivity",
                 "--format",  "--output",    "--fail-if",   "--rank-times",      "--scenario"};
  add_what_if_options(verb, *options, "NAME[:option=value] (see vtopo mappers)");
  add_embedding_options(verb, options->scenario);
  verb.run = [options](const Invocation& invocation) { return run_evaluate(*options, invocation); };
  return verb;
}

}  // namespace vtopo::detail::verbs
