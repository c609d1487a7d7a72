#include "tests/fuzz/target.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "topology/base/error.hpp"

namespace vtopo::fuzz {

namespace {

/// Always the same number: paths of files in memory show it.
constexpr int descriptor_of_files = 200;

void write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written <= 0) throw std::runtime_error("cannot write a file in memory");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

const NamedTarget* find_target(std::string_view name) {
  const auto all = all_targets();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const NamedTarget& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool accepts(const Target& target, std::string_view input) {
  try {
    target.run(input);
    return true;
  } catch (const UsageError&) {
  } catch (const InputError&) {
  } catch (const FitError&) {
  }
  return false;
}

MemoryFile::MemoryFile(std::string_view content) {
  const int made = memfd_create("vtopo-fuzz", MFD_CLOEXEC);
  if (made < 0) throw std::runtime_error("cannot make a file in memory");
  descriptor_ = fcntl(made, F_DUPFD_CLOEXEC, descriptor_of_files);
  close(made);
  if (descriptor_ < 0) throw std::runtime_error("cannot make a file in memory");
  write_all(descriptor_, content);
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() {
  close(descriptor_);
}

NamedInput named_input(std::span<const std::string> names, std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string_view name = input.substr(0, end);
  NamedInput result{0, input.substr(std::min(end + 1, input.size()))};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) {
    result.format = static_cast<std::size_t>(found - names.begin());
    return result;
  }
  for (const char c : name) result.format += static_cast<unsigned char>(c);
  result.format %= names.size();
  return result;
}

void require(bool holds, std::string_view sentence) {
  if (holds) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(sentence.size()), sentence.data());
  std::abort();
}

}  // namespace vtopo::fuzz
