#include "sim/mapping/state/hop_table.hpp"

#include <algorithm>
#include <limits>

#include "netmodels/network_facts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Hops along one axis of a grid; entry `a * size + b` is from a to b.
/// @tparam Count an integer that holds `size - 1`.
template <class Count>
std::vector<Count> hops_along(const NetworkAxis& axis) {
  const auto size = narrow<std::size_t>(axis.size);
  std::vector<Count> table;
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) {
      std::size_t steps = a < b ? b - a : a - b;
      if (axis.kind == AxisKind::ring) steps = std::min(steps, size - steps);
      if (axis.kind == AxisKind::complete) steps = std::min<std::size_t>(steps, 1);
      table.push_back(static_cast<Count>(steps));
    }
  return table;
}

constexpr int max_hops = std::numeric_limits<std::uint8_t>::max();
constexpr int max_tree_hops = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t max_grid_axes = 6;
constexpr int max_coded_size = 256;
constexpr std::size_t max_routers = 4096;
constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

/// Rows of a table over routers, in the order of their first hosts in an allocation.
struct RouterRows {
  std::vector<std::uint32_t> row_of;  ///< of every router; `no_row` without hosts
  std::vector<HostId> first;          ///< host of each row
  std::vector<HostId> second;         ///< another one; the first again if there is none
};

RouterRows router_rows(int per_router, const Network& network, const Allocation& allocation) {
  RouterRows rows;
  rows.row_of.assign(static_cast<std::size_t>((network.num_hosts() - 1) / per_router) + 1, no_row);
  for (const HostId host : allocation.hosts) {
    std::uint32_t& row = rows.row_of[static_cast<std::size_t>(number(host) / per_router)];
    if (row == no_row) {
      row = static_cast<std::uint32_t>(rows.first.size());
      rows.first.push_back(host);
      rows.second.push_back(host);
    } else {
      rows.second[row] = host;
    }
  }
  return rows;
}

/// Whether coordinates alone give the hops; else hosts share routers or have cables.
bool has_grid_codes(const GridMetric& metric) {
  const auto& axes = metric.grid.axes;
  return metric.grid.hosts_per_router == 1 && metric.host_hops == 0 &&
         axes.size() <= max_grid_axes &&
         std::all_of(axes.begin(), axes.end(),
                     [](const NetworkAxis& axis) { return axis.size <= max_coded_size; });
}

int farthest(const NetworkAxis& axis) {
  switch (axis.kind) {
    case AxisKind::path:
      return axis.size - 1;
    case AxisKind::ring:
      return axis.size / 2;
    case AxisKind::complete:
      break;
  }
  return std::min(axis.size - 1, 1);
}

/// The rule by which hosts have codes: for grids whose coordinates do not do it, one for tables
/// over the routers, if the hops fit.
HopMetric coded_metric(const Network& network, const Allocation& allocation) {
  if (allocation.hosts.empty()) return {};
  HopMetric metric = network.hop_metric();
  const auto* grid = std::get_if<GridMetric>(&metric);
  if (grid == nullptr || has_grid_codes(*grid)) return metric;
  std::int64_t hops = grid->host_hops;
  for (const NetworkAxis& axis : grid->grid.axes) hops += farthest(axis);
  if (hops > max_hops) return {};
  return RouterMetric{grid->grid.hosts_per_router};
}

