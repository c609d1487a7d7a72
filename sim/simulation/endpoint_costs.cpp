#include "sim/simulation/endpoint_costs.hpp"

#include <cmath>

namespace vtopo {

EndpointCosts endpoint_costs(const EndpointProperties& user, const EndpointProperties& machine) {
  EndpointCosts costs;
  for (const EndpointProperties* said : {&machine, &user}) {  // the later one wins
    costs.overhead = said->overhead.value_or(costs.overhead);
    costs.eager_limit = said->eager_limit.value_or(costs.eager_limit);
    costs.handshake = said->handshake.value_or(costs.handshake);
    costs.memory_bandwidth = said->memory_bandwidth.value_or(costs.memory_bandwidth);
    costs.reduction_bandwidth = said->reduction_bandwidth.value_or(costs.reduction_bandwidth);
  }
  return costs;
}

bool is_free(const EndpointCosts& costs) {
  return costs.overhead.value == 0 && costs.handshake.value == 0 && costs.eager_limit.value < 0 &&
         std::isinf(costs.memory_bandwidth.value) && std::isinf(costs.reduction_bandwidth.value);
}

}  // namespace vtopo
