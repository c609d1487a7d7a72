#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/endpoint_properties.hpp"
#include "netmodels/limits.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network_facts.hpp"
#include "netmodels/routing.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/comm_graph.hpp"
#include "topology/patterns/pattern.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

/// Elements that a grid divides into blocks: neighbours exchange the faces of the largest.
struct DividedDomain {
  std::vector<std::int64_t> sizes;  ///< per dimension
  Bytes element;                    ///< per element, times the depth of the halo
  std::string text;                 ///< as written
};

/// What an exchange sends: per directed edge, or per dimension of a grid.
using ExchangeVolumes = std::variant<std::vector<Bytes>, DividedDomain>;

/// An exchange over a virtual topology.
struct TopologySource {
  std::string spec;                   ///< `cart:8x8x8`
  ExchangeVolumes volumes;            ///< of patterns without their own
  std::vector<PatternSpec> patterns;  ///< one after the other; none: every neighbour at once
  std::string patterns_text;          ///< as written, with commas
  bool barriers = false;              ///< a step starts when the one before has ended on every rank
  std::optional<int> ranks = {};      ///< that it must have; absent: any number
  std::string assumed = {};           ///< sentence on what was not given; empty: nothing
};

/// A file of phases.
struct ScheduleSource {
  std::string file;
  std::string topology;     ///< of its patterns; empty: none
  ExchangeVolumes volumes;  ///< of patterns without their own
  bool barriers = false;    ///< also where the file does not ask for them
};

/// A recorded communication matrix.
struct TrafficSource {
  std::string path;                        ///< file or folder
  std::shared_ptr<const CommGraph> graph;  ///< in memory, which `path` then only names; may be null
  TrafficOptions options;                  ///< of the file
  bool per_message = false;                ///< volumes are divided by their messages
};

/// A recorded program.
struct TraceSource {
  std::string path;
  TraceOptions options;
};

/// Who communicates with whom.
using GuestSource = std::variant<TopologySource, ScheduleSource, TrafficSource, TraceSource>;

/// An interconnect that a specification describes.
struct NetworkSpecification {
  std::string spec;            ///< `torus:8x8x8`
  NetworkDefaults links;       ///< where the specification says nothing
  std::string bandwidth_text;  ///< of the links, as written
  std::string node_map;        ///< file with the places of nodes; empty: none
};

/// A file that describes a machine: a platform of SimGrid, a tree of Slurm, or a fabric.
struct MachineFile {
  std::string path;
  MachineFormat format;
  CableAssumptions cables;       ///< where the file does not say
  std::string taper_text;        ///< as written
  HostNameList host_names = {};  ///< instead of those in the file; null: these
  std::string node_map = {};     ///< file with the places of nodes; empty: none
};

/// The interconnect.
struct NetworkSource {
  std::variant<NetworkSpecification, MachineFile> from;
  RoutingOptions routing;       ///< rule that chooses among routes
  NetworkEdits edits;           ///< what fails or has another bandwidth
  EndpointProperties endpoint;  ///< what the user says of the ends of messages
  Limits limits;                ///< of processes in which SimGrid reads the file
};

/// Which hosts a job has, and how many ranks they take.
struct JobHosts {
  std::string hosts;                             ///< as `--hosts`
  std::variant<std::vector<int>, double> slots;  ///< of hosts; or the share beyond ranks / hosts
  std::uint64_t seed = 1;                        ///< of hosts at random
  std::string background;                        ///< file of what other jobs send; empty: none
  /// Embedding whose ranks per host count where no slots are given and the ranks do not fit; null
  /// without a file.
  const EmbeddingFormat* file_format = nullptr;
  std::string file = {};
};

/// What mappers may use.
struct RunBudget {
  std::optional<Parsed<parse_seconds>> time;  ///< of each; absent: any
  std::optional<std::int64_t> steps;          ///< tried exchanges; absent: any number
  int threads = 1;
  std::uint64_t seed = 1;  ///< of everything random
};

/// Whether and how times are simulated.
struct ClockChoice {
  std::optional<bool> simulate;  ///< absent: if the solver can
  SimulationOptions how;         ///< its solver is never `automatic`
};

/// Who places the ranks, and what counts.
struct Mapping {
  std::optional<MapperSpec> order_file;  ///< reads the order given; absent: there is none
  std::vector<MapperSpec> mappers;
  Objective objective;
  Parsed<parse_gain> min_gain;  ///< by which a mapper must beat the order given
};

/// Each makes a piece of a scenario.
/// @throws UsageError for what is missing, and for options of which one would not count.
GuestSource guest_source(const Scenario& scenario);
NetworkSource network_source(const Scenario& scenario);
JobHosts job_of(const Scenario& scenario);
RunBudget budget_of(const Scenario& scenario);
ClockChoice clock_of(const Scenario& scenario);
Mapping mapping_of(const Scenario& scenario);

/// Whether it says what messages between hosts cost at their ends.
bool has_costs_between_hosts(const EndpointProperties& said);

}  // namespace vtopo::detail
