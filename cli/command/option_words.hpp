#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// Words of `a, b or c: ...`; none if a text starts otherwise.
std::vector<std::string> listed_words(std::string_view description);

/// Names of the mappers, and `all`.
std::vector<std::string> mapper_words();

std::vector<std::string> objective_words();

/// How specifications of networks begin: `torus:`.
std::vector<std::string> network_words();

std::vector<std::string> embedding_format_names();

/// Rethrows a UsageError with the name of the option in front, `--latency: `, unless what is before
/// its first quotation names it.
[[noreturn]] void throw_named(const UsageError& error, std::string_view option);

/// What `read` makes of the value of an option; its UsageError names the option.
template <class Read>
auto read_option(std::string_view option, const Read& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw_named(error, option);
  }
}

}  // namespace vtopo::detail
