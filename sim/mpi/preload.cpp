// SMPI opens the program once per process with RTLD_DEEPBIND, by which the program would find
// SMPI's functions before those of a preloaded library: the flag is cleared.

#include <dlfcn.h>

extern "C" __attribute__((visibility("default"))) void* dlopen(const char* file,
                                                               int mode) noexcept {
  using Open = void* (*)(const char*, int);
  static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "dlopen"));
  return next(file, mode & ~RTLD_DEEPBIND);
}
