#pragma once

#include <concepts>
#include <stdexcept>
#include <utility>

namespace vtopo::detail {

/// `value` as a narrower integer type.
/// @throws std::overflow_error if the value does not fit: a broken invariant, not a user error.
template <std::integral To, std::integral From>
constexpr To narrow(From value) {
  if (!std::in_range<To>(value)) throw std::overflow_error("integer does not fit its type");
  return static_cast<To>(value);
}

/// Size of a container as an `int`.
template <class Container>
constexpr int int_size(const Container& container) {
  return narrow<int>(container.size());
}

}  // namespace vtopo::detail
