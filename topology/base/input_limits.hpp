#pragma once

#ifdef __has_feature
#if __has_feature(coverage_sanitizer)
#define VTOPO_FUZZED
#endif
#endif

namespace vtopo::detail {

/// A limit of what a file may ask for, or a smaller one in a build for a fuzzer (preset `fuzz`),
/// which tries inputs by the thousand and has no use for those that fill the memory.
template <class Number>
constexpr Number input_limit([[maybe_unused]] Number usual, [[maybe_unused]] Number fuzzed) {
#ifdef VTOPO_FUZZED
  return fuzzed;
#else
  return usual;
#endif
}

}  // namespace vtopo::detail

#undef VTOPO_FUZZED
