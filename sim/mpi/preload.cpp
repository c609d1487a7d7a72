// SMPI opens the program once per process with RTLD_DEEPBIND, by which the program would find
// SMPI's functions before those of a preloaded library: the flag is cleared.

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstring>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/machine.hpp"
#include "sim/mpi/decision/settings.hpp"

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file,
                                                               int mode) noexcept {
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  return next(file, mode & ~RTLD_DEEPBIND);
}

namespace {

/// Of most platform files SimGrid computes the routes, in a child process. SimGrid has one engine
/// per process and its forked copies, so the child is made before the simulation has its own.
__attribute__((constructor)) void load_platform_early() {
  if (std::strcmp(program_invocation_short_name, "smpimain") != 0) return;
  if (vtopo::overlay::environment("VTOPO_PLATFORM").empty()) return;
  try {
    vtopo::overlay::machine();
  } catch (const vtopo::Error& error) {
    vtopo::overlay::end_simulation(2, error.what());
  }
}

/// Who asks for the run's file gave the simulation to this process' parent alone.
__attribute__((constructor)) void end_with_parent() {
  if (!vtopo::overlay::environment("VTOPO_RUN").empty()) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace
