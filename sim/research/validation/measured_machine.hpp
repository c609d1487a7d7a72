#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/clock/step_times.hpp"
#include "sim/research/validation/measured_runs.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// What a machine is described by beside its network: five physical numbers, in its platform file.
struct MachineParameters {
  Seconds overhead{0.5e-6};                 ///< of the processor per message, at each of its ends
  Seconds latency{1e-6};                    ///< of interface and software, in which both may go on
  BytesPerSecond injection{20e9};           ///< of the interface of a host, out of it
  BytesPerSecond reduction_bandwidth{5e9};  ///< bytes that a rank reduces in a second
  BytesPerSecond memory_bandwidth{5e9};     ///< of copies inside a host
  std::optional<double> noise = {};         ///< as the file states it
  std::optional<Seconds> gap = {};  ///< as the file states it, else the overhead; never fitted
  std::optional<Seconds> handshake = {};  ///< as the file states it, else twice the overhead
  Bytes eager_limit{16384};         ///< as the file states it, else about that of UCX and libfabric
  /// Whether as much may come into a host as out of it; else only links limit that.
  bool limits_extraction = true;
};

/// What the properties of its file state; defaults where they do not.
/// @throws UsageError for interfaces of which a host has several.
MachineParameters parameters_of(const PlatformProperties& properties);

/// Keys of networks: `,injection=25GBps/1us`.
std::string interface_keys(const MachineParameters& parameters);

/// Costs of messages. Above the eager limit a handshake is a request and its answer, each with its
/// overhead, unless the parameters state it.
EndpointCosts costs_of(const MachineParameters& parameters);

/// As properties of a platform file, a line each.
std::string property_lines(const MachineParameters& parameters);

/// The five numbers, by name and in the order above.
struct NamedParameter {
  const char* name;                   ///< as in JSON, with its unit
  double& (*of)(MachineParameters&);  ///< in that unit
};

/// All of them.
const std::array<NamedParameter, 5>& named_parameters();

/// What the clock says of a measured point.
struct Prediction {
  std::optional<Seconds> time = {};             ///< nothing if there is no such algorithm
  std::optional<Seconds> contention_free = {};  ///< every message as if it were alone
  std::string reason = {};                      ///< why there is no time
};

/// Hosts of a run on its network, with one route for each pair of them.
struct RunPlaces {
  std::shared_ptr<const Network> network;
  std::vector<HostId> hosts;  ///< of each rank
};

/// Options of the pattern that the point's algorithm is, as in `LibraryAlgorithm`; empty: unknown.
/// Those of `utofu` have their partners, segments and ports in their names.
std::string pattern_options(const MeasuredPoint& point);

/// Volume as the arguments of the MPI function give it: of one rank where each has its part.
Bytes call_volume(const MeasuredPoint& point);

/// A machine by its platform file, for measured points at their allocations.
class MeasuredMachine {
 public:
  /// @param folder with `runs.csv` and `allocations/`.
  /// @param platform file whose properties give the network, the rule of its routes and the
  /// parameters.
  /// @throws InputError for a file without `vtopo-network`, and what `read_platform_properties`
  /// throws.
  MeasuredMachine(std::string folder, std::string platform);

  const MachineParameters& parameters() const {
    return parameters_;
  }  ///< at first those of the file
  /// Predictions follow these from now on.
  void set_parameters(const MachineParameters& parameters) { parameters_ = parameters; }

  /// Reads what predictions of the points need: the network, and the allocation of each run.
  /// @throws as `predict`.
  void check(const std::vector<MeasuredPoint>& points) const;

  /// Time of the algorithm that the point's name stands for (`find_library_algorithm`) under
  /// `StepClock`. A shape of nodes is laid out as the file says (`lay_out_job`), ranks node by
  /// node; other points are at the hosts of their run.
  /// @throws InputError for an allocation that cannot be read, has other hosts than the machine,
  /// or has not a line for each rank of the point; UsageError for a shape without a job network.
  Prediction predict(const MeasuredPoint& point);

  /// Where a point ran, with the first route of each pair whatever the rule of the machine.
  /// @throws as `predict`.
  RunPlaces places(const MeasuredPoint& point) const;

 private:
  struct Place {
    std::shared_ptr<const Network> network;
    std::unique_ptr<StepClock> clock, contention_free;
  };

  Place& place_of(const MeasuredPoint& point, const std::string& interfaces);
  std::vector<HostId> hosts_of(const MeasuredPoint& point, const Network& network) const;
  std::vector<HostId> hosts_of_shape(const MeasuredPoint& point, const Network& network) const;
  std::shared_ptr<const Network> network_of(const MeasuredPoint& point, Routing rule,
                                            const std::string& interfaces) const;
  std::shared_ptr<const Network> job_network(const MeasuredPoint& point, Routing rule,
                                             const std::string& interfaces) const;
  std::shared_ptr<const Network> whole_network(Routing rule, const std::string& interfaces) const;
  Routing rule() const { return properties_.routing.value_or(Routing::simgrid); }

  std::string folder_, platform_;
  PlatformProperties properties_;
  MachineParameters parameters_;
  std::map<std::string, Place> places_;  ///< by `place_key` and interfaces
};

}  // namespace vtopo::detail
