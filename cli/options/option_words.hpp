#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// Words of `a, b or c: ...`; none if a text starts otherwise.
std::vector<std::string> listed_words(std::string_view description);

/// Names of the mappers, and `all`.
std::vector<std::string> mapper_words();

std::vector<std::string> objective_words();

/// How specifications of networks begin: `torus:`.
std::vector<std::string> network_words();

std::vector<std::string> embedding_format_names();

}  // namespace vtopo
