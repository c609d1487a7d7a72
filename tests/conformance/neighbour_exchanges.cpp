#include <algorithm>

#include "tests/conformance/cases.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::conformance {

using namespace vtopo::detail;

namespace {

/// Place in its destinations from which `sender` sends what `receiver` gets at `place`: opposite
/// directions of a grid match, otherwise the n-th edge of one pair at both ends.
std::size_t place_of_sender(const VirtualTopology& topology, Rank sender, Rank receiver,
                            std::size_t place) {
  if (std::holds_alternative<Cartesian>(topology)) return place ^ 1U;
  const auto sources = neighbourhood(topology, receiver).sources;
  const auto position = sources.begin() + static_cast<std::ptrdiff_t>(place);
  auto earlier = std::count(sources.begin(), position, std::optional(sender));
  const auto destinations = neighbourhood(topology, sender).destinations;
  const auto found = std::find_if(
      destinations.begin(), destinations.end(),
      [&](std::optional<Rank> destination) { return destination == receiver && earlier-- == 0; });
  return static_cast<std::size_t>(found - destinations.begin());
}

}  // namespace

void ask_neighbor_allgather(Stage& stage, int slot, NeighbourOrder order) {
  const Words words{order == NeighbourOrder::any ? 1 : 0};
  stage.ask("neighbor_allgather", slot, words, [&](const Caller& caller) {
    auto sources = neighbourhood(*caller.communicator.topology(), caller.rank).sources;
    if (order == NeighbourOrder::any) std::sort(sources.begin(), sources.end());
    return listed(sources);
  });
}

void ask_neighbor_alltoall(Stage& stage, int slot) {
  stage.ask("neighbor_alltoall", slot, {}, [](const Caller& caller) {
    const VirtualTopology& topology = *caller.communicator.topology();
    auto received = neighbourhood(topology, caller.rank).sources;
    for (std::size_t i = 0; i < received.size(); ++i) {
      if (!received[i]) continue;
      const Rank sender = *neighbourhood(topology, caller.rank).sources[i];
      const auto place = place_of_sender(topology, sender, caller.rank, i);
      received[i] = Rank{1000 * number(sender) + static_cast<int>(place)};
    }
    return listed(received);
  });
}

}  // namespace vtopo::conformance
