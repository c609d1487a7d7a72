#pragma once

#include <string>
#include <vector>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// A compiler of SMPI and what it needs for programs that use topologies.
struct MpiCompiler {
  std::string verb;                ///< `cc`
  std::string language;            ///< `C`, for help
  std::string command;             ///< `smpicc`
  std::vector<std::string> flags;  ///< in front of the user's
  bool is_fortran = false;         ///< sources see module mpi_f08, others vtopo_mpi.h
};

/// The verb that compiles in place of `mpicc`: becomes the compiler, with its exit code.
Verb compiler_verb(const MpiCompiler& compiler);

}  // namespace vtopo::detail
