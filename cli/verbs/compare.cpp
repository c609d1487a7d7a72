#include <memory>

#include "cli/command/verb.hpp"
#include "sim/study/what_if_study.hpp"
#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail::verbs {

Verb compare() {
  auto options = std::make_shared<StudiedOptions>();
  options->scenario.mappers =
      "block,round_robin,random,greedy,exchange," + mapper_of(MapperRole::default_choice).name;
  Verb verb{"compare",
            "hop counts, contention and simulated time of several embeddings, and a verdict"};
  verb.listed = {VerbHeading::placing, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo compare --topology cart:8x8x8 --network torus:8x8x8\n"
      "  vtopo compare --traffic examples/lammps-lj-64 --platform platforms/theta.xml "
      "--hosts random:64\n"
      "  vtopo compare --topology cart:16px16p --network 'fat-tree:2;16,4;1,8;1,1' --slots 4 "
      "-o result.json\n"
      "  vtopo compare --topology cart:8x8 --network torus:4x4x4 --mapper block,fold -o "
      "pictures.html\n"
      "  vtopo compare --topology cart:8px8p --network torus:8x8 --mapper block,fold "
      "--pattern phased,allreduce:algorithm=ring,sub=1-0\n"
      "  vtopo compare --trace examples/ring.goal --network torus:4x4\n"
      "  vtopo compare --domain 512x512x512 --topology cart:8x8x8 --topology cart:16x8x4 --network "
      "torus:8x8x8\n"
      "  vtopo compare --topology cart:8x8 --network torus:8x8 --with "
      "fail-link=random:3:seed=1..20 "
      "--mapper block,greedy\n"
      "\n"
      "Options of the application, the interconnect and the allocation may be given several "
      "times:\n"
      "every combination is a scenario, and the table has a column for what differs.";
  add_what_if_options(verb, *options,
                      "comma list of NAME[:option=value], or all (see vtopo mappers)");
  add_study_options(verb, *options);
  verb.instead = {{"--embedding", "--mapper file:path=FILE"}};
  verb.run = [options](const Invocation&) { return run_studied(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
