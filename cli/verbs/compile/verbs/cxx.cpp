#include "cli/mpirun/mpi_compiler.hpp"

namespace vtopo::detail::verbs {

/// Static variables of inline functions and templates would be those of all ranks together; malloc
/// and free would be macros; the language would be that of 2011.
Verb compile_cxx() {
  return compiler_verb({.verb = "cxx",
                        .language = "C++",
                        .command = "smpicxx",
                        .flags = {"-fno-gnu-unique", "-DSMPI_NO_OVERRIDE_MALLOC",
                                  "-DVTOPO_NAMES_ADDRESSES", "-std=gnu++17"}});
}

}  // namespace vtopo::detail::verbs
