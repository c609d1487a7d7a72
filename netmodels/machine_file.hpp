#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "netmodels/network.hpp"
#include "netmodels/platform/platform.hpp"

namespace vtopo {

/// Kinds of files that describe a machine.
enum class MachineFormat { simgrid, slurm_conf, slurm_yaml, ibnetdiscover };

/// @throws UsageError for a name other than simgrid, slurm, slurm-yaml, ibnetdiscover.
MachineFormat parse_machine_format(std::string_view name);

/// What the files of a machine's administrators leave open about the cables.
struct CableAssumptions {
  BytesPerSecond bandwidth{10e9};  ///< of a host's cable, per direction
  Seconds latency{100e-9};         ///< of every cable
  /// A switch carries up what its hosts can send, divided by this and shared by the cables to its
  /// parents: 1 is a tree that blocks nothing. >= 1.
  double taper = 1;
};

/// How to read a machine's file.
struct MachineOptions {
  std::optional<MachineFormat> format;  ///< absent: known by the extension, then by the content
  PlatformOptions platform;             ///< of SimGrid platform files
  CableAssumptions cables;              ///< where the file does not say
  RoutingOptions routing;               ///< rule that chooses among routes
};

/// Format of a file: `.xml`, `.conf`, `.yaml` or `.yml` by their extension, others by their first
/// lines; a platform file where nothing else fits.
MachineFormat machine_format_of(const std::string& path);

/// Network of a SimGrid platform, a topology file of Slurm, or what `ibnetdiscover` printed.
/// @throws InputError with file, line and column; UsageError for a rule that the network does not
/// know.
std::shared_ptr<const Network> load_machine(const std::string& path, const MachineOptions& options);

}  // namespace vtopo
