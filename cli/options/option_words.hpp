#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// What the value of an option may be, or start with (`torus:`); none: any text or a file.
struct OptionWords {
  std::vector<std::string> words;
  bool comma_list = false;  ///< whether a value may be several of them
};

/// Words of an option: those that a registry knows, such as the names of mappers, or else those
/// that its description lists at its start (`table, csv or json`).
/// @param name with dashes.
OptionWords option_words(std::string_view name, std::string_view description);

/// Words of `a, b or c: ...`; none if a text starts otherwise.
std::vector<std::string> listed_words(std::string_view description);

}  // namespace vtopo
