#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::overlay {

/// Simulated time that processes spend in neighbourhood collectives over one virtual topology:
/// those of a communicator and its duplicates.
struct TopologyTimes {
  std::string topology;  ///< `cart:4x4p`, `graph`, `dist_graph`
  int ranks = 0;
  long calls = 0;
  std::vector<double> seconds;  ///< by rank in MPI_COMM_WORLD
};

/// The record of a new communicator, for the report.
std::shared_ptr<TopologyTimes> times_of(const VirtualTopology& topology);

/// While one lives, the simulated time that passes for the calling process is counted.
class TimedCall {
 public:
  /// @param times may be null.
  explicit TimedCall(std::shared_ptr<TopologyTimes> times);
  TimedCall(const TimedCall&) = delete;
  TimedCall& operator=(const TimedCall&) = delete;
  ~TimedCall();

 private:
  std::shared_ptr<TopologyTimes> times_;
  double start_;
};

/// The calling process has joined, or leaves.
void begin_run();
void end_run();

/// Appends the line of the whole run to the file of VTOPO_RUN, if it is set; once all have left.
/// @throws InputError if it cannot be written.
void write_run();

/// Appends a line to the file of VTOPO_RUN; nothing happens without one or if it fails.
void append_to_run(std::string_view line) noexcept;

}  // namespace vtopo::detail::overlay
