#include "cli/command/verb.hpp"

namespace vtopo::detail::verbs {

Verb compile() {
  Verb verb{"compile", "compiles an MPI program for mpirun and record, in place of mpicc"};
  verb.listed = {VerbHeading::programs, 3};
  verb.examples =
      "Examples:\n"
      "  vtopo compile cc -O2 -o program program.c\n"
      "  make MPICC='vtopo compile cc'";
  return verb;
}

}  // namespace vtopo::detail::verbs
