#pragma once

#include <memory>
#include <optional>
#include <string>

#include "netmodels/endpoint_properties.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network.hpp"

namespace vtopo {

/// Network of a SimGrid platform file (DTD 4.1). A file whose only zone is one
/// `<cluster topology="TORUS|FAT_TREE|DRAGONFLY">` becomes the closed-form model, and so does a
/// file whose zone says `<prop id="vtopo-network" value="dragonfly:5,1;2,1;2,1;1"/>`: then
/// `vtopo-bandwidth`, `vtopo-latency`, `vtopo-host-prefix` and `vtopo-host-suffix` are as on the
/// command line, and the zone's own hosts are only there for plain SimGrid; `vtopo-routing` is the
/// rule of `Routing::automatic`, also one that follows from the traffic. Properties
/// `vtopo-overhead`, `vtopo-eager-limit`, ... (`endpoint_property_names`), `vtopo-machine` and
/// `vtopo-assumes` are for `PlatformOptions::properties`, in any file with a zone. Of any other
/// file, SimGrid computes the routes in a child process, each once and when first asked for. Hosts
/// are numbered in the order of the file. A pair of hosts without a route is an InputError when the
/// route is asked for.
/// @throws UsageError for a routing rule that the closed form does not know or, where there is
/// none, other than `simgrid` and `ecmp`, which needs links that lead from host to host; InputError
/// with file, line and column for what the checks find, or with SimGrid's own words for what only
/// SimGrid finds; SimulationError, also when a route is asked for, if SimGrid takes more than its
/// limits.
std::shared_ptr<const Network> load_platform(const std::string& path,
                                             const PlatformOptions& options);

/// @throws InputError as `load_platform`.
PlatformProperties read_platform_properties(const std::string& path);

}  // namespace vtopo
