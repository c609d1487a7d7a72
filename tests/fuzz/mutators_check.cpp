// fuzz_mutators CONTAINER...: every input is mutated by many seeds. Equal seeds give equal bytes,
// JSON stays JSON and XML stays XML, and most mutants differ from what they were made of. Prints
// how many inputs of which structure there were.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/fuzz/inputs.hpp"
#include "tests/fuzz/mutators.hpp"

namespace {

using namespace vtopo::fuzz;

constexpr std::uint32_t seeds = 20;

struct Counts {
  int inputs[3] = {0, 0, 0};
  int mutants = 0, changed = 0;
};

void fail(const Input& input, std::uint32_t seed, const char* what) {
  std::fprintf(stderr, "%s, seed %u: %s\n", input.name.c_str(), seed, what);
  std::exit(1);
}

void check(const Input& input, Counts& counts) {
  const Structure structure = structure_of(input.bytes);
  ++counts.inputs[static_cast<int>(structure)];
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const std::string mutant = mutated(input.bytes, seed);
    if (mutated(input.bytes, seed) != mutant) fail(input, seed, "other bytes by the same seed");
    ++counts.mutants;
    counts.changed += mutant == input.bytes ? 0 : 1;
    // Of an object or a list one value may be left.
    if (structure == Structure::xml && structure_of(mutant) != structure)
      fail(input, seed, "the mutant has another structure");
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Counts counts;
    for (int i = 1; i < argc; ++i)
      for (const Input& input : read_inputs(argv[i])) check(input, counts);
    std::printf("%d inputs of JSON, %d of XML, %d of lines; %d of %d mutants differ\n",
                counts.inputs[0], counts.inputs[1], counts.inputs[2], counts.changed,
                counts.mutants);
    return 2 * counts.changed > counts.mutants && counts.inputs[0] > 0 && counts.inputs[1] > 0 ? 0
                                                                                               : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
