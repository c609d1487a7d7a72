#include "sim/clock/simulate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topology/base/error.hpp"

namespace vtopo {

Seconds EndpointCosts::overhead_of(int messages) const {
  if (messages == 0 || gap >= overhead) return overhead * messages;
  return overhead + gap * (messages - 1);
}

EndpointCosts endpoint_costs(const EndpointProperties& user, const EndpointProperties& machine) {
  EndpointCosts costs;
  for (const EndpointProperties* said : {&machine, &user}) {  // the later one wins
    costs.overhead = said->overhead.value_or(costs.overhead);
    costs.gap = said->gap.value_or(costs.gap);
    costs.eager_limit = said->eager_limit.value_or(costs.eager_limit);
    costs.handshake = said->handshake.value_or(costs.handshake);
    costs.memory_bandwidth = said->memory_bandwidth.value_or(costs.memory_bandwidth);
    costs.reduction_bandwidth = said->reduction_bandwidth.value_or(costs.reduction_bandwidth);
  }
  if (user.gap && *user.gap > costs.overhead)
    throw UsageError(fmt::format(
        "--gap {}: further messages cost at most as much as the first one, whose overhead "
        "is {}",
        format_seconds(*user.gap), format_seconds(costs.overhead)));
  return costs;
}

bool is_free(const EndpointCosts& costs) {
  return costs.overhead.value == 0 && costs.handshake.value == 0 && costs.eager_limit.value < 0 &&
         std::isinf(costs.memory_bandwidth.value) && std::isinf(costs.reduction_bandwidth.value);
}

}  // namespace vtopo
