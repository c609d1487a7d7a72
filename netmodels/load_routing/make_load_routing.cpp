#include "netmodels/load_routing/make_load_routing.hpp"

#include <fmt/format.h>

#include <utility>

#include "netmodels/edits/edited_network.hpp"
#include "netmodels/load_routing/adaptive.hpp"
#include "netmodels/load_routing/ideal.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

const IdealRouting& ideal_routing() {
  if (&vtopo_ideal_routing == nullptr)
    throw UsageError(
        "routing ideal needs the library vtopo::ideal, which this program was linked without");
  return vtopo_ideal_routing;
}

std::shared_ptr<const Network> make_traffic_routing(
    Routing rule, const std::function<std::shared_ptr<const Network>(Routing)>& make) {
  const auto made = [&](Routing part) {
    try {
      return make(part);
    } catch (const NoDetours&) {
      return std::shared_ptr<const Network>();
    } catch (const WrongEdit&) {
      throw;  // no other routing would take it
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("routing {} needs routing {}: {}", to_string(rule),
                                   to_string(part), error.what()));
    }
  };
  auto shortest = made(Routing::ecmp);
  if (rule == Routing::ideal) return ideal_routing().route(std::move(shortest));
  auto valiant = made(Routing::valiant);
  return valiant ? make_adaptive(std::move(shortest), std::move(valiant))
                 : make_adaptive(std::move(shortest));
}

}  // namespace vtopo::detail
