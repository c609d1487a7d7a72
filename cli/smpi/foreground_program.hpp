#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// A program that runs for the user: its output is the command's own.
struct ForegroundProgram {
  std::vector<std::string> words;  ///< the file to execute, as a path, and its arguments
  std::vector<std::pair<std::string, std::optional<std::string>>>
      environment;                     ///< set; unset where there is no value
  bool drops_output = false;           ///< standard output goes nowhere
  std::optional<Seconds> limit;        ///< of its time on the wall
  std::optional<Bytes> address_space;  ///< of each of its processes
};

/// How it ended.
struct ForegroundEnd {
  int status = 0;          ///< exit code, or 128 + signal
  int interrupted = 0;     ///< signal that this command received meanwhile; 0: none
  bool limit_hit = false;  ///< it was killed after `limit`
  Seconds wall;            ///< measured
};

/// Runs a program in a process group of its own and waits for its end. SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to the group; two seconds after one that ends
/// programs, and after the end of the program, the group is killed. It reads this command's
/// standard input, unless that is a terminal, and dies with this process.
/// @throws InputError if it cannot be started.
ForegroundEnd run_in_foreground(const ForegroundProgram& program);

}  // namespace vtopo
