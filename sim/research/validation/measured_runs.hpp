#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo::detail {

/// A measured time of a collective operation, a line of `runs.csv`.
struct MeasuredPoint {
  std::string machine;     ///< as the file writes it, as the next five
  std::string run;         ///< names the allocation
  std::string nodes;       ///< their number, or the shape of the job: `8x8x8`
  std::string collective;  ///< as patterns are called
  std::string algorithm;   ///< as the library or benchmark calls it
  std::string library;     ///< `ompi`, `mpich`, `fjmpi`, or `over` for the benchmark's own
  Bytes bytes;             ///< whole vector: what a rank of `allgather` ends with
  Seconds time;            ///< median over iterations, each that of the slowest rank
  int ranks = 1;           ///< of all nodes
  int tasks_per_node = 1;  ///< ranks of each node
  double noise = 0;        ///< half of ln(p90 / p10) of its iterations; 0: not known

  int num_nodes() const { return ranks / tasks_per_node; }  ///< of the job
};

/// Two measured algorithms that differ in nothing but who sends to whom in which step, a line of
/// `pairs.csv`.
struct MeasuredPair {
  MeasuredPoint a, b;                           ///< algorithms without the library at their end
  std::string algorithm_a, algorithm_b;         ///< as the file writes them
  std::optional<std::int64_t> segments, ports;  ///< as the file writes them; nothing: no value
  double noise = 0;                             ///< of the logarithm of the ratio

  double ratio() const { return a.time.value / b.time.value; }  ///< measured
};

/// Points of a file: a heading that names at least machine, run, nodes, collective,
/// algorithm, library, bytes and median_s, in any order, then a line for each point. A column
/// `tasks_per_node` may be there.
/// @throws InputError with file, line and column.
std::vector<MeasuredPoint> read_measured_points(const std::string& file);

/// Pairs of a file: a heading that names at least machine, run, nodes, collective, bytes, library,
/// algorithm_a, algorithm_b, median_a_s and median_b_s; there may be tasks_per_node, segments,
/// ports, p10_a_s, p90_a_s, p10_b_s, p90_b_s and ratio_a_over_b.
/// @throws InputError with file, line and column.
std::vector<MeasuredPair> read_measured_pairs(const std::string& file);

/// What vtopo calls the library that the files call `ompi`, `mpich`, `fjmpi` or `over`; others as
/// they are. `mpich` of these runs is HPE Cray's.
std::string_view library_of(std::string_view name);

/// File with the hosts of a run, `rank,host` in each line: `MACHINE-RUN-RANKS.csv` where there is
/// one, else `MACHINE-RUN.csv`.
std::string allocation_file(const std::string& folder, const MeasuredPoint& point);

/// The same for points that ran on the same hosts with the same ranks.
std::string place_key(const MeasuredPoint& point);

/// Measured points and pairs of one machine and its platform file.
struct MachineFiles {
  std::string machine, platform;
  std::vector<MeasuredPoint> points;  ///< in the order of the file
  std::vector<MeasuredPair> pairs;    ///< likewise
};

/// Which machines of measured points to take, and where their platform files are.
struct MachineSelection {
  std::string machine = {};    ///< empty: all
  std::string platform = {};   ///< file of the only machine; empty: from the folder
  std::string platforms = {};  ///< folder of platform files; empty: the shipped one
};

/// Points of `FOLDER/runs.csv` and pairs of `FOLDER/pairs.csv`, of which one may be missing, by
/// machine. The platform file of `mare_nostrum` is
/// `mare-nostrum.xml` of the folder, or the only one whose name goes on with a dash.
/// @throws InputError for a folder without points of the machine, or a machine without a platform
/// file; UsageError for one file for several machines.
std::vector<MachineFiles> machine_files(const std::string& folder,
                                        const MachineSelection& selection);

}  // namespace vtopo::detail
