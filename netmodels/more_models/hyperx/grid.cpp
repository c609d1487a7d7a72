#include "netmodels/more_models/hyperx/grid.hpp"

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

int checked_count(std::int64_t count, const char* what) {
  if (count > max_id) throw UsageError(fmt::format("hyperx with more than 2147483647 {}", what));
  return narrow<int>(count);
}

int count_routers(const HyperXSpec& spec) {
  if (spec.dimensions.empty()) throw UsageError("a hyperx needs at least one dimension");
  std::int64_t routers = 1;
  for (const HyperXDimension& dimension : spec.dimensions) {
    if (dimension.size < 1)
      throw UsageError(fmt::format("hyperx size {}: each size must be >= 1", dimension.size));
    if (dimension.links < 1)
      throw UsageError(fmt::format("{} links of a hyperx: accepted is >= 1", dimension.links));
    routers = checked_count(routers * dimension.size, "hosts");
  }
  return narrow<int>(routers);
}

int checked_per_router(const HyperXSpec& spec) {
  if (spec.hosts_per_router < 1)
    throw UsageError(
        fmt::format("{} hosts per hyperx router: accepted is >= 1", spec.hosts_per_router));
  return spec.hosts_per_router;
}

}  // namespace

HyperXGrid::HyperXGrid(const HyperXSpec& spec)
    : num_routers_(count_routers(spec)),
      per_router_(checked_per_router(spec)),
      by_router_(per_router_) {
  std::int64_t links = 0;
  int stride = 1;
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
    const int size = spec.dimensions[d].size;
    if (size == 1) continue;
    axes_.push_back({narrow<int>(d), size, stride, num_routers_ / stride / size, narrow<int>(links),
                     ExactDivision(size)});
    links = checked_count(links + std::int64_t{num_routers_} * (size - 1), "directed links");
    stride *= size;
  }
  first_cable_ = narrow<int>(links);
  if (!have_cables()) return;
  const std::int64_t hosts = std::int64_t{num_routers_} * per_router_;
  checked_count(hosts + num_routers_, "hosts and routers");
  checked_count(links + 2 * hosts, "directed links");
}

const HyperXAxis& HyperXGrid::axis_of(LinkId link) const {
  std::size_t a = axes_.size() - 1;
  while (axes_[a].first_link > number(link)) --a;
  return axes_[a];
}

LinkEnds HyperXGrid::ends(LinkId link) const {
  const HyperXAxis& axis = axis_of(link);
  const int position = number(link) - axis.first_link;
  const int router = position / (axis.size - 1);
  const int other = position % (axis.size - 1);
  const int from = router / axis.stride % axis.size;
  const int to = other < from ? other : other + 1;
  return {router, router + (to - from) * axis.stride};
}

}  // namespace vtopo::detail
