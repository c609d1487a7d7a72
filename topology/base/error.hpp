#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace vtopo {

/// Ancestor of every error that vtopo reports to a person, one sentence each.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A specification or an option is wrong (exit code 2 of the command).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// What a file says is wrong, or it cannot be read or written (exit code 3).
class InputError : public Error {
 public:
  using Error::Error;
};

/// The ranks do not fit into the slots of the allocation (exit code 4).
class FitError : public Error {
 public:
  using Error::Error;
};

/// The simulator failed although the input was accepted (exit code 1).
class SimulationError : public Error {
 public:
  using Error::Error;
};

/// Place in a text file; line and column count from 1, 0 means "the whole file" or "the whole
/// line".
struct FilePosition {
  std::string file;  ///< path as given
  int line = 0;      ///< from 1; 0: the whole file
  int column = 0;    ///< from 1; 0: the whole line
};

/// `file:line:column` as compilers print it, without the parts that are 0.
std::string to_string(const FilePosition& position);

/// Input error with its place in front: `halo.csv:3:7: ...`.
InputError input_error(const FilePosition& position, std::string_view sentence);

}  // namespace vtopo
