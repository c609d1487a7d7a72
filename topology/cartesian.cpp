#include "topology/cartesian.hpp"

#include <limits>

#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

Cartesian::Cartesian(std::vector<Dimension> dimensions)
    : dimensions_(std::move(dimensions)), strides_(dimensions_.size()) {
  std::int64_t product = 1;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].size < 1)
      throw UsageError(
          fmt::format("size {} of dimension {}: each size must be >= 1", dimensions_[d].size, d));
    strides_[d] = static_cast<int>(product);
    product *= dimensions_[d].size;
    if (product > std::numeric_limits<std::int32_t>::max())
      throw UsageError("the grid has more than 2147483647 ranks");
  }
  num_ranks_ = static_cast<int>(product);
}

void Cartesian::check(Rank rank) const {
  if (number(rank) < 0 || number(rank) >= num_ranks_)
    throw UsageError(fmt::format("rank {} is outside 0..{}", number(rank), num_ranks_ - 1));
}

std::vector<int> Cartesian::coords(Rank rank) const {
  check(rank);
  std::vector<int> result(dimensions_.size());
  for (std::size_t d = 0; d < result.size(); ++d)
    result[d] = number(rank) / strides_[d] % dimensions_[d].size;
  return result;
}

Rank Cartesian::rank(std::span<const int> coords) const {
  if (coords.size() != dimensions_.size())
    throw UsageError(
        fmt::format("{} coordinates for a {}-dimensional grid", coords.size(), dimensions_.size()));
  int result = 0;
  for (std::size_t d = 0; d < coords.size(); ++d) {
    const auto [size, periodicity] = dimensions_[d];
    int coordinate = coords[d];
    if (periodicity == Periodicity::periodic) coordinate = (coordinate % size + size) % size;
    if (coordinate < 0 || coordinate >= size)
      throw UsageError(fmt::format("coordinate {} of open dimension {} is outside 0..{}",
                                   coordinate, d, size - 1));
    result += coordinate * strides_[d];
  }
  return Rank{result};
}

std::optional<Rank> Cartesian::moved(Rank rank, int dimension, std::int64_t displacement) const {
  const auto d = static_cast<std::size_t>(dimension);
  const std::int64_t size = dimensions_[d].size;
  const std::int64_t here = number(rank) / strides_[d] % dimensions_[d].size;
  std::int64_t there = here + displacement;
  if (dimensions_[d].periodic()) there = (there % size + size) % size;
  if (there < 0 || there >= size) return std::nullopt;
  return Rank{narrow<int>(number(rank) + (there - here) * strides_[d])};
}

ShiftRanks Cartesian::shift(Rank rank, int dimension, int displacement) const {
  check(rank);
  if (dimension < 0 || dimension >= int_size(dimensions_))
    throw UsageError(fmt::format("dimension {} of a {}-dimensional grid: accepted are 0..{}",
                                 dimension, dimensions_.size(), int_size(dimensions_) - 1));
  const std::int64_t distance = displacement;
  return {moved(rank, dimension, -distance), moved(rank, dimension, distance)};
}

}  // namespace vtopo
