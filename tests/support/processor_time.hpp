#pragma once

#include <sys/resource.h>

namespace vtopo::tests {

/// Processor time of this process and of the children that have ended, in seconds.
inline double processor_seconds() {
  const auto seconds_of = [](int who) {
    rusage usage{};
    getrusage(who, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

}  // namespace vtopo::tests