template <class Codes>
std::optional<HostCodes> any_codes(std::optional<Codes> codes) {
  if (!codes) return std::nullopt;
  return std::move(*codes);
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
std::optional<GridCodes<dims>> GridCodes<dims>::of(const GridMetric& metric) {
  if (!has_grid_codes(metric) || metric.grid.axes.size() > dims) return std::nullopt;
  GridCodes grid;
  for (std::size_t d = 0; d < dims; ++d) {
    const NetworkAxis axis =
        d < metric.grid.axes.size() ? metric.grid.axes[d] : NetworkAxis{1, AxisKind::path};
    grid.sizes_[d] = narrow<std::size_t>(axis.size);
    grid.tables_[d] = hops_along<std::uint8_t>(axis);
  }
  return grid;
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

std::optional<TreeCodes> TreeCodes::of(const TreeMetric& metric) {
  TreeCodes tree;
  std::size_t shift = 0;
  std::int64_t below = 1;
  for (const HostGroups& level : metric.levels) {
    const std::int64_t children = level.hosts / below;
    below = level.hosts;
    const auto bits = std::bit_width(static_cast<std::uint64_t>(children - 1));
    tree.fields_.push_back({children, static_cast<int>(bits)});
    if (shift + static_cast<std::size_t>(bits) > 63 || level.hops > max_tree_hops)
      return std::nullopt;
    for (std::size_t bit = 0; bit < static_cast<std::size_t>(bits); ++bit)
      tree.hops_[++shift] = static_cast<std::uint16_t>(level.hops);
  }
  return tree;
}

namespace {

std::shared_ptr<const std::uint8_t[]> router_hops(const RouterRows& rows, const Network& network) {
  const std::size_t count = rows.first.size();
  const std::shared_ptr<std::uint8_t[]> table(new std::uint8_t[count * count]);
  std::uint8_t* entry = table.get();
  std::vector<int> hops(count);
  for (std::size_t a = 0; a < count; ++a) {
    network.hops_from(rows.first[a], rows.first, hops);
    hops[a] = rows.second[a] == rows.first[a] ? 0 : network.hops(rows.first[a], rows.second[a]);
    for (const int hop : hops) *entry++ = narrow<std::uint8_t>(hop);
  }
  return table;
}

}  // namespace

std::optional<RouterCodes> RouterCodes::of(const RouterMetric& metric, const Network& network,
                                           const Allocation& allocation) {
  RouterRows rows = router_rows(metric.hosts_per_router, network, allocation);
  if (rows.first.size() > max_routers) return std::nullopt;
  RouterCodes routers;
  routers.per_router_ = narrow<std::uint64_t>(metric.hosts_per_router);
  routers.num_routers_ = rows.first.size();
  RouterMetric::Known& known = *metric.known;
  const std::lock_guard lock(known.mutex);
  std::vector<HostId> hosts = rows.first;
  hosts.insert(hosts.end(), rows.second.begin(), rows.second.end());
  if (known.network != &network || known.hosts != hosts) {
    known.hops = router_hops(rows, network);
    known.network = &network;
    known.hosts = std::move(hosts);
  }
  routers.table_ = known.hops;
  routers.rows_ = std::move(rows.row_of);
  return routers;
}

std::optional<HostCodes> host_codes(const Network& network, const Allocation& allocation) {
  const HopMetric metric = coded_metric(network, allocation);
  if (const auto* grid = std::get_if<GridMetric>(&metric))
    return grid->grid.axes.size() <= 3 ? any_codes(GridCodes<3>::of(*grid))
                                       : any_codes(GridCodes<6>::of(*grid));
  if (const auto* tree = std::get_if<TreeMetric>(&metric)) return any_codes(TreeCodes::of(*tree));
  if (const auto* routers = std::get_if<RouterMetric>(&metric))
    return any_codes(RouterCodes::of(*routers, network, allocation));
  return std::nullopt;
}

bool has_host_codes(const Network& network, const Allocation& allocation) {
  const HopMetric metric = coded_metric(network, allocation);
  if (const auto* tree = std::get_if<TreeMetric>(&metric)) return TreeCodes::of(*tree).has_value();
  if (const auto* routers = std::get_if<RouterMetric>(&metric))
    return router_rows(routers->hosts_per_router, network, allocation).first.size() <= max_routers;
  return std::holds_alternative<GridMetric>(metric);
}

template class GridCodes<3>;
template class GridCodes<6>;

namespace {

constexpr int max_kept_places = 4096;

/// Of more places with codes, rows are kept once they are asked for.
constexpr int max_places_known_at_once = 1024;

}  // namespace

HopTable::HopTable(const Network& network, const Allocation& allocation)
    : network_(&network),
      hosts_(allocation.hosts),
      num_places_(int_size(allocation.hosts)),
      codes_(host_codes(network, allocation)),
      symmetric_(codes_.has_value()) {
  if (codes_)
    for (const HostId host : hosts_)
      place_codes_.push_back(
          std::visit([&](const auto& codes) { return codes.code(host); }, *codes_));
  if (num_places_ > max_kept_places) return;
  // Not cleared: rows are written before they are read, and many never are.
  rows_ = std::make_unique_for_overwrite<std::uint16_t[]>(row_length() * row_length());
  if (codes_) {
    row_known_.assign(row_length(), 0);
    if (num_places_ > max_places_known_at_once) return;
    for (int p = 0; p < num_places_; ++p) learn_row(Place{p});
    keeps_all_ = true;
  } else if (fill()) {
    keeps_all_ = true;
    symmetric_ = is_symmetric();
  } else {
    rows_.reset();
  }
}

/// @returns false if a distance does not fit.
bool HopTable::fill() {
  std::uint16_t* entry = rows_.get();
  std::vector<int> row(hosts_.size());
  for (const HostId from : hosts_) {
    network_->hops_from(from, hosts_, row);
    for (std::size_t to = 0; to < row.size(); ++to) {
      const int hops = from == hosts_[to] ? 0 : row[to];
      if (hops > std::numeric_limits<std::uint16_t>::max()) return false;
      *entry++ = narrow<std::uint16_t>(hops);
    }
  }
  return true;
}

void HopTable::learn_row(Place place) const {
  row_known_[index(place)] = 1;
  std::visit(
      [&](const auto& codes) {
        std::uint16_t* entry = rows_.get() + index(place) * row_length();
        const auto from = codes.from(place_codes_[index(place)]);
        for (const std::uint64_t to : place_codes_)
          *entry++ = static_cast<std::uint16_t>(from.to(to));
      },
      *codes_);
}

int HopTable::asked(Place from, Place to) const {
  if (!codes_) return network_->hops(hosts_[index(from)], hosts_[index(to)]);
  return std::visit(
      [&](const auto& codes) {
        return int{codes.from(place_codes_[index(from)]).to(place_codes_[index(to)])};
      },
      *codes_);
}

bool HopTable::is_symmetric() const {
  for (std::size_t from = 0; from < row_length(); ++from)
    for (std::size_t to = 0; to < from; ++to)
      if (rows_[from * row_length() + to] != rows_[to * row_length() + from]) return false;
  return true;
}

void HopTable::add_hop_bytes(Place partner, Bytes sent, Bytes received,
                             std::span<double> sums) const {
  if (symmetric_ && rows_) {
    const double both = (sent + received).value;
    const std::uint16_t* row = kept_row(partner);
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += both * row[p];
    return;
  }
  for (std::size_t p = 0; p < sums.size(); ++p)
    sums[p] += sent.value * hops(id_at<Place>(p), partner) +
               received.value * hops(partner, id_at<Place>(p));
}

}  // namespace vtopo::detail
