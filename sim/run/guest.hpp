#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/run/observer.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/mpi/virtual_topology.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

struct TrafficSource;

/// The specification of a parallel program with the numbers of its `model=FILE.json` instead of the
/// file; any other specification as it is.
/// @throws InputError with file, line and column.
std::string with_model(const std::string& spec);

/// Volumes that neighbours along each dimension of a grid exchange when it divides a domain into
/// blocks: the elements on a face of the largest block. Dimensions of the domain behind those of
/// the grid are not divided.
/// @param element bytes per element, times the depth of the halo.
/// @throws UsageError if the grid has more dimensions than the domain or more ranks along one than
/// there are elements.
std::vector<Bytes> halo_volumes(const Cartesian& grid, const std::vector<std::int64_t>& domain,
                                Bytes element);

/// The hosts of a job and where they are. Referred values must outlive it.
struct JobNodes {
  const Network& network;
  const Allocation& allocation;
};

/// Schedule of a JSON file: `{"phases": [...]}`, with `"barriers": true` if each step starts when
/// the one before has ended on every rank. Each phase is an object with `repeat` (default 1; of a
/// pattern, each of its phases in a row), `with` (name of a phase before it, at the same time as
/// which it runs), `name` and
/// - `pattern`, as `--pattern` takes it, one or several, and `bytes`, which stands instead of
///   `volume`; or
/// - `traffic`, a recorded communication matrix as seen from the folder in which the command runs,
///   called by its file where it has no name.
/// Recordings that name fewer ranks than the topology have the missing ones silent.
/// @param topology of the patterns; absent if there is none.
/// @param volume of patterns that have no `bytes`.
/// @param nodes of the job: `on_nodes`.
/// @param observer of what a reader should know of how traffic was read.
/// @throws InputError with file, line and column for anything malformed, for patterns that do not
/// apply and for phases of different numbers of ranks; and as `read_traffic`.
Schedule read_schedule_file(const std::string& path, const std::optional<GuestTopology>& topology,
                            std::span<const Bytes> volume, const JobNodes& nodes,
                            Observer& observer);

/// The pattern with the slots of a node, which may be several hosts, as its `ranks_per_node`, where
/// it needs and lacks that.
/// @throws UsageError for nodes of different numbers.
PatternSpec on_nodes(PatternSpec spec, const JobNodes& nodes);

/// Most ranks of a host under `--imbalance`, as partitioners count: ranks per host, rounded up, and
/// a share more, rounded down.
int balanced_slots(int ranks, int hosts, double imbalance);

/// What ranks weigh, where hosts are to be balanced and a traffic file has weights.
struct RankBalance {
  std::vector<double> weights;  ///< one entry per rank
  double even = 0;              ///< share of a host
  double most = 0;              ///< of a host: the share, rounded up, and the imbalance more
  double imbalance = 0;         ///< as a share

  /// Most ranks that a host can take, the lightest ones.
  int most_ranks() const;
};

/// Null where all ranks weigh the same.
/// @param imbalance share beyond that of a host which it may have.
std::shared_ptr<const RankBalance> rank_balance(const TrafficSource& traffic, double imbalance,
                                                int hosts);

}  // namespace vtopo::detail
