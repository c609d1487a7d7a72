#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// Ways to write a network as a SimGrid platform file.
enum class PlatformForm {
  cluster,   ///< one `<cluster>`: SimGrid builds the network and computes the routes
  zones,     ///< every host, link and route, one by one (`--form explicit`)
  property,  ///< the specification in properties: vtopo builds the network, plain SimGrid does not
};

/// Form of `--form`: `cluster`, `explicit` or `property`; nothing for `auto`.
/// @throws UsageError for any other name.
std::optional<PlatformForm> parse_platform_form(std::string_view name);

/// Link from a host to itself.
struct LoopbackLink {
  BytesPerSecond bandwidth;  ///< of each message by itself
  Seconds latency;           ///< of each message
};

/// What a platform file says about its network, all as typed on the command line.
struct PlatformSource {
  std::string network;                ///< specification, or what it is if it has none
  std::string bandwidth = "10GBps";   ///< default of links; empty: there is no specification
  std::string latency = "100ns";      ///< default of links
  std::vector<std::string> comments;  ///< lines for the head of the file
  /// Link from each host to itself, of which each message has all; absent: none.
  std::optional<LoopbackLink> loopback = std::nullopt;
  std::string host_names = {};  ///< of `listed_host_names`; empty: hosts are numbered
  /// Further properties of the form `property`, name without `vtopo-`, and value.
  std::vector<std::pair<std::string, std::string>> properties = {};
};

/// Routes that a file in the form `zones` may list: by itself, and if it is asked for.
constexpr std::size_t max_routes_unasked = std::size_t{1} << 18;  // those of 512 hosts
constexpr std::size_t max_routes = std::size_t{1} << 20;

/// A platform file and how it came about.
struct GeneratedPlatform {
  PlatformForm form = PlatformForm::cluster;  ///< the one that was written
  std::string xml;                            ///< text of the file
  std::string sentence;                       ///< human-readable: which form, and what it means
};

/// Writes a network as a SimGrid platform file (DTD 4.1) with hosts in the order of their ids.
/// Equal input gives equal bytes. Without a form it takes the first of: a cluster where SimGrid's
/// is the same network with the same routes; zones up to `max_routes_unasked` routes; properties.
/// @throws UsageError where the form, or any, cannot hold the network: the sentence says why.
GeneratedPlatform generate_platform(const Network& network, const PlatformSource& source,
                                    std::optional<PlatformForm> form);

/// @throws UsageError for what SimGrid cannot simulate: routes that split flows, infinite
/// bandwidths.
void check_for_simgrid(const Network& network);

}  // namespace vtopo
