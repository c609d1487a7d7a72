#include "netmodels/models/torus/grid.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

int count_routers(const std::vector<TorusDimension>& dimensions) {
  if (dimensions.empty()) throw UsageError("a torus needs at least one dimension");
  std::int64_t routers = 1;
  for (const TorusDimension& dimension : dimensions) {
    if (dimension.size < 1)
      throw UsageError(fmt::format("torus size {}: each size must be >= 1", dimension.size));
    routers *= dimension.size;
    if (routers > max_id) throw UsageError("torus with more than 2147483647 hosts");
  }
  return narrow<int>(routers);
}

[[noreturn]] void refuse_twist(int twist, const std::string& accepted) {
  throw UsageError(fmt::format("torus with a twist of {}: accepted {}", twist, accepted));
}

std::optional<TorusTwist> find_twist(const std::vector<TorusDimension>& dimensions,
                                     std::size_t axes, int twist) {
  if (twist == 0) return std::nullopt;
  const TorusDimension &first = dimensions.front(), &last = dimensions.back();
  if (dimensions.size() < 2 || first.size < 2 || last.size < 2 || !first.wraps || !last.wraps)
    refuse_twist(twist, "where the first and the last dimension, of size 2 or more, wrap");
  if (twist < 1 || twist >= std::max(first.size, last.size))
    refuse_twist(twist, fmt::format("are 1 to {} for dimensions of first size {} and last size {}",
                                    std::max(first.size, last.size) - 1, first.size, last.size));
  if (twist < first.size) return TorusTwist{axes - 1, 0, twist};
  return TorusTwist{0, axes - 1, twist};
}

}  // namespace

TorusGrid::TorusGrid(const std::vector<TorusDimension>& dimensions, int twist)
    : num_routers_(count_routers(dimensions)) {
  int stride = 1;
  std::int64_t cables = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto& [size, wraps, rates] = dimensions[d];
    if (size == 1) continue;
    const int lines_above = num_routers_ / stride / size;
    const int per_line = wraps ? size : size - 1;
    axes_.push_back({narrow<int>(d), size, wraps, stride, lines_above, per_line,
                     narrow<int>(cables), ExactDivision(size)});
    cables += std::int64_t{stride} * lines_above * per_line;
    if (2 * cables > max_id) throw UsageError("torus with more than 2147483647 directed links");
    stride *= size;
  }
  num_cables_ = narrow<int>(cables);
  twist_ = find_twist(dimensions, axes_.size(), twist);
}

int TorusGrid::diameter() const {
  int total = 0;
  for (const TorusAxis& axis : axes_) total += axis.wraps ? axis.size / 2 : axis.size - 1;
  return total;
}

const TorusAxis& TorusGrid::axis_of(LinkId link) const {
  std::size_t d = axes_.size() - 1;
  while (axes_[d].first_cable > number(link) / 2) --d;
  return axes_[d];
}

LinkEnds TorusGrid::ends(LinkId link) const {
  const TorusAxis& axis = axis_of(link);
  const int cable = number(link) / 2 - axis.first_cable;
  const int low = cable % axis.stride;
  const int high = cable / axis.stride / axis.cables;
  const int here = cable / axis.stride % axis.cables;
  const int next = here + 1 == axis.size ? 0 : here + 1;
  LinkEnds positive{(high * axis.size + here) * axis.stride + low,
                    (high * axis.size + next) * axis.stride + low};
  if (twist_ && next == 0 && &axis == &axes_[twist_->turned])
    positive.to = shifted(positive.to, twist_->shifted, twist_->by);
  return number(link) % 2 == 0 ? positive : LinkEnds{positive.to, positive.from};
}

int TorusGrid::shifted(int router, std::size_t axis, int by) const {
  const auto [coordinate, size] = std::pair{axes_[axis].coordinate(router), axes_[axis].size};
  const int to = (coordinate + by) % size;
  return router + (to - coordinate) * axes_[axis].stride;
}

int TorusGrid::next(int router, std::size_t axis) const {
  const bool wraps = axes_[axis].coordinate(router) + 1 == axes_[axis].size;
  const int next = shifted(router, axis, 1);
  if (!twist_ || !wraps || twist_->turned != axis) return next;
  return shifted(next, twist_->shifted, twist_->by);
}

int TorusGrid::previous(int router, std::size_t axis) const {
  const bool wraps = axes_[axis].coordinate(router) == 0;
  const int previous = shifted(router, axis, axes_[axis].size - 1);
  if (!twist_ || !wraps || twist_->turned != axis) return previous;
  return shifted(previous, twist_->shifted, axes_[twist_->shifted].size - twist_->by);
}

}  // namespace vtopo::detail
