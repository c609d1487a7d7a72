#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// What a link of an endpoint can carry; without limit where nothing is said.
struct EndpointRate {
  BytesPerSecond bandwidth{std::numeric_limits<double>::infinity()};  ///< per direction
  Seconds latency{0};                                                 ///< per message

  /// Whether it changes anything: a link without limit is left out.
  bool limits() const;

  friend bool operator==(const EndpointRate&, const EndpointRate&) = default;  ///< memberwise
};

/// Which of its network interfaces (NICs) a node takes for a message. `rank`: each place of a node
/// has its own, place modulo their number, to send and to receive. `destination`: that of the
/// receiving place, at both ends; without places inside, the number of the receiving host counts.
/// `round_robin`: successive messages take one after the other, which in the fluid model is an even
/// split: all NICs of a node are one link of their summed bandwidth.
enum class NicPolicy { rank, round_robin, destination };

/// In which plane of a network with several a message between interfaces of different planes goes:
/// the receiver's (inside the sending node to the interface there), the sender's (inside the
/// receiving node from the interface there), or out by the sender's and in by the receiver's over
/// top switches that join all planes.
enum class RailPolicy { sender, receiver, spine };

/// One level of the inside of a node: `arity` things below have a link each to what joins them.
struct NodeLevel {
  int arity = 1;      ///< >= 1
  std::string name;   ///< of the links: `nvlink`
  EndpointRate rate;  ///< of each link
};

/// What is between the ranks of a host and the network: keys that every network accepts.
struct EndpointSpec {
  int nics = 1;                               ///< per node, >= 1
  EndpointRate injection;                     ///< of each NIC, out of the node
  EndpointRate extraction;                    ///< of each NIC, into the node
  NicPolicy policy = NicPolicy::round_robin;  ///< where there are several
  std::vector<NodeLevel> levels = {};         ///< from the places up; none: a node is one place
  std::optional<RailPolicy> rail = {};        ///< as given; nothing: `receiver`
  /// Interface g of each node is in plane g modulo this number of the network; 1: none is.
  int planes = 1;

  /// Whether the network is as without them.
  bool empty() const { return levels.empty() && !has_interfaces(); }
  /// Whether interfaces limit anything, or decide on planes.
  bool has_interfaces() const { return injection.limits() || extraction.limits() || planes > 1; }
};

/// The keys that every network accepts.
const std::vector<NetworkKey>& endpoint_keys();

/// Takes the keys of endpoints out of a specification.
/// @param network_keys those of its network, which cannot be names of levels.
/// @throws UsageError that names the value, the specification and what is accepted.
EndpointSpec take_endpoints(SpecText& spec, const std::vector<NetworkKey>& network_keys);

/// The keys of endpoints of a specification that has no others.
/// @throws UsageError as `take_endpoints`.
EndpointSpec interfaces_of(std::string_view text);

/// FILE.xml of hwloc where the specification of a network has `node=FILE.xml`, else nothing.
/// @throws UsageError for what is not a specification.
std::string node_file_of(std::string_view text);

/// The endpoints with the planes in which their interfaces are.
/// @throws UsageError for numbers of interfaces and planes that do not go together, and `rail=`
/// where interfaces are in no planes.
EndpointSpec in_planes(EndpointSpec endpoints, const Network& network);

/// The keys that give these endpoints again: `,nics=4,injection=25GBps`.
std::string endpoint_text(const EndpointSpec& endpoints);

/// The network whose hosts are places inside the hosts of `inner`, or these themselves, behind
/// network interfaces: routes are those of `inner` between links out of a node and into one. Links
/// of `inner` keep their ids. Links of interfaces are not hops, those inside nodes are. `inner`
/// itself if the endpoints change nothing.
/// @throws UsageError for more hosts, links or vertices than ids can count.
std::shared_ptr<const Network> make_endpoint_network(std::shared_ptr<const Network> inner,
                                                     const EndpointSpec& endpoints);

}  // namespace vtopo::detail
