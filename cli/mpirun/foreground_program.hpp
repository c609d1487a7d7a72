#pragma once

#include "netmodels/process/subprocess.hpp"

namespace vtopo::detail {

/// How a program of the user ended.
struct ForegroundEnd {
  ProcessEnd process;
  int interrupted = 0;     ///< signal that this command received meanwhile; 0: none
  bool limit_hit = false;  ///< it was killed after its limit of time
};

/// Runs a program in a process group of its own and waits for its end. SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to the group; two seconds after one that ends
/// programs, and after the end of the program, the group is killed. It reads this command's
/// standard input, unless that is a terminal, writes to its outputs and dies with this process.
/// @param program its output may be given: -1 drops it.
/// @throws InputError if it cannot be started.
ForegroundEnd run_in_foreground(Executable program);

}  // namespace vtopo::detail
