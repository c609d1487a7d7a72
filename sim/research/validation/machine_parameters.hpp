#pragma once

#include <array>
#include <optional>
#include <string>

#include "netmodels/platform/platform.hpp"
#include "sim/clock/simulate.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// What a machine is described by beside its network: five physical numbers, in its platform file.
struct MachineParameters {
  Seconds overhead{0.5e-6};                 ///< of the processor per message, at each of its ends
  Seconds latency{1e-6};                    ///< of interface and software, in which both may go on
  BytesPerSecond injection{20e9};           ///< of the interface of a host, out of it
  BytesPerSecond reduction_bandwidth{5e9};  ///< bytes that a rank reduces in a second
  BytesPerSecond memory_bandwidth{5e9};     ///< of copies inside a host
  std::optional<Seconds> gap = {};  ///< as the file states it, else the overhead; never fitted
  Bytes eager_limit{16384};  ///< as the file states it, else about that of UCX and libfabric
  /// Whether as much may come into a host as out of it; else only links limit that.
  bool limits_extraction = true;
};

/// What the properties of its file state; defaults where they do not.
/// @throws UsageError for interfaces of which a host has several.
MachineParameters parameters_of(const PlatformProperties& properties);

/// Keys of networks: `,injection=25GBps/1us`.
std::string interface_keys(const MachineParameters& parameters);

/// Costs of messages under a handshake that is a request and its answer, each with its overhead and
/// latency, above the eager limit.
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

}  // namespace vtopo::detail
