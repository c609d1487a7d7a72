#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// What a link of this class can carry: the rates given, the defaults for the others.
/// @throws UsageError unless the bandwidth is 0.001 to 1e18 and the latency 0 to 1e9.
LinkProperties link_properties(const LinkRates& rates, const NetworkDefaults& defaults);

/// Keys of a specification, `,bandwidth=10GBps/5GBps,latency=100ns`, that give these classes of
/// links their rates: one value if it is the same for all, otherwise one per class. A key is left
/// out where no class has a rate of its own. `prefix` goes in front of the names of both keys.
std::string rate_keys(std::span<const LinkRates> classes, const NetworkDefaults& defaults,
                      std::string_view prefix = "");

/// `9.4GBps`: few digits, and parse_bandwidth returns exactly this bandwidth.
std::string exact_text(BytesPerSecond bandwidth);
/// `90ns`: few digits, and parse_seconds returns exactly this time.
std::string exact_text(Seconds time);

/// Links of one kind with what they really have: a platform file may not tell kinds apart.
struct LinkRanges {
  std::string name;        ///< of the kind
  std::int64_t links = 0;  ///< number of directed links
  BytesPerSecond least_bandwidth;
  BytesPerSecond max_bandwidth;
  Seconds least_latency;
  Seconds max_latency;
};

/// One entry per kind, in the order of `Network::link_classes`; O(links).
std::vector<LinkRanges> link_ranges(const Network& network);

/// `10 GB/s`, or `125 MB/s to 2.5 GB/s` where they differ.
std::string bandwidth_range(BytesPerSecond least, BytesPerSecond most);

/// `1 us`, or `2 us to 10 us`.
std::string latency_range(Seconds least, Seconds most);

/// Whether all of a flow, whose entries begin with `first`, takes the same links.
bool takes_one_route(const std::vector<LinkShare>& shares, std::size_t first);

/// Joins entries of one link, from entry `first` on, which end up in the order of links. Shares of
/// a link are added up in the order given.
void join_entries(std::vector<LinkShare>& shares, std::size_t first);

/// Links that are up, count as hops and lead away from each host of a network, as far as it is
/// known where links lead; those that are used both ways lead away from both ends. Listed at the
/// first question, in O(hosts + links).
class LinksAtHosts {
 public:
  /// @param network the same one each time.
  const std::set<LinkId>& of(const Network& network, HostId host) const;

 private:
  mutable std::once_flag listed_;
  mutable std::vector<std::set<LinkId>> links_;  ///< one entry per host
};

}  // namespace vtopo::detail
