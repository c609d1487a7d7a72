#include "topology/mpi/cartesian_text.hpp"

#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

Dimension parse_dimension(std::string_view text, std::string_view whole) {
  std::string_view digits = text;
  const bool periodic = digits.ends_with('p');
  if (periodic) digits.remove_suffix(1);
  const auto size = parse_integer(digits);
  if (!size)
    throw UsageError(
        fmt::format("size \"{}\" in \"{}\" is not an integer in 1..{}, with p behind "
                    "it where the dimension is periodic, such as 8x8p",
                    text, whole, max_id));
  if (*size < 1)
    throw UsageError(fmt::format("size {} in \"{}\": each size must be >= 1", *size, whole));
  if (*size > max_id)
    throw UsageError(
        fmt::format("size {} in \"{}\": each size must be <= {}", *size, whole, max_id));
  return {narrow<int>(*size), periodic ? Periodicity::periodic : Periodicity::open};
}

}  // namespace

Cartesian parse_grid(std::string_view sizes, std::string_view whole) {
  std::vector<Dimension> dimensions;
  for (const auto size : split(sizes, 'x')) dimensions.push_back(parse_dimension(size, whole));
  try {
    return Cartesian(std::move(dimensions));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("\"{}\": {}", whole, error.what()));
  }
}

}  // namespace vtopo::detail
