#include "tests/fuzz/counted_memory.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace vtopo::fuzz {

namespace {

std::atomic<std::ptrdiff_t> held{0}, at_start{0}, most{0};

void* counted(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  const auto now = held += static_cast<std::ptrdiff_t>(malloc_usable_size(block));
  for (auto seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) continue;
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) held -= static_cast<std::ptrdiff_t>(malloc_usable_size(block));
  std::free(block);
}

}  // namespace

void start_counting() {
  at_start = held.load();
  most = held.load();
}

std::size_t peak_bytes() {
  return static_cast<std::size_t>(most - at_start);
}

}  // namespace vtopo::fuzz

void* operator new(std::size_t size) {
  return vtopo::fuzz::counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return vtopo::fuzz::counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
/// Temporary buffers of std::stable_sort; sanitizers have one of their own, which is not freed
/// here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* block) noexcept {
  vtopo::fuzz::release(block);
}
void operator delete(void* block, std::size_t) noexcept {
  vtopo::fuzz::release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  vtopo::fuzz::release(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  vtopo::fuzz::release(block);
}
