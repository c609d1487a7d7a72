// Runs a target on files: `fuzz_replay TARGET FILE|FOLDER...`. Fails if a reader does what it must
// not, or holds more memory than its target allows. With -v, a line on each file.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/counted_memory.hpp"
#include "tests/fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;
using vtopo::fuzz::Target;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether the file is dealt with as it should be.
bool replay(const Target& target, const fs::path& path, bool talks) {
  const std::string input = read(path);
  std::fflush(stdout);
  const std::size_t bound = target.memory.fixed + target.memory.per_byte * input.size();
  std::string finding;
  bool accepted = false;
  vtopo::fuzz::start_counting();
  try {
    accepted = vtopo::fuzz::accepts(target, input);
  } catch (const std::exception& error) {
    finding = std::string("threw ") + error.what();
  }
  const std::size_t peak = vtopo::fuzz::peak_bytes();
  if (finding.empty() && peak > bound)
    finding = "held " + std::to_string(peak) + " bytes; at most " + std::to_string(bound) +
              " are expected";
  if (!finding.empty()) std::printf("%s: %s\n", path.c_str(), finding.c_str());
  if (talks)
    std::printf("%s: %s, %zu bytes, %zu held\n", path.c_str(), accepted ? "accepted" : "refused",
                input.size(), peak);
  return finding.empty();
}

}  // namespace

int main(int argc, char** argv) {
  const bool talks = argc > 1 && std::strcmp(argv[1], "-v") == 0;
  const int first = talks ? 2 : 1;
  const auto* target = argc > first + 1 ? vtopo::fuzz::find_target(argv[first]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay [-v] TARGET FILE|FOLDER...\n");
    return 2;
  }
  vtopo::fuzz::accepts(target->target, "");  // what readers keep for later is no part of a file
  std::size_t files = 0;
  bool good = true;
  for (int i = first + 1; i < argc; ++i)
    for (const auto& file : files_of(argv[i])) {
      good = replay(target->target, file, talks) && good;
      ++files;
    }
  std::printf("%s: %zu files\n", argv[first], files);
  return good && files > 0 ? 0 : 1;
}
