#include "netmodels/more_models/dragonfly_plus/cells.hpp"

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::int64_t counted_plus(std::int64_t count) {
  if (count > max_id)
    throw UsageError("dragonfly-plus with more than 2147483647 hosts, switches or directed links");
  return count;
}

/// The specification itself once nothing that follows from its numbers can overflow.
const DragonflyPlusSpec& checked_plus(const DragonflyPlusSpec& spec) {
  for (const int count : {spec.cells, spec.leaves, spec.spines, spec.hosts_per_leaf, spec.links})
    if (count < 1)
      throw UsageError(fmt::format("dragonfly-plus number {}: each must be >= 1", count));
  const std::int64_t leaves = counted_plus(std::int64_t{spec.cells} * spec.leaves);
  const std::int64_t hosts = counted_plus(leaves * spec.hosts_per_leaf);
  const std::int64_t local = counted_plus(counted_plus(leaves * spec.spines) * 2);
  const std::int64_t pairs = counted_plus(std::int64_t{spec.cells} * (spec.cells - 1));
  counted_plus(2 * hosts + local + counted_plus(pairs * spec.links));
  counted_plus(hosts + leaves + counted_plus(std::int64_t{spec.cells} * spec.spines));
  return spec;
}

}  // namespace

DragonflyPlusCells::DragonflyPlusCells(const DragonflyPlusSpec& spec)
    : cells_(checked_plus(spec).cells),
      leaves_(spec.leaves),
      spines_(spec.spines),
      hosts_(spec.hosts_per_leaf),
      links_(spec.links),
      num_leaves_(spec.cells * spec.leaves),
      num_hosts_(num_leaves_ * spec.hosts_per_leaf),
      by_hosts_(hosts_),
      by_leaves_(leaves_),
      by_spines_(spines_),
      by_links_(links_) {
  if (!spec.hosts.empty()) place_unequal(spec.hosts);
  first_local_ = 2 * num_hosts_;
  first_global_ = first_local_ + 2 * num_leaves_ * spines_;
  num_links_ = first_global_ + cells_ * (cells_ - 1) * links_;
}

void DragonflyPlusCells::place_unequal(const std::vector<std::vector<int>>& hosts) {
  if (int_size(hosts) != cells_)
    throw UsageError(
        fmt::format("hosts of {} cells for a dragonfly-plus of {} cells", hosts.size(), cells_));
  first_leaf_ = {0};
  first_host_ = {0};
  for (int cell = 0; cell < cells_; ++cell) {
    const auto& leaves = hosts[static_cast<std::size_t>(cell)];
    if (leaves.empty() || int_size(leaves) > leaves_)
      throw UsageError(
          fmt::format("cell {} of a dragonfly-plus with {} leaves: accepted are 1 to {}", cell,
                      leaves.size(), leaves_));
    for (const int at_leaf : leaves) {
      if (at_leaf < 0 || at_leaf > hosts_)
        throw UsageError(
            fmt::format("leaf of cell {} of a dragonfly-plus with {} hosts: accepted are 0 to {}",
                        cell, at_leaf, hosts_));
      leaf_of_.insert(leaf_of_.end(), static_cast<std::size_t>(at_leaf), int_size(cell_of_));
      cell_of_.push_back(cell);
      first_host_.push_back(int_size(leaf_of_));
    }
    first_leaf_.push_back(int_size(cell_of_));
  }
  if (leaf_of_.empty()) throw UsageError("a dragonfly-plus needs at least one host");
  num_leaves_ = int_size(cell_of_);
  num_hosts_ = int_size(leaf_of_);
}

DragonflyPlusLinks DragonflyPlusCells::kind(LinkId link) const {
  if (number(link) < first_local_) return DragonflyPlusLinks::host;
  return number(link) < first_global_ ? DragonflyPlusLinks::local : DragonflyPlusLinks::global;
}

std::int64_t DragonflyPlusCells::links_of(DragonflyPlusLinks kind) const {
  if (kind == DragonflyPlusLinks::host) return first_local_;
  return kind == DragonflyPlusLinks::local ? first_global_ - first_local_
                                           : num_links_ - first_global_;
}

LinkEnds DragonflyPlusCells::ends(LinkId link) const {
  const int id = number(link);
  switch (kind(link)) {
    case DragonflyPlusLinks::host: {
      const int host = id / 2, at = leaf_vertex(leaf(HostId{host}));
      return id % 2 == 0 ? LinkEnds{host, at} : LinkEnds{at, host};
    }
    case DragonflyPlusLinks::local: {
      const int cable = (id - first_local_) / 2, at = cable / spines_;
      const int above = spine_vertex(cell(at), cable % spines_);
      return (id - first_local_) % 2 == 0 ? LinkEnds{leaf_vertex(at), above}
                                          : LinkEnds{above, leaf_vertex(at)};
    }
    case DragonflyPlusLinks::global:
      break;
  }
  const int pair = (id - first_global_) / links_, from = pair / (cells_ - 1);
  const int position = pair % (cells_ - 1), to = position < from ? position : position + 1;
  return {spine_vertex(from, spine(from, to, link_of(link))),
          spine_vertex(to, spine(to, from, link_of(link)))};
}

int DragonflyPlusCells::cell_of_switch(int vertex) const {
  if (are_equal()) return (vertex - num_hosts_) / (leaves_ + spines_);
  int low = 0, high = cells_;  // its cell is one of low..high-1
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (first_vertex(middle) <= vertex ? low : high) = middle;
  }
  return low;
}

}  // namespace vtopo::detail
