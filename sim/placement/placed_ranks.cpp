#include "sim/placement/placed_ranks.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

NodeSlots::NodeSlots(const Network& network, const Allocation& allocation)
    : network_(&network), slots_(index(network.num_hosts())) {
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots_[index(allocation.hosts[i])] = allocation.slots[i];
}

NodeSlot NodeSlots::of(HostId host, int slot) const {
  HostPlace place = network_->host_place(host);
  for (int before = 1; before <= place.core.value_or(0); ++before)
    slot += width(HostId{number(host) - before});
  return {std::move(place.node), slot};
}

std::optional<HostId> NodeSlots::host(const NamedHosts& node, std::int64_t slot) const {
  for (int h = number(node.first); slot >= 0 && h < number(node.first) + node.count; ++h) {
    slot -= width(HostId{h});
    if (slot < 0) return HostId{h};
  }
  return std::nullopt;
}

std::int64_t NodeSlots::count(const NamedHosts& node) const {
  std::int64_t sum = 0;
  for (int h = number(node.first); h < number(node.first) + node.count; ++h)
    sum += width(HostId{h});
  return sum;
}

namespace {

constexpr std::int64_t max_ranks_of_a_file = 16777216;

std::size_t max_ranks(const Allocation& allocation) {
  return static_cast<std::size_t>(
      std::min<std::int64_t>(allocation.num_slots(), max_ranks_of_a_file));
}

}  // namespace

PlacedRanks::PlacedRanks(std::optional<int> num_ranks, const Network& network,
                         const Allocation& allocation)
    : network_(&network),
      allocation_(&allocation),
      hosts_(num_ranks ? index(*num_ranks) : max_ranks(allocation)),
      lines_(hosts_.size()),
      slots_(index(network.num_hosts())),
      open_(!num_ranks) {
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots_[index(allocation.hosts[i])] = allocation.slots[i];
  free_ = slots_;
}

NamedHosts PlacedRanks::named(std::string_view name, const FilePosition& position) {
  if (!names_) names_.emplace(*network_);
  if (const auto found = names_->find_all(name)) return *found;
  throw input_error(position, fmt::format("unknown host \"{}\": {}", name, names_->accepted(name)));
}

HostId PlacedRanks::host_named(std::string_view name, const FilePosition& position) {
  const auto [first, count] = named(name, position);
  for (int h = number(first); h < number(first) + count; ++h)
    if (free_[index(HostId{h})] > 0) return HostId{h};
  return first;
}

HostId PlacedRanks::host_named(std::string_view name, std::string_view slot,
                               const FilePosition& position) {
  const NamedHosts known = named(name, position);
  if (known.count == 1) return known.first;  // which core a slot names is the launcher's
  if (!node_slots_) node_slots_.emplace(*network_, *allocation_);
  const auto number = parse_integer(slot);
  const auto host = number ? node_slots_->host(known, *number) : std::nullopt;
  if (host) return *host;
  throw input_error(position, fmt::format("slot \"{}\" of node \"{}\": accepted are 0 to {}", slot,
                                          name, node_slots_->count(known) - 1));
}

HostId PlacedRanks::host_with_slot(std::string_view name, std::string_view slot,
                                   const FilePosition& position) {
  const HostId host = host_named(name, slot, position);
  const int slots = slots_[index(host)];
  if (slots == 0 || named(name, position).count > 1) return host;
  if (const auto number = parse_integer(slot); number && *number < slots) return host;
  throw input_error(position, fmt::format("slot \"{}\" of host \"{}\": accepted are 0 to {}; "
                                          "--slots counts them",
                                          slot, name, slots - 1));
}

HostId PlacedRanks::host_numbered(std::int64_t id, const FilePosition& position) const {
  if (id >= 0 && id < network_->num_hosts()) return HostId{static_cast<int>(id)};
  throw input_error(
      position, fmt::format("host number {}: accepted are 0 to {}", id, network_->num_hosts() - 1));
}

void PlacedRanks::place(Rank rank, HostId host, const FilePosition& position) {
  if (number(rank) < 0 || number(rank) >= num_ranks())
    throw input_error(position, fmt::format("rank {}: the {} has {} {}, from 0", number(rank),
                                            open_ ? "allocation" : "virtual topology", num_ranks(),
                                            open_ ? "slots" : "ranks"));
  if (lines_[index(rank)] != 0)
    throw input_error(position, fmt::format("rank {} is placed twice (first in line {})",
                                            number(rank), lines_[index(rank)]));
  const std::string name = network_->host_name(host);
  if (slots_[index(host)] == 0)
    throw input_error(position, fmt::format("rank {} on host \"{}\", which is not in the "
                                            "allocation of {} hosts",
                                            number(rank), name, allocation_->num_hosts()));
  if (free_[index(host)] == 0)
    throw input_error(position, fmt::format("rank {} is one more than the slots of host \"{}\" "
                                            "({}); --slots counts them",
                                            number(rank), name, slots_[index(host)]));
  --free_[index(host)];
  hosts_[index(rank)] = host;
  lines_[index(rank)] = std::max(1, position.line);
  ++num_placed_;
}

Embedding PlacedRanks::embedding(const std::string& path) const {
  const auto missing = std::find(lines_.begin(), lines_.end(), 0);
  if (open_ && num_placed_ == 0) throw input_error({path}, "the file places no rank");
  if (open_ && missing - lines_.begin() == num_placed_)
    return {{hosts_.begin(), hosts_.begin() + num_placed_}, *allocation_};
  if (missing != lines_.end())
    throw input_error({path}, fmt::format("rank {} is missing: the file places {} of the {} ranks "
                                          "of the virtual topology",
                                          missing - lines_.begin(), num_placed_, num_ranks()));
  return {hosts_, *allocation_};
}

}  // namespace vtopo::detail
