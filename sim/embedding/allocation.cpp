#include "sim/embedding/allocation.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "sim/embedding/hostfile.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"
#include "topology/random.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

/// What a selection is made from: `kind:argument` as given, and the machine.
struct Selection {
  std::string_view spec;
  std::string_view argument;
  int num_hosts;
  std::uint64_t seed;
};

/// Integer `text` of the selection within [first, last].
int parse_in(const Selection& selection, std::string_view what, std::string_view text, int first,
             int last) {
  const auto value = parse_integer(text);
  if (!value || *value < first || *value > last)
    throw UsageError(
        fmt::format("{} \"{}\" in \"{}\": accepted are {}..{}, as the network has {} hosts", what,
                    text, selection.spec, first, last, selection.num_hosts));
  return narrow<int>(*value);
}

int host_count(const Selection& selection) {
  return parse_in(selection, "host count", selection.argument, 1, selection.num_hosts);
}

std::vector<HostId> consecutive(int start, int count) {
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) hosts.push_back(HostId{start + i});
  return hosts;
}

std::vector<HostId> select_all(const Selection& selection) {
  if (selection.spec != "all")
    throw UsageError(fmt::format("hosts \"{}\": all takes no argument", selection.spec));
  return consecutive(0, selection.num_hosts);
}

std::vector<HostId> select_first(const Selection& selection) {
  return consecutive(0, host_count(selection));
}

std::vector<HostId> select_block(const Selection& selection) {
  const auto numbers = split(selection.argument, ',');
  if (numbers.size() != 2)
    throw UsageError(fmt::format("hosts \"{}\": accepted is block:START,COUNT", selection.spec));
  const int start = parse_in(selection, "first host", numbers[0], 0, selection.num_hosts - 1);
  const int count = parse_in(selection, "host count", numbers[1], 1, selection.num_hosts - start);
  return consecutive(start, count);
}

/// Every subset is equally likely; ascending, as batch systems list hosts.
std::vector<HostId> select_random(const Selection& selection) {
  const int count = host_count(selection);
  auto hosts = consecutive(0, selection.num_hosts);
  Random random(selection.seed);
  shuffle(std::span(hosts), random);
  hosts.resize(static_cast<std::size_t>(count));
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

std::vector<HostId> select_spaced(const Selection& selection) {
  const std::int64_t count = host_count(selection);
  std::vector<HostId> hosts;
  for (std::int64_t i = 0; i < count; ++i)
    hosts.push_back(HostId{narrow<int>(i * selection.num_hosts / count)});
  return hosts;
}

std::vector<HostId> select_list(const Selection& selection) {
  std::vector<HostId> hosts;
  std::vector<bool> taken(static_cast<std::size_t>(selection.num_hosts));
  for (const auto text : split(selection.argument, ',')) {
    const HostId host{parse_in(selection, "host", text, 0, selection.num_hosts - 1)};
    if (taken[index(host)])
      throw UsageError(
          fmt::format("host {} is named twice in \"{}\": several ranks on a host are "
                      "a matter of slots",
                      number(host), selection.spec));
    taken[index(host)] = true;
    hosts.push_back(host);
  }
  return hosts;
}

struct SelectionKind {
  std::string_view name;
  std::vector<HostId> (*select)(const Selection&);
};

constexpr std::array<SelectionKind, 6> selection_kinds{{{"all", select_all},
                                                        {"first", select_first},
                                                        {"block", select_block},
                                                        {"random", select_random},
                                                        {"spaced", select_spaced},
                                                        {"list", select_list}}};

std::vector<HostId> select_hosts(std::string_view kind, const Selection& selection) {
  std::vector<std::string> names{"file"};
  for (const auto& [name, select] : selection_kinds) {
    if (name == kind) return select(selection);
    names.emplace_back(name);
  }
  throw UsageError(
      fmt::format("hosts \"{}\": accepted are all, first:N, block:START,N, random:N, spaced:N, "
                  "list:0,5,9 and file:FILE{}",
                  selection.spec, suggestion(kind, names)));
}

/// One entry per host from one entry for all or one per host.
std::vector<int> spread_slots(std::span<const int> slots, std::size_t num_hosts) {
  if (slots.size() != 1 && slots.size() != num_hosts)
    throw UsageError(fmt::format("{} slot counts for {} hosts: accepted are 1 or {}", slots.size(),
                                 num_hosts, num_hosts));
  for (const int count : slots)
    if (count < 1) throw UsageError(fmt::format("slots {}: each count must be >= 1", count));
  if (slots.size() == 1) return std::vector<int>(num_hosts, slots[0]);
  return {slots.begin(), slots.end()};
}

Allocation allocation_of_file(const Network& network, const std::string& path,
                              std::span<const int> slots) {
  const auto entries = read_hostfile(path, network);
  Allocation allocation{{}, spread_slots(slots, entries.size())};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    allocation.hosts.push_back(entries[i].host);
    if (entries[i].slots) allocation.slots[i] = *entries[i].slots;
  }
  return allocation;
}

}  // namespace

std::int64_t Allocation::num_slots() const {
  return std::accumulate(slots.begin(), slots.end(), std::int64_t{0});
}

Allocation make_allocation(const Network& network, std::string_view hosts,
                           std::span<const int> slots, std::uint64_t seed) {
  const std::size_t colon = hosts.find(':');
  const std::string_view kind = hosts.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view() : hosts.substr(colon + 1);
  if (kind == "file") return allocation_of_file(network, std::string(argument), slots);
  auto selected = select_hosts(kind, {hosts, argument, network.num_hosts(), seed});
  auto counts = spread_slots(slots, selected.size());
  return {std::move(selected), std::move(counts)};
}

}  // namespace vtopo
