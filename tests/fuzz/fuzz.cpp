// Entry points of libFuzzer: the target is the first argument, or named by VTOPO_FUZZ_TARGET, which
// the processes that -merge and -minimize_crash start inherit.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "tests/fuzz/mutators.hpp"
#include "tests/fuzz/target.hpp"

namespace {

constexpr const char* variable = "VTOPO_FUZZ_TARGET";
const vtopo::fuzz::NamedTarget* chosen = nullptr;

[[noreturn]] void tell_targets() {
  std::fprintf(stderr, "usage: vtopo_fuzz TARGET [libFuzzer options] [CORPUS...]; targets:\n");
  for (const auto& target : vtopo::fuzz::all_targets())
    std::fprintf(stderr, "  %-16.*s %.*s\n", static_cast<int>(target.name.size()),
                 target.name.data(), static_cast<int>(target.target.summary.size()),
                 target.target.summary.data());
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1) chosen = vtopo::fuzz::find_target((*argv)[1]);
  if (chosen != nullptr) {
    setenv(variable, (*argv)[1], 1);
    std::copy(*argv + 2, *argv + *argc + 1, *argv + 1);
    --*argc;
  } else if (const char* name = std::getenv(variable)) {
    chosen = vtopo::fuzz::find_target(name);
  }
  if (chosen == nullptr) tell_targets();
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

/// Every other mutant keeps the structure of its input, the others are libFuzzer's own.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  if (seed % 2 == 0 || size == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string mutant =
      vtopo::fuzz::mutated({reinterpret_cast<const char*>(data), size}, seed);
  if (mutant.empty() || mutant.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(mutant.begin(), mutant.end(), data);
  return mutant.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    vtopo::fuzz::accepts(chosen->target, {reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "a reader threw: %s\n", error.what());
    std::abort();
  }
  return 0;
}
