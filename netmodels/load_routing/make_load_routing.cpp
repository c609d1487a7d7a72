#include "netmodels/load_routing/make_load_routing.hpp"

#include <fmt/format.h>

#include "netmodels/edits/wrong_edit.hpp"
#include "netmodels/no_detours.hpp"
#include "netmodels/load_routing/adaptive.hpp"
#include "netmodels/load_routing/ideal.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

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
  if (rule == Routing::ideal) return make_ideal(std::move(shortest));
  auto valiant = made(Routing::valiant);
  return valiant ? make_adaptive(std::move(shortest), std::move(valiant))
                 : make_adaptive(std::move(shortest));
}

}  // namespace vtopo::detail
