#include "sim/mpi/engine/node_places.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/endpoints/hwloc_file.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::overlay {

namespace {

/// The file that says what is inside of a node; empty where none does.
std::string node_file() {
  const std::string network = environment("VTOPO_NETWORK");
  return network.empty() ? "" : node_file_of(network);
}

/// Place of each processor; empty where no file says it.
const std::vector<int>& places_of_processors() {
  static const std::vector<int> places =
      node_file().empty() ? std::vector<int>{} : read_hwloc_processors(node_file());
  return places;
}

int place_of(int processor) {
  const auto& places = places_of_processors();
  return processor >= 0 && processor < int_size(places)
             ? places[static_cast<std::size_t>(processor)]
             : -1;
}

}  // namespace

bool knows_places() {
  return !places_of_processors().empty();
}

bool is_one_machine(const Network& network) {
  const HostPlace first = network.host_place(HostId{0});
  return first.core && first.node == network.host_place(HostId{network.num_hosts() - 1}).node;
}

HostId place_of_process(const NamedHosts& places, const vtopo_reorder_question& question,
                        int rank) {
  const std::string who =
      fmt::format("rank {} on node \"{}\"", question.world_ranks[rank], question.nodes[rank]);
  if (!knows_places())
    throw InputError(fmt::format(
        "{}: VTOPO_NETWORK does not say which processor is which of its {} places; accepted is "
        "node=FILE.xml, a file that lstopo writes",
        who, places.count));
  const int* const processors = question.processors == nullptr
                                    ? nullptr
                                    : question.processors + 2 * static_cast<std::ptrdiff_t>(rank);
  if (processors == nullptr || processors[0] < 0)
    throw InputError(fmt::format("{}: it is not known which processors it may run on", who));
  const int place = place_of(processors[0]);
  if (place < 0 || place >= places.count)
    throw InputError(fmt::format("{}: {} has no processor {}", who, node_file(), processors[0]));
  if (place != place_of(processors[1]))
    throw InputError(
        fmt::format("{}: it may run on processors {} to {}, which are in several places; accepted "
                    "are processes "
                    "that are bound to one core",
                    who, processors[0], processors[1]));
  return HostId{number(places.first) + place};
}

}  // namespace vtopo::detail::overlay
