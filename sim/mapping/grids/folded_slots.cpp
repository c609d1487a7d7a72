#include "sim/mapping/grids/folded_slots.hpp"

namespace vtopo::detail {

FoldedSlots::FoldedSlots(const Cartesian& grid, const std::vector<FoldAxis>& axes,
                         const Folding& folding)
    : axes_(&axes), layouts_(&folding.layouts) {
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
    const int size = grid.dimensions()[d].size;
    if (size > 1)
      dimensions_.push_back({size, grid.strides()[d], shares(folding, dimensions_.size(), size)});
  }
}

std::size_t FoldedSlots::of(Rank rank) const {
  std::vector<int> combinations(axes_->size(), 0);
  for (const Folded& dimension : dimensions_) {
    const auto c = static_cast<std::size_t>(number(rank) / dimension.stride % dimension.size);
    for (std::size_t j = 0; j < axes_->size(); ++j)
      combinations[j] += dimension.shares[c * axes_->size() + j];
  }
  return slot(combinations.data());
}

std::size_t FoldedSlots::slot(const int* combinations) const {
  int slot = 0;
  for (std::size_t j = 0; j < axes_->size(); ++j)
    slot +=
        (*layouts_)[j].positions[static_cast<std::size_t>(combinations[j])] * (*axes_)[j].stride;
  return static_cast<std::size_t>(slot);
}

std::vector<int> FoldedSlots::shares(const Folding& folding, std::size_t i, int size) const {
  const FoldPath& path = folding.paths[i];
  std::vector<int> factors;
  for (const std::size_t axis : path.digits) factors.push_back((*layouts_)[axis].factors[i]);
  const std::vector<int> values = path.values(factors, size);
  std::vector<int> result(axes_->size() * static_cast<std::size_t>(size), 0);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::size_t axis = path.digits[v % path.digits.size()];
    result[v / path.digits.size() * axes_->size() + axis] =
        values[v] * (*layouts_)[axis].weights[i];
  }
  return result;
}

}  // namespace vtopo::detail
