#pragma once

#include <optional>
#include <string>

#include "netmodels/process/temporary_files.hpp"

namespace vtopo::detail {

/// Standard input as a file, for readers that look at a file more than once; gone with the object,
/// and with the process where it calls `remove_temporary_files`.
class StandardInputFile {
 public:
  /// Reads standard input to its end.
  /// @throws InputError if that, or writing it to the folder for temporary files, fails, and above
  /// the size of files that are read.
  StandardInputFile();
  ~StandardInputFile();
  StandardInputFile(const StandardInputFile&) = delete;
  StandardInputFile& operator=(const StandardInputFile&) = delete;

  const std::string& path() const { return path_; }

  /// A sentence of a reader, with "standard input" where it names the file.
  std::string with_its_name(std::string sentence) const;

 private:
  int make_file();
  void copy(int descriptor) const;

  std::string path_;
  std::optional<TemporaryPath> temporary_;
};

}  // namespace vtopo::detail
