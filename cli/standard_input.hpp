#pragma once

#include <string>

namespace vtopo {

/// Standard input as a file, for readers that look at a file more than once; gone with the object.
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
  void copy(int descriptor) const;

  std::string path_;
};

}  // namespace vtopo
