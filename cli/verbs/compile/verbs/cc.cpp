#include "cli/mpirun/mpi_compiler.hpp"

namespace vtopo::detail::verbs {

/// SMPI's header makes macros of malloc and free, which members of structures may be called.
Verb compile_cc() {
  return compiler_verb(
      {.verb = "cc", .language = "C", .command = "smpicc", .flags = {"-DSMPI_NO_OVERRIDE_MALLOC"}});
}

}  // namespace vtopo::detail::verbs
