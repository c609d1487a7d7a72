#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vtopo::fuzz {

/// The most memory that a reader may hold at once: `fixed` bytes, and `per_byte` for each byte of
/// the input.
struct MemoryBound {
  std::size_t fixed = 1 << 20;
  std::size_t per_byte = 64;
};

/// A reader under test.
struct Target {
  std::string_view summary;
  /// Hands the bytes to the reader, and checks what comes of it. It may throw UsageError,
  /// InputError and FitError; whatever else it throws is a finding.
  void (*run)(std::string_view input);
  MemoryBound memory = {};
};

/// A target and its name: that of its file in `targets/`.
struct NamedTarget {
  std::string_view name;
  Target target;
};

/// All targets, sorted by name; generated from the folder.
std::span<const NamedTarget> all_targets();

/// Null for a name that no target has.
const NamedTarget* find_target(std::string_view name);

/// Runs a target on an input. True: the reader accepted it.
/// Throws what a reader must not throw.
bool accepts(const Target& target, std::string_view input);

/// File in memory with these bytes, for readers that take a path. Its name is the same for every
/// input, as errors quote it.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();

  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// An input for one of several formats: its first line names the format, so that it stays what it
/// is when formats are added.
struct NamedInput {
  std::size_t format = 0;  ///< position among the names; of a line that is none of them, any
  std::string_view content;
};

/// @param names of the formats, at least one.
NamedInput named_input(std::span<const std::string> names, std::string_view input);

/// Ends the process with a sentence unless `holds`: what a reader gives back contradicts itself.
void require(bool holds, std::string_view sentence);

}  // namespace vtopo::fuzz
