#include "netmodels/network_spec.hpp"

#include <string>
#include <vector>

#include "netmodels/link_rates.hpp"
#include "netmodels/network_table.hpp"
#include "netmodels/traffic_routing/make_traffic_routing.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

[[noreturn]] void refuse_name(const SpecText& spec) {
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
  const SpecText spec(text);
  for (const NetworkInfo& network : all_networks())
    if (network.name == spec.kind) return network.make(spec, defaults, routing);
  refuse_name(spec);
}

}  // namespace vtopo
