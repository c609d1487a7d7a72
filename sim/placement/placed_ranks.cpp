#include "sim/placement/placed_ranks.hpp"

#include <unordered_set>
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

PlacedRanks::PlacedRanks(std::optional<int> num_ranks, const Network& network,
                         const Allocation& allocation)
    : network_(&network),
      allocation_(&allocation),
      hosts_(index(num_ranks.value_or(0))),
      lines_(hosts_.size()),
      slots_(index(network.num_hosts())),
      open_(!num_ranks) {
  for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
    slots_[index(allocation.hosts[i])] = allocation.slots[i];
  free_ = slots_;
}

NamedHosts PlacedRanks::named(std::string_view name, const FilePosition& position) {
  if (!names_) names_.emplace(*network_);
  if (name.starts_with("+n")) return relative(name, position);
  if (const auto found = names_->find_all(name)) return *found;
  throw input_error(position, fmt::format("unknown host \"{}\": {}", name, names_->accepted(name)));
}

/// Names of PRRTE relative to the job: `+n0` is its first node.
NamedHosts PlacedRanks::relative(std::string_view name, const FilePosition& position) {
  if (nodes_.empty()) {
    std::unordered_set<HostId> known;
    for (const HostId host : allocation_->hosts) {
      const HostPlace place = network_->host_place(host);
      const HostId first{number(host) - place.core.value_or(0)};
      const auto node = place.core ? names_->find_all(place.node) : std::nullopt;
      if (known.insert(first).second) nodes_.push_back(node.value_or(NamedHosts{host, 1}));
    }
  }
  const auto node = parse_integer(name.substr(2));
  if (node && *node >= 0 && *node < int_size(nodes_)) return nodes_[index(*node)];
  throw input_error(position, fmt::format("host \"{}\": accepted are +n0 to +n{}, the nodes of the "
                                          "job in their order",
                                          name, int_size(nodes_) - 1));
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

namespace {

/// The first core of `3`, `0,2`, `0-3` or `*`; nothing if it is no such list.
std::optional<std::int64_t> first_core(std::string_view list) {
  std::optional<std::int64_t> least;
  for (const auto piece : split(list, ',')) {
    const std::size_t dash = piece.find('-', 1);
    const auto first = piece == "*" ? std::int64_t{0} : parse_integer(piece.substr(0, dash));
    const auto last = dash == piece.npos ? first : parse_integer(piece.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
    if (!least) least = first;
  }
  return least;
}

/// Places of a node that share a socket: those that are nearer to its first one than the farthest.
/// A node whose places are equally far from each other has one socket.
int places_of_socket(const Network& network, const NamedHosts& node) {
  const auto hops = [&](int place) {
    return network.hops(node.first, HostId{number(node.first) + place});
  };
  const int farthest = hops(node.count - 1);
  int near = 1;
  while (near < node.count && hops(near) < farthest) ++near;
  return near > 1 ? near : node.count;
}

}  // namespace

HostId PlacedRanks::host_with_cores(std::string_view name, const FilePosition& position,
                                    std::string_view cores, const FilePosition& cores_position) {
  const NamedHosts node = named(name, position);
  // Places between semicolons, which the rank may move among: the first one counts.
  std::string_view list = trim(cores.substr(0, cores.find(';')));
  if (list.starts_with('p') || list.starts_with('P')) list.remove_prefix(1);
  // Several pieces of a socket each, as 0:1,1:0: the first one counts.
  const std::size_t colon = list.find(':');
  const std::size_t second = colon == list.npos ? colon : list.find(':', colon + 1);
  if (second != list.npos) list = list.substr(0, list.rfind(',', second));
  const auto core = first_core(list.substr(colon == list.npos ? 0 : colon + 1));
  const auto socket = colon == list.npos ? std::int64_t{0} : first_core(list.substr(0, colon));
  if (!core || !socket)
    throw input_error(
        cores_position,
        fmt::format("slot \"{}\": accepted are cores such as 1, 0,2 or 0:2-3", cores));
  if (node.count == 1) return node.first;  // which core a slot names is the launcher's
  if (!node_slots_) node_slots_.emplace(*network_, *allocation_);
  const std::int64_t slots = node_slots_->count(node);
  const std::int64_t per_socket = slots * places_of_socket(*network_, node) / node.count;
  const std::int64_t sockets =
      std::max<std::int64_t>(1, slots / std::max<std::int64_t>(1, per_socket));
  if (colon != list.npos && (*socket >= sockets || *core >= per_socket))
    throw input_error(cores_position,
                      fmt::format("slot \"{}\" of node \"{}\": accepted are sockets 0 to {} and "
                                  "cores 0 to {} of each",
                                  cores, name, sockets - 1, per_socket - 1));
  if (const auto host = node_slots_->host(node, *socket * per_socket + *core)) return *host;
  throw input_error(cores_position, fmt::format("slot \"{}\" of node \"{}\": accepted are 0 to {}",
                                                cores, name, slots - 1));
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
    throw input_error(position,
                      fmt::format("rank {}: the {} has {} ranks, from 0", number(rank),
                                  open_ ? "largest embedding" : "virtual topology", num_ranks()));
  if (open_ && index(rank) >= hosts_.size()) {
    hosts_.resize(index(rank) + 1);
    lines_.resize(hosts_.size());
  }
  if (lines_[index(rank)] != 0)
    throw input_error(position, fmt::format("rank {} is placed twice (first in line {})",
                                            number(rank), lines_[index(rank)]));
  const std::string name = network_->host_name(host);
  if (slots_[index(host)] == 0)
    throw input_error(position, fmt::format("rank {} on host \"{}\", which is not in the "
                                            "allocation of {} hosts",
                                            number(rank), name, allocation_->num_hosts()));
  if (free_[index(host)] == 0) overflow_ = overflow_ ? overflow_ : Overflow{rank, host, position};
  --free_[index(host)];
  hosts_[index(rank)] = host;
  lines_[index(rank)] = std::max(1, position.line);
  ++num_placed_;
}

void PlacedRanks::check_slots() const {
  if (!overflow_) return;
  int needed = 0;
  HostId fullest{};
  for (std::size_t h = 0; h < free_.size(); ++h)
    if (slots_[h] - free_[h] > needed) {
      needed = slots_[h] - free_[h];
      fullest = id_at<HostId>(h);
    }
  const std::string sentence = fmt::format(
      "rank {} is one more than the slots of host \"{}\" ({}): raise --slots to {}, as the file "
      "has {} ranks on \"{}\"",
      number(overflow_->rank), network_->host_name(overflow_->host), slots_[index(overflow_->host)],
      needed, needed, network_->host_name(fullest));
  if (allocation_->num_slots() < num_placed_)
    throw FitError(to_string(overflow_->position) + ": " + sentence);
  throw input_error(overflow_->position, sentence);
}

Embedding PlacedRanks::embedding(const std::string& path) const {
  check_slots();
  const auto missing = std::find(lines_.begin(), lines_.end(), 0);
  if (open_ && num_placed_ == 0) throw input_error({path}, "the file places no rank");
  if (open_ && missing - lines_.begin() == num_placed_)
    return {{hosts_.begin(), hosts_.begin() + num_placed_}, *allocation_};
  if (missing != lines_.end())
    throw input_error({path}, fmt::format("rank {} is missing: the file places {} of the {} ranks "
                                          "of the virtual topology",
                                          missing - lines_.begin(), num_placed_, hosts_.size()));
  return {hosts_, *allocation_};
}

}  // namespace vtopo::detail
