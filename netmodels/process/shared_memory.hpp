#pragma once

#include <sys/mman.h>

#include <memory>
#include <new>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A value in memory that processes forked from now on share with this one.
/// @throws SimulationError if the system has no memory left.
template <class T>
std::shared_ptr<T> make_shared_memory() {
  void* page = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw SimulationError("cannot share memory with a child process");
  return {new (page) T(), [](T* value) { munmap(value, sizeof(T)); }};
}

}  // namespace vtopo::detail
