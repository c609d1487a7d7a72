#include "netmodels/network_spec.hpp"

#include <string>
#include <utility>
#include <vector>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/host_names.hpp"
#include "netmodels/links.hpp"
#include "netmodels/load_routing/make_load_routing.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

using namespace detail;

namespace {

[[noreturn]] void refuse_name(const SpecText& spec) {
  if (spec.kind == spec.whole && find_shipped_machine(spec.kind))
    throw UsageError(fmt::format(
        "\"{0}\" is a machine that vtopo brings, not a specification of a network: --platform {0}",
        spec.whole));
  std::vector<std::string> examples;
  for (const NetworkInfo& network : all_networks()) examples.push_back(network.example);
  throw UsageError(fmt::format("unknown network \"{}\" in \"{}\"; accepted: {}{}", spec.kind,
                               spec.whole, join(examples, ", "),
                               suggestion(spec.kind, network_names())));
}

}  // namespace

std::shared_ptr<const Network> make_network(std::string_view text, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing) {
  link_properties({}, defaults);  // refuses defaults out of range
  if (depends_on_traffic(routing.rule))
    return make_traffic_routing(routing.rule,
                                [&](Routing rule) { return make_network(text, defaults, {rule}); });
  SpecText spec(text);
  for (const NetworkInfo& info : all_networks())
    if (info.name == spec.kind) {
      const EndpointSpec endpoints = take_endpoints(spec, info.keys);
      RoutingOptions chosen = routing;
      if (chosen.rule == Routing::automatic && !info.has_ties) chosen.rule = Routing::simgrid;
      auto network = info.make(spec, defaults, chosen);
      if (defaults.host_names) check_host_names(*defaults.host_names, *network);
      return make_endpoint_network(std::move(network), endpoints);
    }
  refuse_name(spec);
}

}  // namespace vtopo
