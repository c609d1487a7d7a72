#include "cli/mpirun/mpi_compiler.hpp"

namespace vtopo::detail::verbs {

/// Buffers of any type may be given to the functions of MPI, which mpif.h does not declare.
Verb compile_fc() {
  return compiler_verb({.verb = "fc",
                        .language = "Fortran",
                        .command = "smpif90",
                        .flags = {"-fallow-argument-mismatch"},
                        .is_fortran = true});
}

}  // namespace vtopo::detail::verbs
