#include "cli/command/verb.hpp"

namespace vtopo::detail::verbs {

Verb platform() {
  Verb verb{"platform", "one machine: describe, draw, route, links, generate, lint"};
  verb.listed = {VerbHeading::by_themselves, 3};
  verb.examples =
      "Examples:\n"
      "  vtopo platform describe torus:8x8x8\n"
      "  vtopo platform route torus:4x4x4 0 63\n"
      "  vtopo platform links platforms/two-rooms.xml\n"
      "  vtopo platform draw torus:8x8 -o torus.svg\n"
      "  vtopo platform generate --network mesh:8x8 -o mesh.xml\n"
      "  vtopo platform lint platforms/theta.xml";
  return verb;
}

}  // namespace vtopo::detail::verbs
