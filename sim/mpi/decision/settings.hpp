#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "netmodels/network.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/units.hpp"
#include "topology/mpi/dims_create.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::overlay {

/// How ranks are to be reordered.
struct MappingChoice {
  std::optional<MapperSpec> mapper;    ///< none: several that take milliseconds
  std::optional<Objective> objective;  ///< none: the time of an iteration
  std::optional<Seconds> time_limit;
  std::optional<std::int64_t> steps;
  std::uint64_t seed = 1;
  double min_gain = 0.01;        ///< part by which an iteration must be faster in a new order
  std::optional<Bytes> message;  ///< bytes of the mean message of an iteration
};

/// What the environment says (README.md lists the variables).
struct Settings {
  bool reorder = true;
  bool force_reorder = false;  ///< constructors with reorder=0 too
  bool charge_mapping = false;
  std::string report;  ///< file of the constructors' lines; empty: none
  MappingChoice mapping;
  DimsRule dims = DimsRule::optimal;  ///< of MPI_Dims_create
};

/// The settings, read once.
/// @throws UsageError that names the variable.
const Settings& settings();

/// The choice of the settings, with what the keys `vtopo_mapper`, `vtopo_objective` and
/// `vtopo_time_limit` of an info say instead.
/// @throws UsageError for a wrong value.
MappingChoice mapping_choice(const Info& info);

/// The machine of VTOPO_NETWORK or VTOPO_PLATFORM; null if neither is set.
/// @throws UsageError or InputError as the network's reader.
std::shared_ptr<const Network> network_of_environment();

}  // namespace vtopo::detail::overlay
