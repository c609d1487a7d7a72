#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/endpoint_properties.hpp"
#include "netmodels/limits.hpp"
#include "netmodels/network.hpp"
#include "topology/base/progress.hpp"

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

/// What properties of a platform file say of the machine beside its network.
struct PlatformProperties {
  std::string network = {};          ///< `vtopo-network`; empty: no rates and routing of one
  EndpointProperties endpoint = {};  ///< `vtopo-overhead` and the like
  std::string interfaces = {};       ///< as keys of networks: `,injection=25GBps/1us`; may be empty
  /// `vtopo-process-injection`, `vtopo-process-extraction`: the same for one process of a node, as
  /// measured, where that is less; the network does not have them.
  std::string process_interfaces = {};
  std::optional<Routing> routing = {};  ///< `vtopo-routing`: the rule that its routes follow
  /// `vtopo-job-network`: what a job of a shape sees of it, `{}` in place of the shape:
  /// `hyperx:{}`.
  std::string job_network = {};
  std::string title = {};                     ///< `vtopo-machine`: what it is, in one line
  std::vector<std::string> assumptions = {};  ///< `vtopo-assumes`: a sentence each
  /// False where the names of hosts are vtopo's: those of a network without names of its own, and
  /// where `vtopo-host-names` is `unknown`.
  bool knows_host_names = true;
};

/// How to read a platform file of SimGrid; `vtopo::platform` does it.
struct PlatformOptions {
  /// Take SimGrid's own routes also where the file is one cluster that vtopo has in closed form.
  bool simgrid_compatible = false;
  /// Of the closed form; of other files `simgrid` (the routes that SimGrid computes) or `ecmp`.
  /// `automatic`: what the property `vtopo-routing` states, else `simgrid`. One that follows from
  /// the traffic (`depends_on_traffic`) takes no edits afterwards.
  Routing routing = Routing::automatic;
  /// Hears every second how much SimGrid has loaded, if that takes so long.
  Progress progress = {};
  /// Hears a sentence about what of the file is ignored, such as profiles over time.
  std::function<void(const std::string&)> remark = {};
  /// Of SimGrid while it loads, and again for each question about routes; absent: an hour, and as
  /// much memory as the machine has.
  Limits limits = {};
  /// Hears what properties of the file say of the machine.
  std::function<void(const PlatformProperties&)> properties = {};
  /// Instead of the interfaces that properties of the file state, as keys of networks:
  /// `,injection=25GBps/1us`.
  std::optional<std::string> interfaces = {};
  /// Names of all hosts, or of nodes where these have places inside, instead of those in the file;
  /// null: these.
  HostNameList host_names = {};
};

/// How to read a machine's file.
struct MachineOptions {
  std::optional<MachineFormat> format;  ///< absent: known by the extension, then by the content
  PlatformOptions platform;             ///< of SimGrid platform files
  CableAssumptions cables;              ///< where the file does not say
  RoutingOptions routing;               ///< rule that chooses among routes
  HostNameList host_names = {};         ///< instead of those in the file; null: these
};

/// Format of a file by its content, `.xml` by the extension; a platform file where nothing else
/// fits. A name is that of a machine that comes with vtopo.
MachineFormat machine_format_of(const std::string& name);

/// Network of a SimGrid platform, a topology file of Slurm, or a listing of an InfiniBand fabric;
/// where there is no such file, of the machine of this name that comes with vtopo.
/// @throws InputError with file, line and column, also for a file that is none of them; UsageError
/// for a rule that the network does not know, and for a platform in a program without the library
/// `vtopo::platform`.
std::shared_ptr<const Network> load_machine(const std::string& name, const MachineOptions& options);

namespace detail {

/// Whether an existing file is that of a machine, by its extension or its content.
bool is_machine_file(const std::string& path);

}  // namespace detail

}  // namespace vtopo
