#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/machine_file.hpp"
#include "netmodels/process/child_limits.hpp"
#include "netmodels/routing.hpp"
#include "sim/experiment/parsed.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/simulation/simulate.hpp"
#include "topology/base/units_text.hpp"
#include "topology/patterns/pattern_spec.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

/// Volumes of `1MiB,512KiB`: one, or one per dimension.
/// @throws UsageError
std::vector<Bytes> parse_volumes(const std::string& list);

/// A finite number >= 1.
/// @throws UsageError
double parse_taper(const std::string& text);

/// Ranks per host, one number or one per host.
/// @throws UsageError for anything but numbers from 1 to 1000000.
std::vector<int> parse_slots(const std::string& list);

/// Limits of the processes in which SimGrid runs, as written; empty: the usual ones.
struct LimitOptions {
  std::string run_limit;
  std::string memory_limit;
};

/// The limits; `inf` is none, what is not given is absent.
/// @throws UsageError for a time that is not > 0 and for less than one byte.
ChildLimits parse_limits(const LimitOptions& options);

/// What is to be found out: who communicates with whom, on which interconnect, placed by which
/// mappers. Its options are described in `scenario_options`. Specifications that need a network, a
/// file or a plugin to be read stay text.
struct Scenario {
  std::string topology;
  Parsed<parse_volumes> bytes = "1MiB";
  std::vector<Parsed<parse_patterns>> patterns;  ///< none: every neighbour at once
  std::string schedule;                          ///< file; empty: none
  std::string traffic;
  std::optional<Parsed<parse_traffic_format>> traffic_format;
  Parsed<parse_prof_kinds> prof_kinds = "E";
  Parsed<parse_record_kinds> record_kinds = "all";
  std::optional<int> ranks;
  bool per_message = false;

  std::string network;
  Parsed<parse_bandwidth> bandwidth = "10GBps";
  Parsed<parse_seconds> latency = "100ns";
  std::string platform;
  std::optional<Parsed<parse_machine_format>> platform_format;  ///< absent: by the file
  Parsed<parse_taper> taper = "1";  ///< of Slurm's trees, which say nothing about cables
  bool simgrid_compatible = false;
  Parsed<parse_routing> routing = "simgrid";
  std::vector<std::string> fail_links;
  std::vector<std::string> fail_hosts;
  std::vector<Parsed<parse_scaled_links>> scale_bandwidth;

  std::string hosts = "all";
  Parsed<parse_slots> slots = "1";
  std::uint64_t seed = 1;
  std::string background;  ///< file of what other jobs send; empty: none

  std::string mappers = mapper_of(MapperRole::baseline).name;
  std::vector<std::string> plugins;             ///< files, in the order given
  std::string embedding;                        ///< file instead of mappers; empty: none
  std::optional<std::string> embedding_format;  ///< absent: by its extension
  std::optional<std::int64_t> steps;
  std::optional<Parsed<parse_objective>> objective;  ///< absent: hop-bytes
  std::optional<Parsed<parse_seconds>> time_limit;   ///< of each mapper
  std::optional<bool> simulate;                      ///< absent: if SimGrid can
  Parsed<parse_solver> solver = "auto";
  Parsed<parse_network_model> network_model = "CM02";
  Parsed<parse_bandwidth> loopback_bandwidth = "inf";
  std::optional<int> top_links;  ///< of each row; absent: none

  int threads = 0;  ///< 0: as many as the hardware runs
  LimitOptions limits;
};

}  // namespace vtopo
