#include "netmodels/more_models/slim_fly/slim_fly.hpp"
#include "netmodels/network_table.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& slim_fly_keys() {
  static const std::vector<NetworkKey> keys{
      {"per_router", ">= 1, default half of a router's links to others, rounded up",
       "P, hosts per router"},
      {"bandwidth", "one, or hosts/routers", "of one link, per direction"},
      {"latency", "one, or hosts/routers", "of one link"}};
  return keys;
}

}  // namespace

SlimFlySpec parse_slim_fly(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing) {
  constexpr std::string_view q = "q=";
  if (!spec.parameters.starts_with(q))
    spec.fail("a slim-fly is written q=Q and then its keys, as slim-fly:q=5,per_router=4");
  SlimFlySpec slim_fly;
  slim_fly.defaults = defaults;
  slim_fly.routing = routing;
  const SpecKeys keys(spec, slim_fly_keys());
  slim_fly.q = spec.positive("q", spec.parameters.substr(q.size()));
  if (keys.find("per_router")) slim_fly.per_router = keys.positive_or_one("per_router");
  const auto rates = keys.rates("", 2, "hosts/routers");
  slim_fly.host_rates = rates[0];
  slim_fly.router_rates = rates[1];
  return slim_fly;
}

namespace networks {

std::vector<NetworkInfo> slim_fly() {
  return {{.name = "slim-fly",
           .syntax = "q=Q, a prime power that leaves 0, 1 or 3 modulo 4: 2 Q^2 routers",
           .keys = slim_fly_keys(),
           .example = "slim-fly:q=5",
           .source = "M. Besta, T. Hoefler, \"Slim Fly: A Cost Effective Low-Diameter Network "
                     "Topology\" (SC14)",
           .make = [](const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing) {
             return make_slim_fly(parse_slim_fly(spec, defaults, routing));
           }}};
}

}  // namespace networks

}  // namespace vtopo::detail
