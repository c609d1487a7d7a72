#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/step_times.hpp"
#include "sim/research/validation/machine_parameters.hpp"
#include "sim/research/validation/measured_runs.hpp"

namespace vtopo::detail {

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
std::string_view pattern_options(const MeasuredPoint& point);

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
  /// `StepClock`. A shape of nodes is a job network of the file, whose ranks are numbered as hosts;
  /// other points are at the hosts of their run.
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

  Place& place_of(const MeasuredPoint& point);
  std::vector<HostId> hosts_of(const MeasuredPoint& point, const Network& network) const;
  std::shared_ptr<const Network> network_of(const MeasuredPoint& point, Routing rule) const;
  std::shared_ptr<const Network> job_network(const MeasuredPoint& point, Routing rule) const;
  std::shared_ptr<const Network> whole_network(Routing rule) const;
  Routing rule() const { return properties_.routing.value_or(Routing::simgrid); }

  std::string folder_, platform_;
  PlatformProperties properties_;
  MachineParameters parameters_;
  std::map<std::string, Place> places_;  ///< by `place_key` and interfaces
};

}  // namespace vtopo::detail
