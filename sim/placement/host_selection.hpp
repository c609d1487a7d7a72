#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/host_names.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Whether `kind` is a part that some network has (`Network::parts`).
bool is_host_part(std::string_view kind);

/// Every kind of part, for `--hosts`.
std::vector<std::string> host_part_kinds();

/// Hosts of `--hosts` with the kind of those that show it without a network: `file:` of a file that
/// exists, `slurm:` of a list with brackets.
std::string with_plain_kind(std::string_view hosts);

/// Hosts that are up in parts of the machine, in the order of the list: `group:0,2`, `leaf:0-3,7`,
/// `plane:D=0-3` (coordinate in dimension D, counted from 0).
/// @throws UsageError for a network without such parts, a number that is none of them, a part
/// named twice and parts in which no host works.
std::vector<HostId> hosts_of_parts(const Network& network, std::string_view spec);

/// Host named by one line of a hostfile; no slots where the line does not count them.
struct HostfileEntry {
  HostId host{};
  std::optional<int> slots;
};

/// Adds the places of a node with as many slots for each, the first ones one more.
inline void add_places(const NamedHosts& node, std::optional<int> slots,
                       std::vector<HostfileEntry>& entries) {
  for (int place = 0; place < node.count; ++place) {
    HostfileEntry entry{HostId{number(node.first) + place}, std::nullopt};
    if (slots) entry.slots = (*slots + node.count - 1 - place) / node.count;
    if (entry.slots != 0) entries.push_back(entry);
  }
}

/// Reads a hostfile: what `read_listed_hosts` reads, where a host that is named several times has a
/// slot for each line, or as many as the lines say; or a table in CSV with columns `rank` and
/// `host`, as batch systems and `vtopo map` write it: then a host has a slot for each of its ranks.
/// Entries in the order of the file; of a table in that of the ranks. Names as `HostNames` finds
/// them, and `+n0`, the first node of the machine.
/// @param remark set if hosts come back behind others; null: not asked for.
/// @throws InputError with file, line and column for an unreadable file, a host that the network
/// does not have and a malformed line.
std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network,
                                         std::string* remark = nullptr);

/// Host of each rank by such a file: of a table in the order of ranks, of a list as many ranks on
/// each host as it has slots, one where the line does not say.
/// @throws InputError as above, and for ranks that are not 0, 1, ... without a gap.
std::vector<HostId> read_hosts_of_ranks(const std::string& path, const Network& network);

}  // namespace vtopo::detail
