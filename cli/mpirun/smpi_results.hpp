#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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

/// `rank 3`, `ranks 0, 1, 2 and 5 more`.
std::string ranks_in_words(const std::vector<int>& ranks);

/// The sentence of a deadlock that the overlay reports (`vtopo/ending/v1`, sim/mpi/README.md): who
/// waits for whom in which call, and a ring of them if there is one; in full for at most
/// eight.
std::string deadlock_in_words(const nlohmann::json& ending);

}  // namespace vtopo::detail
