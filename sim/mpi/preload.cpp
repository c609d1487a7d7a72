// SMPI opens the program once per process with RTLD_DEEPBIND, by which the program finds SMPI's
// functions before those of a preloaded library. It keeps the flag, without which it would also
// find others' functions and variables before its own; its calls of MPI are led here afterwards.

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstring>

#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/machine.hpp"
#include "sim/mpi/program_calls.hpp"

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file,
                                                               int mode) noexcept {
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  void* const handle = next(file, mode);
  if ((mode & RTLD_DEEPBIND) != 0) vtopo::detail::overlay::lead_calls_here(handle);
  return handle;
}

namespace {

/// Of most platform files SimGrid computes the routes, in a child process. SimGrid has one engine
/// per process and its forked copies, so the child is made before the simulation has its own.
__attribute__((constructor)) void load_platform_early() {
  if (std::strcmp(program_invocation_short_name, "smpimain") != 0) return;
  if (vtopo::detail::overlay::environment("VTOPO_PLATFORM").empty()) return;
  try {
    vtopo::detail::overlay::machine();
  } catch (const vtopo::Error& error) {
    vtopo::detail::overlay::end_simulation(2, error.what());
  }
}

/// Who asks for the run's file gave the simulation to this process' parent alone.
__attribute__((constructor)) void end_with_parent() {
  if (!vtopo::detail::overlay::environment("VTOPO_RUN").empty()) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace
