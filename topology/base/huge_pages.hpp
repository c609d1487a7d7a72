#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace vtopo {

/// Memory that is read and written in no order: large blocks ask the system for huge pages, so that
/// an access seldom waits for the address of its page.
template <class Value>
class HugePageAllocator {
 public:
  using value_type = Value;  ///< as allocators have it

  /// Allocators have no state: each can free what another one has allocated.
  HugePageAllocator() = default;
  /// The same for values of another type.
  template <class Other>
  explicit HugePageAllocator(const HugePageAllocator<Other>&) {}

  /// Memory for `count` values, aligned to 2 MiB if it is as large.
  Value* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(Value);
    if (bytes < huge_page) return static_cast<Value*>(::operator new(bytes));
    const std::size_t whole_pages = (bytes + huge_page - 1) / huge_page * huge_page;
    void* memory = std::aligned_alloc(huge_page, whole_pages);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    ::madvise(memory, whole_pages, MADV_HUGEPAGE);  // no more than a wish
#endif
    return static_cast<Value*>(memory);
  }

  /// Frees memory of `allocate` with the same count.
  void deallocate(Value* memory, std::size_t count) {
    if (count * sizeof(Value) < huge_page)
      ::operator delete(memory);
    else
      std::free(memory);
  }

  /// All are equal: they have no state.
  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) {
    return true;
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
};

/// Vector for large tables that are accessed at random.
template <class Value>
using HugePageVector = std::vector<Value, HugePageAllocator<Value>>;

}  // namespace vtopo
