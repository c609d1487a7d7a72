#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topology/ids.hpp"
#include "topology/units.hpp"

namespace vtopo {

/// How flows share a link: `shared` splits its bandwidth, `fatpipe` gives it whole to each flow.
enum class LinkSharing { shared, fatpipe };

/// What a directed link can carry.
struct LinkProperties {
  BytesPerSecond bandwidth;
  Seconds latency;
  LinkSharing sharing = LinkSharing::shared;
  bool counts_as_hop = true;  ///< false for limiter and loopback links
};

/// Vertices that a link leads from and to: hosts are 0..num_hosts-1, routers and switches follow.
struct LinkEnds {
  int from = 0;
  int to = 0;
};

/// The host graph: hosts, directed links and one route per ordered pair of hosts. Immutable to its
/// readers and safe to read from several threads.
class Network {
 public:
  Network() = default;
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  virtual ~Network() = default;

  /// Hosts are 0..num_hosts()-1.
  virtual int num_hosts() const = 0;

  /// Directed links are 0..num_links()-1; a cable that carries both ways apart is two of them.
  virtual int num_links() const = 0;

  /// Bandwidth, latency and sharing of one link.
  virtual LinkProperties link(LinkId link) const = 0;

  /// Name for people and for options, made on demand; unique within the network.
  virtual std::string link_name(LinkId link) const = 0;
  virtual std::string host_name(HostId host) const {
    return "host-" + std::to_string(number(host));
  }

  /// Vertices at both ends, or nothing where the network only knows routes (platform files).
  virtual std::optional<LinkEnds> link_ends(LinkId link) const = 0;

  /// Appends the links from `source` to `destination` in the order of travel; nothing for a host to
  /// itself.
  virtual void append_route(HostId source, HostId destination,
                            std::vector<LinkId>& links) const = 0;

  /// Links on the route that count as hops.
  virtual int hops(HostId source, HostId destination) const = 0;

  /// Most hops between any two hosts.
  virtual int diameter() const = 0;

  /// Sum of the bandwidths of all links by which traffic can leave `host`.
  virtual BytesPerSecond injection_bandwidth(HostId host) const = 0;

  /// One line that names the network: the canonical specification or the platform file.
  virtual std::string description() const = 0;
};

}  // namespace vtopo
