#include "topology/mpi/virtual_topology.hpp"

#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// Remainder that is never negative.
std::int64_t wrapped(std::int64_t coordinate, std::int64_t size) {
  if (coordinate >= 0 && coordinate < size) return coordinate;  // most are: a division is slow
  const std::int64_t remainder = coordinate % size;
  return remainder < 0 ? remainder + size : remainder;
}

}  // namespace

Cartesian::Cartesian(std::vector<Dimension> dimensions)
    : dimensions_(std::move(dimensions)), strides_(dimensions_.size()) {
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (dimensions_[d].size < 1)
      throw mpi_error<TopologyCondition::size_below_one>(dimensions_[d].size, d);
  std::int64_t product = 1;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    strides_[d] = narrow<int>(product);
    product *= dimensions_[d].size;
    if (product > max_id) throw mpi_error<TopologyCondition::grid_above_int>();
  }
  num_ranks_ = narrow<int>(product);
}

void Cartesian::check(Rank rank) const {
  if (number(rank) < 0 || number(rank) >= num_ranks_)
    throw mpi_error<TopologyCondition::rank_outside>(number(rank), num_ranks_ - 1);
}

void Cartesian::check(const std::vector<bool>& remain_dims) const {
  if (remain_dims.size() != dimensions_.size())
    throw mpi_error<TopologyCondition::number_of_remain_dims>(remain_dims.size(),
                                                              dimensions_.size());
}

std::vector<int> Cartesian::coords(Rank rank) const {
  std::vector<int> result(dimensions_.size());
  coords(rank, result);
  return result;
}

void Cartesian::coords(Rank rank, std::span<int> coords) const {
  check(rank);
  if (coords.size() != dimensions_.size())
    throw mpi_error<TopologyCondition::number_of_coordinates>(coords.size(), dimensions_.size());
  int rest = number(rank);
  for (std::size_t d = 0; d < coords.size(); ++d) {
    coords[d] = rest / strides_[d];
    rest -= coords[d] * strides_[d];
  }
}

Rank Cartesian::rank(std::span<const int> coords) const {
  if (coords.size() != dimensions_.size())
    throw mpi_error<TopologyCondition::number_of_coordinates>(coords.size(), dimensions_.size());
  std::int64_t result = 0;
  for (std::size_t d = 0; d < coords.size(); ++d) {
    std::int64_t coordinate = coords[d];
    const std::int64_t size = dimensions_[d].size;
    if (dimensions_[d].periodic()) coordinate = wrapped(coordinate, size);
    if (coordinate < 0 || coordinate >= size)
      throw mpi_error<TopologyCondition::coordinate_outside>(coordinate, d, size - 1);
    result += coordinate * strides_[d];
  }
  return Rank{narrow<int>(result)};
}

std::optional<Rank> Cartesian::moved(Rank rank, int dimension, std::int64_t displacement) const {
  const auto d = index(dimension);
  const std::int64_t size = dimensions_[d].size;
  const std::int64_t here = number(rank) / strides_[d] % dimensions_[d].size;
  std::int64_t there = here + displacement;
  if (dimensions_[d].periodic()) there = wrapped(there, size);
  if (there < 0 || there >= size) return std::nullopt;
  return Rank{narrow<int>(number(rank) + (there - here) * strides_[d])};
}

ShiftRanks Cartesian::shift(Rank rank, int dimension, int displacement) const {
  check(rank);
  if (dimensions_.empty()) throw mpi_error<TopologyCondition::shift_without_dimension>();
  if (dimension < 0 || dimension >= int_size(dimensions_))
    throw mpi_error<TopologyCondition::dimension_outside>(dimension, dimensions_.size(),
                                                          dimensions_.size() - 1);
  const std::int64_t distance = displacement;
  return {moved(rank, dimension, -distance), moved(rank, dimension, distance)};
}

Cartesian Cartesian::sub(const std::vector<bool>& remain_dims) const {
  check(remain_dims);
  std::vector<Dimension> remaining;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (remain_dims[d]) remaining.push_back(dimensions_[d]);
  return Cartesian(std::move(remaining));
}

SubgridPlace Cartesian::sub_place(const std::vector<bool>& remain_dims, Rank rank) const {
  check(remain_dims);
  check(rank);
  int subgrid = 0;
  int rank_there = 0;
  int rest = number(rank);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    int& place = remain_dims[d] ? rank_there : subgrid;
    place = place * dimensions_[d].size + rest / strides_[d];
    rest %= strides_[d];
  }
  return {subgrid, Rank{rank_there}};
}

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

}  // namespace vtopo
