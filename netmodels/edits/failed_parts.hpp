#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// What of a network is down: the links named and all those at failed hosts. Internal to
/// this room.
class FailedParts {
 public:
  FailedParts(const Network& network, const ResolvedEdits& edits)
      : hosts_(edits.failed_hosts.empty() ? 0 : index(network.num_hosts())) {
    for (const HostId host : edits.failed_hosts) hosts_[index(host)] = true;
    std::vector<bool> flags(index(network.num_links()));
    for (const LinkId link : edits.failed_links) flags[index(link)] = true;
    if (any_host())
      for (std::size_t l = 0; l < flags.size(); ++l)
        if (const auto ends = network.link_ends(id_at<LinkId>(l)))
          if (is_failed(network, ends->from) || is_failed(network, ends->to)) flags[l] = true;
    for (std::size_t l = 0; l < flags.size(); ++l)
      if (flags[l]) links_.push_back(id_at<LinkId>(l));
    if (!links_.empty()) flags_ = std::move(flags);
  }

  bool any_host() const { return !hosts_.empty(); }
  bool any_link() const { return !links_.empty(); }
  bool has(HostId host) const { return any_host() && hosts_[index(host)]; }
  bool has(LinkId link) const { return any_link() && flags_[index(link)]; }

  /// Ascending.
  const std::vector<LinkId>& links() const { return links_; }
  /// One entry per link; empty if all links work.
  const std::vector<bool>& flags() const { return flags_; }

  /// First failed link of a route.
  std::optional<LinkId> first_of(std::span<const LinkId> route) const {
    for (const LinkId link : route)
      if (has(link)) return link;
    return std::nullopt;
  }

 private:
  bool is_failed(const Network& network, int vertex) const {
    return vertex < network.num_hosts() && hosts_[index(vertex)];
  }

  std::vector<bool> hosts_;  ///< one entry per host; empty if all hosts work
  std::vector<bool> flags_;
  std::vector<LinkId> links_;
};

/// Kinds of links after edits: a kind of the network that is now of several bandwidths, or has
/// failed links, becomes several kinds.
struct EditedClasses {
  std::vector<LinkClass> classes;
  std::vector<int> class_of;  ///< one entry per link
};

/// @param factors of the bandwidths, one entry per link; empty: all 1.
EditedClasses edited_classes(const Network& network, const FailedParts& failed,
                             std::span<const double> factors);

}  // namespace vtopo::detail
