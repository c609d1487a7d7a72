#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/limits.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/routing.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/objective.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

/// A value with the text that it was written as, which reports repeat. Valid by construction.
/// @tparam parse reads the text and throws what it is about.
template <auto parse>
class Parsed {
 public:
  /// What `parse` returns.
  using Value = std::decay_t<decltype(parse(std::string()))>;

  /// @throws what `parse` throws.
  Parsed(std::string text) : text_(std::move(text)), value_(parse(text_)) {}
  /// The same, so that defaults can be literals.
  Parsed(const char* text) : Parsed(std::string(text)) {}

  /// As it was written.
  const std::string& text() const { return text_; }
  /// The value.
  const Value& operator*() const { return value_; }
  /// Members of the value.
  const Value* operator->() const { return &value_; }

  /// Whether both were written in the same way.
  friend bool operator==(const Parsed& a, const Parsed& b) { return a.text_ == b.text_; }

 private:
  std::string text_;
  Value value_;
};

/// Elements per dimension of `1024x1024x512`.
/// @throws UsageError for anything but whole numbers from 1 to 2^40.
std::vector<std::int64_t> parse_domain(const std::string& text);

/// Volumes of `1MiB,512KiB`: one, or one per dimension.
/// @throws UsageError
std::vector<Bytes> parse_volumes(const std::string& list);

/// A finite number >= 1.
/// @throws UsageError
double parse_taper(const std::string& text);

/// Ranks per host, one number or one per host, as Slurm writes them: `4(x2),3` is `4,4,3`.
/// @throws UsageError for anything but numbers from 1 to 1000000.
std::vector<int> parse_slots(const std::string& list);

/// A finite number >= 0.
/// @throws UsageError
double parse_compute_scale(const std::string& text);

/// Share of `1%` or `0.01`; absent for `auto`, which the noise of the machine decides; `none` is
/// minus infinity: always accepted.
/// @throws UsageError for anything else.
std::optional<double> parse_gain(const std::string& text);

/// Share of `3%` or `0.03`.
/// @throws UsageError for anything but numbers from 0 to 1.
double parse_imbalance(const std::string& text);

/// Share of `20%` or `0.2`, above 0 and below 1.
/// @throws UsageError for anything else.
double parse_variation(const std::string& text);

/// Limits of the processes in which SimGrid runs, as written; empty: the usual ones.
struct LimitOptions {
  std::string run_limit;     ///< seconds, `inf` or empty
  std::string memory_limit;  ///< bytes, `inf` or empty
};

/// A bandwidth of links: as `parse_bandwidth`, but finite.
/// @throws UsageError that names what is accepted.
BytesPerSecond parse_link_bandwidth(std::string_view text);

/// The limits; `inf` is none, what is not given is absent.
/// @throws UsageError for a time that is not > 0 and for less than one byte.
Limits parse_limits(const LimitOptions& options);

/// What is to be found out: who communicates with whom, on which interconnect, placed by which
/// mappers. Its options are described in `scenario_options`. Specifications that need a network, a
/// file or a plugin to be read stay text.
struct Scenario {
  std::string topology;  ///< specification of the application: `cart:8x8x8`; empty: `traffic`
  Parsed<parse_volumes> bytes = "1MiB";  ///< per directed edge; of a grid also one per dimension
  std::optional<Parsed<parse_domain>> domain;    ///< that a grid divides; absent: `bytes`
  Parsed<parse_bytes> element = "8B";            ///< per element of `domain`
  std::vector<Parsed<parse_patterns>> patterns;  ///< none: every neighbour at once
  std::string schedule;                          ///< file; empty: none
  bool barriers = false;  ///< a step starts when the one before has ended on every rank
  std::string traffic;    ///< recording, file or folder; empty: `topology`
  /// Traffic in memory, which `traffic` then only names; null: it is read.
  std::shared_ptr<const CommGraph> traffic_graph = nullptr;
  std::optional<Parsed<parse_traffic_format>> traffic_format;  ///< absent: by the file
  Parsed<parse_prof_kinds> prof_kinds = "E";                   ///< of Open MPI's profiles
  Parsed<parse_record_kinds> record_kinds = "all";             ///< of recordings by vtopo_record
  Parsed<parse_weights> weights = "value";                     ///< of matrices
  std::optional<int> ranks;  ///< where the recording does not say; absent: as it says
  bool per_message = false;  ///< volumes of a recording are divided by its messages

