#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// Some of the free hosts: their positions in `FreeHosts::free`, ascending.
using HostSet = std::vector<int>;

/// What a job may ask for.
struct FreeHosts {
  const Network& network;  ///< that they are hosts of
  Allocation free;         ///< hosts that may be asked for, ascending
  int ranks = 1;           ///< of the job, >= 1

  /// Number of free hosts.
  int size() const { return free.num_hosts(); }
  /// The host at a position.
  HostId host(int position) const { return free.hosts[index(position)]; }
  /// Ranks that it takes.
  int slots(int position) const { return free.slots[index(position)]; }
};

/// Free hosts in ascending order, as batch systems fill them.
/// @throws FitError if the ranks do not fit.
FreeHosts make_free_hosts(const Network& network, const Allocation& free, int ranks);

/// The first hosts of an order that have slots for all ranks; nothing if it has too few.
std::optional<HostSet> take_hosts(const FreeHosts& from, std::span<const int> order);

/// Whether a set has slots for all ranks.
bool has_room(const FreeHosts& from, const HostSet& set);

/// The allocation that a set is.
Allocation allocation_of(const FreeHosts& from, const HostSet& set);

/// The first free hosts.
HostSet first_hosts(const FreeHosts& from);

/// Free hosts at random, every set equally likely where all have the same slots.
HostSet random_hosts(const FreeHosts& from, std::uint64_t seed);

/// About what a batch system gives. Where the network has parts, the one with the fewest free slots
/// that the whole job fits into, smallest kind of parts first, else the parts with the most free
/// slots (best fit of Slurm's topology/tree); without parts the shortest run of free hosts with
/// consecutive numbers that is long enough, else the longest runs (best fit of its consecutive
/// choice).
HostSet scheduled_hosts(const FreeHosts& from);

/// Free positions by part: an entry per part, each ascending.
std::vector<std::vector<int>> free_by_part(const FreeHosts& from, const HostPartition& parts);

/// Runs of the free hosts in their order, at most `most`, evenly spread.
std::vector<HostSet> consecutive_sets(const FreeHosts& from, int most);

/// Hosts of boxes of routers, where these form a grid (`Network::coordinates`): boxes that no
/// smaller one could stand for, those with the shortest sides first, each at up to four origins at
/// which enough of its hosts are free. At most `most`.
std::vector<HostSet> box_sets(const FreeHosts& from, int most);

/// Hosts of the parts of the machine (`Network::parts`), of each kind: one part that has room, the
/// fewest parts, parts that follow each other, and as many from each of 2, 4, 8, ... parts. At most
/// about `most` of each kind.
std::vector<HostSet> part_sets(const FreeHosts& from, int most);

/// Sets that grow from a host, up to `seeds` of them evenly spread: the hosts nearest to it, and
/// always the host with the fewest hops to those that are in.
std::vector<HostSet> grown_sets(const FreeHosts& from, int seeds);

/// What a job costs on a set of hosts; the smaller time is better, at a tie the fewer hop-bytes.
struct SetCost {
  double seconds = 0;    ///< predicted
  double hop_bytes = 0;  ///< decides ties

  friend auto operator<=>(const SetCost&, const SetCost&) = default;  ///< in this order
};

/// A set with its cost and how it was found.
struct FoundSet {
  HostSet hosts;
  SetCost cost;
  std::string origin;  ///< `box`, `part`, ...: human-readable
};

/// Cost of a set; it may be left out if it is not below that of `limit`, where there is one.
using SetEvaluation = std::function<std::optional<SetCost>(const HostSet&, const SetCost* limit)>;

/// How long to search.
struct SetSearchBudget {
  std::int64_t sets = 2000;  ///< evaluations, >= 1
  bool every_set = false;    ///< all sets are tried, however many
  std::uint64_t seed = 1;    ///< of everything random
};

/// What a search found.
struct SetSearchResult {
  std::vector<FoundSet> best;  ///< at most eight, best first, and the best of every origin
  std::int64_t tried = 0;      ///< sets evaluated
  bool complete = false;       ///< whether those were all sets there are
};

/// Number of sets of as few hosts as have room; nothing where hosts have different slots, or above
/// 10^15.
std::optional<std::int64_t> number_of_sets(const FreeHosts& from);

/// Evaluates the usual sets, runs, boxes, parts and grown sets, exchanges hosts of the best ones
/// for others while that helps, and goes on from random changes of the best set until the budget
/// is used. All sets are tried instead if the budget has room for them. Deterministic.
/// @throws UsageError for `every_set` where there is no number of sets, or more than 2,000,000.
SetSearchResult search_host_sets(const FreeHosts& from, const SetEvaluation& evaluate,
                                 const SetSearchBudget& budget, const Progress& progress = {});

}  // namespace vtopo::detail
