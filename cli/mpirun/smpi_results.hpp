#pragma once

#include <string>

#include "cli/mpirun/foreground_program.hpp"
#include "cli/mpirun/smpi_run.hpp"

namespace vtopo::detail {

/// Where the overlay wrote what it saw; a file may be missing.
struct SmpiFiles {
  std::string run, constructors, recording;
};

/// What came of a run.
/// @param status of the simulation: its exit code, or 128 + signal.
/// @throws InputError if the files are not as the overlay writes them.
SmpiRun read_run(const SmpiFiles& files, const ForegroundEnd& end,
                 const std::optional<int>& status);

}  // namespace vtopo::detail