  std::string trace;                                  ///< recorded program; empty: `topology`
  std::string trace_format;                           ///< as in `TraceOptions`
  Parsed<parse_compute_scale> compute_scale = "1";    ///< of its local work
  std::optional<Parsed<parse_patterns>> collectives;  ///< algorithms; absent: by the library
  bool prefix = false;  ///< whether a trace that is cut off is replayed as far as all ranks came
  std::string library = "openmpi";  ///< whose rules choose algorithms of collectives

  std::string network;  ///< specification: `torus:8x8x8`; empty: `platform`
  Parsed<parse_link_bandwidth> bandwidth = "10GBps";   ///< of every link, per direction
  Parsed<parse_seconds> latency = "100ns";             ///< of every link
  std::optional<Parsed<parse_host_names>> host_names;  ///< of `network`; absent: numbered
  std::string platform;  ///< file that describes a machine; empty: `network`
  std::optional<Parsed<parse_machine_format>> platform_format;  ///< absent: by the file
  Parsed<parse_taper> taper = "1";         ///< of Slurm's trees, which say nothing about cables
  bool simgrid_compatible = false;         ///< routes of SimGrid 3.32 also where they are wrong
  Parsed<parse_routing> routing = "auto";  ///< the rule of `--routing`
  std::vector<std::string> fail_links;     ///< names or patterns
  std::vector<std::string> fail_hosts;     ///< names or patterns
  std::vector<Parsed<parse_scaled_links>>
      scale_bandwidth;  ///< `PATTERN=FACTOR`, in the order given

  std::string hosts = "all";        ///< which hosts the job has, as `--hosts`
  Parsed<parse_slots> slots = "1";  ///< ranks per host
  /// Ranks beyond ranks / hosts that a host may take, instead of `slots`; absent: `slots`.
  std::optional<Parsed<parse_imbalance>> imbalance;
  std::uint64_t seed = 1;  ///< of everything random
  std::string background;  ///< file of what other jobs send; empty: none

  std::string mappers = mapper_of(MapperRole::baseline).name;  ///< as `--mapper`
  std::vector<std::string> plugins;                            ///< files, in the order given
  std::string embedding;                        ///< file instead of mappers; empty: none
  std::optional<std::string> embedding_format;  ///< absent: by its extension
  std::optional<std::int64_t> steps;            ///< tried exchanges per mapper; absent: no limit
  std::optional<Parsed<parse_objective>> objective;  ///< absent: time
  std::optional<Parsed<parse_seconds>> time_limit;   ///< of each mapper and simulation
  Parsed<parse_gain> min_gain = "auto";  ///< by which a mapper must beat the order given
  std::optional<bool> simulate;          ///< absent: if SimGrid can
  Parsed<parse_solver> solver = "auto";  ///< of the simulation
  Parsed<parse_network_model> network_model = "CM02";  ///< of SimGrid
  Parsed<parse_bandwidth> loopback_bandwidth = "inf";  ///< between ranks of one host
  std::optional<Parsed<parse_seconds>> overhead;       ///< per message and end; absent: by the file
  std::optional<Parsed<parse_seconds>> gap;            ///< absent: by the file, else as overhead
  std::optional<Parsed<parse_bytes>> eager_limit;      ///< absent: by the platform file, else none
  std::optional<Parsed<parse_seconds>> handshake;      ///< absent: by the platform file, else none
  std::optional<Parsed<parse_bandwidth>> memory_bandwidth;     ///< absent: by the platform file
  std::optional<Parsed<parse_bandwidth>> reduction_bandwidth;  ///< absent: by the platform file
  std::optional<int> top_links;                                ///< of each row; absent: none
  std::optional<Parsed<parse_variation>> sensitivity;          ///< absent: nothing is varied
  bool ideal = false;  ///< whether each row has its busiest link under ideal routing

  int threads = 0;      ///< 0: as many as the hardware runs
  LimitOptions limits;  ///< of processes in which SimGrid runs
};

}  // namespace vtopo
