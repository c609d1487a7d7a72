#include "netmodels/traffic_routing/make_traffic_routing.hpp"

#include <fmt/format.h>

#include "netmodels/traffic_routing/adaptive.hpp"
#include "netmodels/traffic_routing/ideal.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

std::shared_ptr<const Network> make_traffic_routing(
    Routing rule, const std::function<std::shared_ptr<const Network>(Routing)>& make) {
  const auto made = [&](Routing part) {
    try {
      return make(part);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format(
          "routing {} needs routing {}: {}{}", to_string(rule), to_string(part), error.what(),
          part == Routing::valiant ? "; routing ideal moves flows by load among these routes"
                                   : ""));
    }
  };
  if (rule == Routing::ideal) return make_ideal(made(Routing::ecmp));
  return make_adaptive(made(Routing::ecmp), made(Routing::valiant));
}

}  // namespace vtopo::detail
