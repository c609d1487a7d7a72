#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/routing.hpp"
#include "sim/mapping/api/objective.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// The best that anybody is known to have reached on an instance.
struct BestKnown {
  const Measure* measure = &hop_bytes_measure();  ///< what `value` is of
  double value = 0;                               ///< in the unit of the measure, directed edges
  bool proven = false;  ///< no embedding is better: a better result is a mistake
  std::string source;   ///< paper, proof or who computed it
};

/// A mapping problem with a name: all that is needed to make it again.
struct Instance {
  std::string name;           ///< as `--instances` takes it
  std::string description;    ///< one human-readable sentence
  std::string guest;          ///< specification of a virtual topology, `traffic:` or `qap:FILE`
  std::string volumes = "1";  ///< bytes per directed edge, one entry or one per dimension; see
                              ///< `BenchProblem::unit` for simulations
  std::string network;        ///< specification of a network
  Routing routing = Routing::automatic;  ///< rule of the network
  int slots = 1;                         ///< of every host of the network
  std::string hosts = "all";             ///< that the job has, as `--hosts` takes it
  /// What it is about, unless an objective is given.
  const Measure* measure = &hop_bytes_measure();
  std::vector<std::string> sets = {};  ///< names of sets that it is in, besides `all` and `quick`
  bool quick = false;                  ///< among `quick`: at most 4,096 ranks, one per family
  std::optional<BestKnown> best = {};  ///< of `measure`
};

/// An instance in memory.
struct BenchProblem {
  CommGraph guest;                ///< one exchange of the application
  std::optional<Cartesian> grid;  ///< the virtual topology, if ranks are numbered by a grid
  std::shared_ptr<const Network> network;  ///< what ranks are mapped to
  double unit = 1;                         ///< bytes that a volume of 1 is in simulations
  Allocation allocation;                   ///< the job's hosts with the slots of the instance
};

/// All built-in instances, family by family, in the order of `--list`.
const std::vector<Instance>& built_in_instances();

/// Names of sets of built-in instances.
std::vector<std::string> instance_sets();

/// Instances of `all`, `quick` or a comma list of names, sets (`stencils`), shell patterns
/// (`rgg-*`), `qap:FILE`, `qap:FOLDER` and `real:FOLDER`, of which `qap` and `real` alone take the
/// folder from the environment (`VTOPO_QAPLIB`, `VTOPO_MATRICES`);
/// a list with an `@` is one instance `GUEST@NETWORK`: `cart:8x8@torus:8x8`,
/// `traffic:FILE@fat-tree:2;16,4;1,1;1,1`, `qap:FILE@mesh:6x5`.
/// @throws UsageError for a name that no instance has; InputError for unreadable files.
std::vector<Instance> choose_instances(std::string_view list);

/// Generates guest, network and allocation. Equal instances give equal problems.
/// @throws UsageError, InputError or FitError as the specifications and files demand.
BenchProblem build(const Instance& instance);

}  // namespace vtopo::detail
