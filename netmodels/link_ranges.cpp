#include "netmodels/link_ranges.hpp"

#include <algorithm>

namespace vtopo::detail {

namespace {

std::string range(const std::string& least, const std::string& most) {
  return least == most ? least : least + " to " + most;
}

}  // namespace

std::vector<LinkRanges> link_ranges(const Network& network) {
  std::vector<LinkRanges> kinds;
  for (const LinkClass& kind : network.link_classes())
    kinds.push_back({kind.name, 0, {}, {}, {}, {}});
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    LinkRanges& kind = kinds.at(static_cast<std::size_t>(network.link_class(LinkId{l})));
    const bool first = kind.links++ == 0;
    kind.least_bandwidth = first ? link.bandwidth : std::min(kind.least_bandwidth, link.bandwidth);
    kind.max_bandwidth = std::max(kind.max_bandwidth, link.bandwidth);
    kind.least_latency = first ? link.latency : std::min(kind.least_latency, link.latency);
    kind.max_latency = std::max(kind.max_latency, link.latency);
  }
  return kinds;
}

std::string bandwidth_range(BytesPerSecond least, BytesPerSecond most) {
  return range(format_bandwidth(least), format_bandwidth(most));
}

std::string latency_range(Seconds least, Seconds most) {
  return range(format_seconds(least), format_seconds(most));
}

}  // namespace vtopo::detail
