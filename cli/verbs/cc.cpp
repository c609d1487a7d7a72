#include "cli/smpi/mpi_compiler.hpp"

namespace vtopo::detail::verbs {

Verb cc() {
  return compiler_verb(
      {.verb = "cc", .language = "C", .command = "smpicc", .flags = {}, .number = 3});
}

}  // namespace vtopo::detail::verbs
