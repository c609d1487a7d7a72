#include "sim/mapping/state/host_codes.hpp"

#include <algorithm>
#include <limits>

#include "sim/mapping/state/hops_along.hpp"

namespace vtopo {

namespace {

constexpr int max_hops = std::numeric_limits<std::uint8_t>::max();
constexpr std::int64_t max_coded_size = 256;
constexpr std::int64_t max_routers = 4096;

/// A network may lead around links that failed, or one way only: some pairs, near and far, must be
/// as they should in both directions.
template <class Codes>
std::optional<Codes> if_right(Codes codes, const Network& network, const Allocation& allocation) {
  const std::size_t size = allocation.hosts.size();
  const std::size_t stride = size / 65536 + 1;
  for (std::size_t p = 0; p < size; p += stride)
    for (const std::size_t ahead : {std::size_t{1}, size / 3, size - 1}) {
      const HostId a = allocation.hosts[p];
      const HostId b = allocation.hosts[(p + ahead) % size];
      if (a == b) continue;
      const int hops = codes.from(codes.code(a)).to(codes.code(b));
      if (network.hops(a, b) != hops || network.hops(b, a) != hops) return std::nullopt;
    }
  return codes;
}

template <std::size_t dims>
std::optional<HostCodes> grid_codes(const Network& network, const Allocation& allocation) {
  if (auto codes = GridCodes<dims>::of(network, allocation)) return std::move(*codes);
  return std::nullopt;
}

}  // namespace

template <std::size_t dims>
auto GridCodes<dims>::code(HostId host) const -> Code {
  std::size_t rest = index(host);
  Code result = 0;
  for (std::size_t d = 0; d < dims; rest /= sizes_[d++])
    result |= static_cast<Code>(rest % sizes_[d]) << (8 * d);
  return result;
}

template <std::size_t dims>
std::optional<GridCodes<dims>> GridCodes<dims>::of(const Network& network,
                                                   const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  if (torus == nullptr || torus->hosts_per_router != 1 || torus->dimensions.size() > dims)
    return std::nullopt;
  GridCodes grid;
  for (std::size_t d = 0; d < dims; ++d) {
    const bool there = d < torus->dimensions.size();
    const int size = there ? torus->dimensions[d].size : 1;
    if (size > max_coded_size) return std::nullopt;
    grid.sizes_[d] = static_cast<std::size_t>(size);
    grid.tables_[d] = hops_along<std::uint8_t>(grid.sizes_[d], there && torus->dimensions[d].wraps);
  }
  return if_right(std::move(grid), network, allocation);
}

auto TreeCodes::code(HostId host) const -> Code {
  std::int64_t rest = number(host);
  Code result = 0;
  int shift = 0;
  for (const Field& field : fields_) {
    result |= static_cast<Code>(rest % field.size) << shift;
    rest /= field.size;
    shift += field.bits;
  }
  return result;
}

std::optional<TreeCodes> TreeCodes::of(const Network& network, const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  const auto* spec = std::get_if<FatTreeSpec>(&shape);
  if (spec == nullptr) return std::nullopt;
  TreeCodes tree;
  std::size_t shift = 0;
  int hops = 0;
  for (const FatTreeLevel& level : spec->levels) {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(level.children - 1));
    tree.fields_.push_back({level.children, static_cast<int>(bits)});
    hops += 2;
    if (shift + static_cast<std::size_t>(bits) > 63 || hops > max_hops) return std::nullopt;
    for (std::size_t bit = 0; bit < static_cast<std::size_t>(bits); ++bit)
      tree.hops_[++shift] = static_cast<std::uint8_t>(hops);
  }
  return if_right(std::move(tree), network, allocation);
}

std::optional<RouterCodes> RouterCodes::of(const Network& network, const Allocation& allocation) {
  const NetworkShape shape = network.shape();
  RouterCodes routers;
  if (const auto* dragonfly = std::get_if<DragonflySpec>(&shape))
    routers.per_router_ = static_cast<std::uint64_t>(dragonfly->hosts_per_blade);
  else if (const auto* torus = std::get_if<TorusSpec>(&shape))
    routers.per_router_ = static_cast<std::uint64_t>(torus->hosts_per_router);
  else
    return std::nullopt;
  const auto per_router = static_cast<std::int64_t>(routers.per_router_);
  const std::int64_t num_routers = network.num_hosts() / per_router;
  if (num_routers > max_routers) return std::nullopt;
  routers.num_routers_ = static_cast<std::size_t>(num_routers);
  const auto first_host = [&](std::int64_t router) {
    return HostId{static_cast<std::int32_t>(router * per_router)};
  };
  for (std::int64_t a = 0; a < num_routers; ++a)
    for (std::int64_t b = 0; b < num_routers; ++b) {
      int hops = a != b ? network.hops(first_host(a), first_host(b)) : 0;
      if (a == b && per_router > 1)
        hops = network.hops(first_host(a), HostId{number(first_host(a)) + 1});
      if (hops > max_hops) return std::nullopt;
      routers.table_.push_back(static_cast<std::uint8_t>(hops));
    }
  for (std::size_t a = 0; a < routers.num_routers_; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (routers.table_[a * routers.num_routers_ + b] !=
          routers.table_[b * routers.num_routers_ + a])
        return std::nullopt;
  return if_right(std::move(routers), network, allocation);
}

std::optional<HostCodes> host_codes(const Network& network, const Allocation& allocation) {
  if (allocation.hosts.empty()) return std::nullopt;
  if (auto grid = grid_codes<3>(network, allocation)) return grid;
  if (auto grid = grid_codes<6>(network, allocation)) return grid;
  if (auto tree = TreeCodes::of(network, allocation)) return std::move(*tree);
  if (auto routers = RouterCodes::of(network, allocation)) return std::move(*routers);
  return std::nullopt;
}

template class GridCodes<3>;
template class GridCodes<6>;

}  // namespace vtopo
