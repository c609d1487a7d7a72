#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/sharing/changing_flows.hpp"

namespace vtopo::detail {

/// Messages between hosts as flows on the links of a network, from their starts to their ends.
class RoutedFlows {
 public:
  /// How a message has started.
  struct Started {
    double latency = 0;    ///< seconds, of its route
    bool is_flow = false;  ///< false: it has no bytes, or no link limits it
  };

  /// The network must outlive it.
  explicit RoutedFlows(const Network& network);

  /// Starts a message at the present time.
  /// @param name returned when its last byte leaves.
  Started start(std::int32_t name, HostId from, HostId to, double volume);

  /// When the next message ends; infinity if there is none.
  double next_end() { return flows_.next_end(); }

  /// Lets the time pass, as `ChangingFlows::advance`.
  /// @return names of the messages that end. Valid until the next call.
  std::span<const std::int32_t> advance(double time);

  std::uint64_t num_updates() const { return flows_.num_updates(); }

 private:
  /// A link of the network that messages have passed.
  struct PassedLink {
    LinkProperties properties;
    std::int32_t number;  ///< among the links that flows share; -1: they do not share it
  };

  PassedLink passed(LinkId id);
  std::int32_t private_link(double rate);

  const Network& network_;
  ChangingFlows flows_;
  std::vector<std::int32_t> place_;  ///< of each link of the network in `passed_`; -1: none yet
  std::vector<PassedLink> passed_;   ///< a job on a part of a large machine knows few of its links
  std::vector<LinkShare> shares_;
  std::vector<FlowLink> links_;
  std::vector<std::int32_t> name_;          ///< of each flow
  std::vector<std::int32_t> private_link_;  ///< of each flow; -1: none
  std::vector<std::int32_t> free_links_;    ///< private links that no flow has
  std::vector<std::int32_t> ended_;
};

}  // namespace vtopo::detail
