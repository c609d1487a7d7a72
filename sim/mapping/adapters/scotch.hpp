#pragma once

#include <scotch.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/placement/allocation.hpp"

namespace vtopo::detail {

/// Checks what a function of Scotch returned.
/// @throws UsageError with what Scotch said since the last check, unless `code` is 0.
void check_scotch(int code, std::string_view what);

/// Hosts that ranks are mapped to, and how many ranks each should take.
struct TargetHosts {
  std::vector<Place> places;  ///< ascending
  std::vector<int> ranks;     ///< one entry per place, each >= 1
};

/// All hosts if nearly every slot is needed, else the part of the machine that the host hierarchy
/// fills first: Scotch spreads ranks over all hosts that it is given.
TargetHosts target_hosts(const Network& network, const Allocation& allocation,
                         const HopTable& table, int num_ranks);

/// Hosts as Scotch's target architecture; terminal i is `hosts.places[i]`.
///
/// Tori and meshes are Scotch's own of the same sizes (both count hosts with the first dimension
/// fastest), nested groups of hosts its trees with the hops up to each level, and a part of a
/// machine is a part of these. Any other network, also one with failed links, and hosts that take
/// unequal numbers of ranks, are a decomposition: the host hierarchy as binary tree and the hops of
/// every pair.
class ScotchTarget {
 public:
  /// Decompositions take memory with the square of the hosts.
  static constexpr std::size_t max_decomposed_hosts = 4096;

  /// @throws UsageError if Scotch cannot hold the target.
  ScotchTarget(const Network& network, const Allocation& allocation, const HopTable& table,
               const TargetHosts& hosts);
  ScotchTarget(const ScotchTarget&) = delete;
  ScotchTarget& operator=(const ScotchTarget&) = delete;
  ~ScotchTarget();

  SCOTCH_Arch* get() { return is_part_ ? &part_ : &whole_; }
  int num_hosts() { return static_cast<int>(SCOTCH_archSize(get())); }

  /// Distance between two terminals as Scotch sees it; of a decomposition unknown.
  std::optional<int> distance(int from, int to);

 private:
  bool make_closed_form(const Network& network);
  void take_part(const Network& network, const Allocation& allocation, const TargetHosts& hosts);
  void decompose(const Network& network, const Allocation& allocation, const HopTable& table,
                 const TargetHosts& hosts);

  SCOTCH_Arch whole_{};
  SCOTCH_Arch part_{};
  bool is_part_ = false;
  bool is_decomposition_ = false;
};

/// Whether the network, without failed links, is one of those that Scotch knows in closed form.
bool has_closed_form_target(const Network& network);

/// Which of Scotch's strategies maps.
enum class ScotchStrategy { standard, quality, speed };

/// What Scotch is asked for.
struct ScotchRequest {
  /// Share by which a host may take more ranks than it has slots; 0: none if Scotch can.
  double balance = 0;
  ScotchStrategy strategy = ScotchStrategy::standard;
};

/// Place of every rank as Scotch maps them: hosts may take more ranks than slots. Draws from the
/// problem's seed; equal problems give equal places.
/// @throws UsageError with what Scotch says if it fails.
std::vector<Place> scotch_places(const MappingProblem& problem, const Partners& partners,
                                 const HopTable& table, const ScotchRequest& request);

/// Why Scotch cannot map a problem, or nothing.
std::optional<std::string> scotch_unsupported_reason(const MappingProblem& problem);

}  // namespace vtopo::detail
