#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <span>
#include <string>

namespace vtopo {

/// When a running program is killed.
struct Patience {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  const std::atomic<bool>* stop = nullptr;  ///< killed once it is true; may be null
};

/// Runs a program without a shell and waits for its end. It has nothing to read, a process group of
/// its own that is killed with it, and dies with this process.
/// @param words the file to execute, as a path, and its arguments.
/// @param log file for what it writes to standard output and standard error.
/// @return how it failed, to follow the name of the program ("ended with exit code 3"), or nothing
/// if it ended with exit code 0.
/// @throws InputError if it cannot be started.
std::optional<std::string> run_program(std::span<const std::string> words, const std::string& log,
                                       const Patience& patience);

}  // namespace vtopo
