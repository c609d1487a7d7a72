#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace vtopo::detail {

/// Resizes an empty vector that will be read and written in no order. Where it is large, the system
/// is asked for huge pages, so that an access seldom waits for the address of its page.
template <class Value>
void resize_on_huge_pages(std::vector<Value>& values, std::size_t size) {
  values.reserve(size);
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t huge_page = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(values.data());
  const std::uintptr_t first = (begin + huge_page - 1) / huge_page * huge_page;
  const std::uintptr_t last = (begin + size * sizeof(Value)) / huge_page * huge_page;
  if (first < last)  // no more than a request: the result does not matter
    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
  values.resize(size);
}

}  // namespace vtopo::detail
