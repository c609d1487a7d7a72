// Runs a target on inputs: `fuzz_replay TARGET CONTAINER|FILE|FOLDER...`. Fails if a reader does
// what it must not, or holds more memory than its target allows. With -v, a line on each input.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/counted_memory.hpp"
#include "tests/fuzz/inputs.hpp"
#include "tests/fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;
using vtopo::fuzz::Input;
using vtopo::fuzz::Target;

std::vector<Input> inputs_of_folder(const fs::path& folder) {
  std::vector<Input> inputs;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file())
      inputs.push_back({entry.path(), vtopo::fuzz::bytes_of_file(entry.path())});
  std::sort(inputs.begin(), inputs.end(),
            [](const Input& a, const Input& b) { return a.name < b.name; });
  return inputs;
}

std::vector<Input> inputs_of(const std::string& path) {
  if (fs::is_directory(path)) return inputs_of_folder(path);
  if (vtopo::fuzz::is_inputs_file(path)) return vtopo::fuzz::read_inputs(path);
  return {{path, vtopo::fuzz::bytes_of_file(path)}};
}

/// Whether the input is dealt with as it should be.
bool replay(const Target& target, const Input& input, bool talks) {
  std::fflush(stdout);
  const std::size_t bound = target.memory.fixed + target.memory.per_byte * input.bytes.size();
  std::string finding;
  bool accepted = false;
  vtopo::fuzz::start_counting();
  try {
    accepted = vtopo::fuzz::accepts(target, input.bytes);
  } catch (const std::exception& error) {
    finding = std::string("threw ") + error.what();
  }
  const std::size_t peak = vtopo::fuzz::peak_bytes();
  if (finding.empty() && peak > bound)
    finding = "held " + std::to_string(peak) + " bytes; at most " + std::to_string(bound) +
              " are expected";
  if (!finding.empty()) std::printf("%s: %s\n", input.name.c_str(), finding.c_str());
  if (talks)
    std::printf("%s: %s, %zu bytes, %zu held\n", input.name.c_str(),
                accepted ? "accepted" : "refused", input.bytes.size(), peak);
  return finding.empty();
}

/// Replays all inputs of the paths, at least one.
bool replay_all(const Target& target, std::span<char*> paths, bool talks) {
  vtopo::fuzz::accepts(target, "");  // what readers keep for later is no part of an input
  std::size_t count = 0;
  bool good = true;
  for (const char* path : paths)
    for (const Input& input : inputs_of(path)) {
      good = replay(target, input, talks) && good;
      ++count;
    }
  std::printf("%zu inputs\n", count);
  return good && count > 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool talks = argc > 1 && std::strcmp(argv[1], "-v") == 0;
  const std::span<char*> words(argv + (talks ? 2 : 1), argv + argc);
  const auto* target = words.size() > 1 ? vtopo::fuzz::find_target(words[0]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay [-v] TARGET CONTAINER|FILE|FOLDER...\n");
    return 2;
  }
  try {
    return replay_all(target->target, words.subspan(1), talks) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
