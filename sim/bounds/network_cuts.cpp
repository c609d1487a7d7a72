#include "sim/bounds/network_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

UsedLinks all_links(const Network& network, const std::vector<HostId>& hosts) {
  UsedLinks result{std::vector<bool>(index(LinkId{network.num_links()}), true), {}};
  std::vector<HostDoors> doors(index(HostId{network.num_hosts()}));
  for (int l = 0; l < network.num_links(); ++l) {
    result.used[index(LinkId{l})] = network.link_is_up(LinkId{l});
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return result;
    if (ends->from < network.num_hosts()) ++doors[index(HostId{ends->from})].out;
    if (ends->to < network.num_hosts()) ++doors[index(HostId{ends->to})].in;
  }
  for (const HostId host : hosts) result.doors.push_back(doors[index(host)]);
  return result;
}

}  // namespace

UsedLinks find_used_links(const Network& network, const Allocation& allocation) {
  if (!network.splits_flows() && allocation.num_hosts() <= max_routed_hosts) try {
      return links_of_routes(network, allocation.hosts);
    } catch (const InputError&) {  // two hosts without a route: no embedding uses both
    }
  return all_links(network, allocation.hosts);
}

BytesPerSecond cut_capacity(const LinkProperties& link) {
  return link.sharing == LinkSharing::fatpipe
             ? BytesPerSecond{std::numeric_limits<double>::infinity()}
             : link.bandwidth;
}

namespace {

/// What the cells of a family hold and can exchange.
class Cells {
 public:
  explicit Cells(VertexCells cells)
      : cells_(std::move(cells)),
        slots_(static_cast<std::size_t>(cells_.count)),
        up_(static_cast<std::size_t>(cells_.count)),
        down_(up_),
        capacity_(up_) {}

  void add_slots(HostId host, int slots) { slots_[at(cells_.of(number(host)))] += slots; }

  void add_link(const LinkEnds& ends, const Network& network, LinkId link) {
    const int from = cells_.of(ends.from), to = cells_.of(ends.to);
    if (from == to) return;
    const LinkProperties properties = network.link(link);
    if (properties.hops <= 0) cells_.hops = 0;
    const BytesPerSecond capacity = cut_capacity(properties);
    const bool both_ways = !network.link_ends(link);
    if (cells_.joined != AxisKind::complete) {
      const auto [low, high] = std::minmax(from, to);
      const int cell = high - low == 1 ? low : cells_.count - 1;
      add(cell, capacity, (from == cell) || both_ways, (to == cell) || both_ways);
      return;
    }
    if (from >= 0) add(from, capacity, true, both_ways);
    if (to >= 0) add(to, capacity, both_ways, true);
  }

  CutFamily family() && {
    up_to_ = slots_;
    std::partial_sum(up_to_.begin(), up_to_.end(), up_to_.begin());
    CutFamily family{std::move(cells_.name), {}, cells_.joined == AxisKind::complete, cells_.hops};
    if (family.disjoint)
      for (std::size_t cell = 0; cell < slots_.size(); ++cell)
        family.cuts.push_back({slots_[cell], capacity_[cell], std::max(up_[cell], down_[cell])});
    else if (cells_.joined == AxisKind::path)
      for (int c = 0; c + 1 < cells_.count; ++c) family.cuts.push_back(cut_between(-1, c));
    else
      add_opposite_pairs(family);
    return family;
  }

 private:
  static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }

  void add(int cell, BytesPerSecond capacity, bool up, bool down) {
    capacity_[at(cell)] += capacity;
    if (up) up_[at(cell)] += capacity;
    if (down) down_[at(cell)] += capacity;
  }

  /// Pairs of boundaries half a ring apart: on a ring of even size the hops between two cells are
  /// the pairs that part them, of odd size half of them.
  void add_opposite_pairs(CutFamily& family) const {
    const int half = cells_.count / 2;
    const bool odd = cells_.count % 2 == 1;
    if (odd) family.hops /= 2;
    for (int c = 0; c < (odd ? cells_.count : half); ++c) {
      const int other = (c + half) % cells_.count;
      family.cuts.push_back(cut_between(std::min(c, other), std::max(c, other)));
    }
  }

  /// The cells after `first` up to `last`.
  NetworkCut cut_between(int first, int last) const {
    if (first < 0)
      return {up_to_[at(last)], capacity_[at(last)], std::max(up_[at(last)], down_[at(last)])};
    return {up_to_[at(last)] - up_to_[at(first)], capacity_[at(last)] + capacity_[at(first)],
            std::max(up_[at(last)] + down_[at(first)], down_[at(last)] + up_[at(first)])};
  }

  VertexCells cells_;
  std::vector<std::int64_t> slots_;  ///< one entry per cell
  std::vector<std::int64_t> up_to_;  ///< sums of the first ones
  /// Of the links out of each cell; on a path or ring, of those to the next cell.
  std::vector<BytesPerSecond> up_;
  std::vector<BytesPerSecond> down_;  ///< of those back
  /// Both ways.
  std::vector<BytesPerSecond> capacity_;
};

}  // namespace

std::vector<CutFamily> network_cuts(const Network& network, const Allocation& allocation,
                                    const UsedLinks& used) {
  std::vector<Cells> families;
  for (VertexCells& cells : network.cuts()) families.emplace_back(std::move(cells));
  if (families.empty()) return {};
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place)
    for (Cells& family : families)
      family.add_slots(allocation.hosts[place], allocation.slots[place]);
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_sides(LinkId{l});
    if (!ends) return {};
    if (!used.takes(LinkId{l})) continue;
    for (Cells& family : families) family.add_link(*ends, network, LinkId{l});
  }
  std::vector<CutFamily> result;
  result.reserve(families.size());
  for (Cells& family : families) result.push_back(std::move(family).family());
  std::erase_if(result, [](const CutFamily& family) { return family.cuts.empty(); });
  return result;
}

JobCuts job_cuts(const Network& network, const Allocation& allocation) {
  JobCuts cuts{find_used_links(network, allocation), {}, {}, {}};
  cuts.named = network_cuts(network, allocation, cuts.used);
  cuts.links = cheapest_link_cuts(cuts.used);
  for (const LinkCuts& links : cuts.links)
    cuts.cheapest.push_back(capacities_of(links, network, allocation));
  return cuts;
}

}  // namespace vtopo::detail
