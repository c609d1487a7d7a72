#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/mpirun/smpi_options.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What a constructor of a virtual topology did, as the overlay reports it.
struct ConstructorReport {
  std::string call;  ///< `cart_create`
  int ranks = 0;
  std::string mapper;  ///< empty: the order was kept
  std::optional<Bytes> hop_bytes_before, hop_bytes_after;
  std::string kept_because;   ///< empty: it was not
  double predicted_gain = 0;  ///< part of the time of an iteration that the new order saves
  /// Collective operation that loses the most in the new order, and what part of its time; empty:
  /// not known.
  std::string worst_collective;
  double worst_change = 0;

  bool moved() const { return kept_because.empty(); }  ///< whether ranks have another order
};

/// Simulated time in neighbourhood collectives over one virtual topology.
struct TopologyReport {
  std::string topology;  ///< `cart:4x4p`
  int ranks = 0;
  long calls = 0;      ///< of all ranks
  Seconds mean, most;  ///< over ranks
};

/// Messages of a run between the ranks of MPI_COMM_WORLD.
struct RunTraffic {
  CommGraph point_to_point, collective, all;
};

/// A run that came to its end.
struct FinishedRun {
  Seconds simulated;  ///< from the end of MPI_Init to the last MPI_Finalize
  std::vector<Seconds> rank_seconds;
  std::vector<TopologyReport> topologies;
  RunTraffic traffic;
  std::string recording;  ///< text of the file
};

/// How a run went.
struct SmpiRun {
  int exit_code = 0;                    ///< what the command's is to be
  std::optional<std::string> sentence;  ///< on an end that is not a success
  std::vector<ConstructorReport> constructors;
  std::optional<FinishedRun> finished;  ///< if all ranks came to MPI_Finalize
  bool interrupted = false;
  bool has_no_ranks = false;  ///< it ended well and never called MPI_Init
  Seconds wall;               ///< measured
};

/// Everything that several runs of a program share.
struct SmpiJob {
  LoadedNetwork machine;
  LaunchPlacement placement;
  std::string smpirun, library, program;  ///< paths
  bool has_specification = false;         ///< of the network: an option, or a file with it
  std::string platform;  ///< text of the file that is simulated; empty: the library makes it
};

/// Looks everything up and checks it.
/// @throws UsageError, InputError, FitError: one sentence on what is missing or wrong.
SmpiJob prepare(const SmpiOptions& options);

/// Runs the program with constructors that reorder or not.
/// @param shows_output whether the program's standard output is the command's.
SmpiRun run_on_simulated_ranks(const SmpiOptions& options, const SmpiJob& job, bool reorder,
                               bool shows_output);

}  // namespace vtopo::detail
