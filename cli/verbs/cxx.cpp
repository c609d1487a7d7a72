#include "cli/smpi/mpi_compiler.hpp"

namespace vtopo::detail::verbs {

/// Static variables of inline functions and templates would be those of all ranks together.
Verb cxx() {
  return compiler_verb({.verb = "cxx",
                        .language = "C++",
                        .command = "smpicxx",
                        .flags = {"-fno-gnu-unique"},
                        .number = 4});
}

}  // namespace vtopo::detail::verbs
