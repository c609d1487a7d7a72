// Runs a target on inputs: `fuzz_replay TARGET CONTAINER|FILE|FOLDER...`. Fails if a reader does
// what it must not, or holds more memory than its target allows. With -v, a line on each input.
// `fuzz_replay -m SECONDS TARGET ...` goes on with mutants of them that keep their structure, for
// that long, without a fuzzer and in every build: the mutant at work is in the file mutant-TARGET,
// which stays if it does harm or takes more than a second.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fuzz/counted_memory.hpp"
#include "tests/fuzz/inputs.hpp"
#include "tests/fuzz/mutators.hpp"
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
  vtopo::fuzz::accepts(target, "");  // what readers keep for later is not part of an input
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

constexpr std::size_t max_pool = 4096, max_bytes = 1 << 14;

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Mutants of the inputs, and of mutants that were accepted.
bool replay_mutants(const vtopo::fuzz::NamedTarget& named, std::span<char*> paths, int seconds) {
  std::vector<Input> pool;
  for (const char* path : paths)
    for (Input& input : inputs_of(path))
      if (input.bytes.size() <= max_bytes) pool.push_back(std::move(input));
  const std::string file = "mutant-" + std::string(named.name);
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto end = now() + std::chrono::seconds(seconds);
  std::size_t accepted = 0, first = pool.size();
  std::uint32_t seed = 0;
  for (; !pool.empty() && now() < end; ++seed) {
    Input mutant = pool[std::size_t{seed} * 2654435761U % pool.size()];
    mutant.bytes = vtopo::fuzz::mutated(mutant.bytes, seed);
    if (mutant.bytes.size() > max_bytes) continue;
    write_file(file, mutant.bytes);
    const std::clock_t start = std::clock();  // of the processor: the machine may be busy
    if (!replay(named.target, mutant, false)) return false;
    if (std::clock() - start > CLOCKS_PER_SEC) {
      std::printf("%s: took more than a second\n", file.c_str());
      return false;
    }
    if (!vtopo::fuzz::accepts(named.target, mutant.bytes)) continue;
    ++accepted;
    if (pool.size() < max_pool)
      pool.push_back(std::move(mutant));
    else if (pool.size() > first)
      pool[first + seed % (pool.size() - first)] = std::move(mutant);
  }
  fs::remove(file);
  std::printf("%u mutants, %zu accepted\n", seed, accepted);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  const bool talks = option == "-v", mutates = option == "-m" && argc > 2;
  const std::span<char*> words(argv + (mutates ? 3 : talks ? 2 : 1), argv + argc);
  const auto* target = words.size() > 1 ? vtopo::fuzz::find_target(words[0]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay [-v | -m SECONDS] TARGET CONTAINER|FILE|FOLDER...\n");
    return 2;
  }
  try {
    bool good = replay_all(target->target, words.subspan(1), talks);
    if (mutates) good = replay_mutants(*target, words.subspan(1), std::atoi(argv[2])) && good;
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
