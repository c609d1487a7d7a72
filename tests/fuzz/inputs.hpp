#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vtopo::fuzz {

/// An input of a target: any bytes, under a name without blanks or slashes.
struct Input {
  std::string name;
  std::string bytes;

  bool operator==(const Input&) const = default;
};

/// Whether the file is a container of inputs: its name ends in `.inputs`.
bool is_inputs_file(std::string_view path);

/// The inputs of a container, in its order. README.md describes the format.
/// @throws std::runtime_error, with the line, for what is not a container, or not a whole one.
std::vector<Input> read_inputs(const std::string& path);

/// Writes a container with the inputs sorted by name.
/// @throws std::runtime_error for a name that does not fit or is repeated.
void write_inputs(const std::string& path, std::vector<Input> inputs);

/// All bytes of a file. @throws std::runtime_error if it cannot be read.
std::string bytes_of_file(const std::string& path);

}  // namespace vtopo::fuzz
