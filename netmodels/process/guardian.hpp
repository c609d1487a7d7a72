#pragma once

#include <sys/resource.h>

#include <functional>

namespace vtopo::detail {

/// What the guardian of a program reports at its end.
struct GuardedEnd {
  int status = 0;  ///< of the program, as waitpid(2) gives it
  rusage used{};   ///< by it and by its children that it waited for
};

/// The life of a guardian: the process between this command and a program, which ends the program
/// and all that descends from it, in other sessions too, once one of both has gone. Nothing that
/// it calls takes a lock: fit for the child of a program with threads.
/// @param channel socket to the command: it sends numbers of signals for the group of the program,
/// and receives a GuardedEnd when nothing of the program is left.
/// @param nowhere descriptor of /dev/null
/// @param failure where the number of the error is written if there is no process for the program
/// @param become turns the process that calls it into the program.
[[noreturn]] void guard(int channel, int nowhere, int failure, const std::function<void()>& become);

}  // namespace vtopo::detail
