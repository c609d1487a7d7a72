#include "sim/clock/simgrid/simgrid_settings.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <utility>

namespace vtopo::detail {

void configure_simgrid(NetworkModel model, int num_actors, int stack_kib) {
  using Engine = simgrid::s4u::Engine;
  // Without guards many ranks do not run out of memory maps.
  if (num_actors > max_guarded_actors) Engine::set_config("contexts/guard-size:0");
  Engine::set_config(fmt::format("contexts/stack-size:{}", stack_kib));
  Engine::set_config("network/model:" + to_string(model));
  if (model != NetworkModel::cm02) return;
  Engine::set_config("network/crosstraffic:no");
  Engine::set_config("network/TCP-gamma:1e15");
}

Limits simgrid_limits(Limits given, int num_actors, int stack_kib) {
  // SimGrid touches the whole stack of each actor.
  return or_usual(std::move(given), usual_simulation_time,
                  Bytes{stack_kib * double{1024} * num_actors});
}

}  // namespace vtopo::detail
