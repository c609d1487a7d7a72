#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Hosts that a name stands for, numbered one after the other.
struct NamedHosts {
  HostId first{};  ///< of them
  int count = 1;   ///< 1 but for nodes with places inside
};

/// Hosts of a network by name.
class HostNames {
 public:
  /// The network must outlive it.
  explicit HostNames(const Network& network);

  /// Host of that name; where there is none, the host whose name is in front of the first dot, so
  /// that `node1.site.org` finds `node1`.
  std::optional<HostId> find(std::string_view name) const;

  /// The same; the name of a node with places inside (`Network::host_place`) finds all of them.
  /// `+n0` is the first node (PRRTE), unless a host is called so.
  std::optional<NamedHosts> find_all(std::string_view name) const;

  /// The host or node whose name differs from this one in capitals alone, where there is one.
  std::optional<std::string> in_other_case(std::string_view name) const;

  /// For errors about an unknown name: `accepted are the 16 hosts "host-0" to "host-15"`, then
  /// `also`, then the nearest name if one is near.
  std::string accepted(std::string_view name, std::string_view also = "") const;

 private:
  const Network* network_;
  std::unordered_map<std::string, HostId> ids_;
  std::unordered_map<std::string, NamedHosts> nodes_;  ///< with places inside
  /// Names by what they are in small letters; empty where several are the same. Made when asked
  /// for.
  mutable std::unordered_map<std::string, std::string> in_small_letters_;
};

/// The network with other names of its hosts; itself for null.
/// @throws UsageError for another number of names than hosts, and for equal names.
std::shared_ptr<const Network> with_host_names(std::shared_ptr<const Network> network,
                                               const HostNameList& names);

/// @throws UsageError as `with_host_names`.
void check_host_names(const std::vector<std::string>& names, const Network& network);

/// Hosts that are up, ascending.
inline std::vector<HostId> working_hosts(const Network& network) {
  std::vector<HostId> hosts;
  hosts.reserve(index(network.num_hosts()));
  for (int h = 0; h < network.num_hosts(); ++h)
    if (network.is_up(HostId{h})) hosts.push_back(HostId{h});
  return hosts;
}

}  // namespace vtopo::detail
