#include "topology/base/line_values.hpp"

#include <cstdint>
#include <limits>

#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

int read_integer(const LineFile& file, const Token& token, std::string_view what, int largest) {
  const auto value = parse_integer(token.text);
  if (!value || *value < 0 || *value > largest)
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not an integer in 0..{}",
                                                         what, token.text, largest));
  return narrow<int>(*value);
}

}  // namespace

Rank read_rank(const LineFile& file, const Token& token) {
  return Rank{read_integer(file, token, "rank", max_ranks_in_file - 1)};
}

double read_number(const LineFile& file, const Token& token, std::string_view what) {
  const auto value = parse_number(token.text);
  if (!value || *value < 0 || *value > max_volume.value)
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not a number in 0..{}", what,
                                                         token.text, max_volume.value));
  return *value;
}

int read_messages(const LineFile& file, const Token& token) {
  return read_integer(file, token, "number of messages", std::numeric_limits<int>::max());
}

}  // namespace vtopo::detail
