#include "sim/mpi/decision/network_of_environment.hpp"

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail::overlay {

std::shared_ptr<const Network> network_of_environment() {
  const std::string spec = environment("VTOPO_NETWORK");
  const std::string platform = environment("VTOPO_PLATFORM");
  if (!spec.empty() && !platform.empty())
    throw UsageError("VTOPO_NETWORK and VTOPO_PLATFORM are both set: accepted is one of them");
  RoutingOptions routing{Routing::automatic};
  if (const std::string rule = environment("VTOPO_ROUTING"); !rule.empty())
    routing.rule = parse_routing(rule);
  NetworkDefaults defaults;
  if (const std::string text = environment("VTOPO_BANDWIDTH"); !text.empty())
    defaults.bandwidth = parse_bandwidth(text);
  if (const std::string text = environment("VTOPO_LATENCY"); !text.empty())
    defaults.latency = parse_seconds(text);
  if (!spec.empty()) return make_network(spec, defaults, routing);
  if (platform.empty()) return nullptr;
  MachineOptions options;
  options.platform.routing = routing.rule;
  options.cables = {defaults.bandwidth, defaults.latency, {}};
  options.routing = routing;
  return load_machine(platform, options);
}

}  // namespace vtopo::detail::overlay
