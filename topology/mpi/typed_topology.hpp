#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <variant>

#include "topology/base/ids.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail {

/// What a sentence calls a kind of virtual topology.
inline std::string_view kind_name(const Cartesian*) {
  return "Cartesian";
}
inline std::string_view kind_name(const Graph*) {
  return "graph";
}
inline std::string_view kind_name(const DistGraph*) {
  return "distributed graph";
}

/// The virtual topology of a communicator, which must be of the kind that `call` needs.
/// @throws MpiError (MPI_ERR_TOPOLOGY) if there is none or one of another kind.
template <class Kind>
const Kind& typed_topology(const Communicator& communicator, std::string_view call) {
  const std::string_view needed = kind_name(static_cast<const Kind*>(nullptr));
  const VirtualTopology* topology = communicator.topology();
  if (topology == nullptr) throw mpi_error<TopologyCondition::no_topology>(call, needed);
  if (const Kind* kind = std::get_if<Kind>(topology)) return *kind;
  throw mpi_error<TopologyCondition::other_topology>(
      call, std::visit([](const auto& kind) { return kind_name(&kind); }, *topology), needed);
}

/// The first `maximum` entries of a list, as the inquiry functions cut their answers.
/// @param what name of the maximum.
/// @throws MpiError (MPI_ERR_ARG) for a negative maximum.
template <class Entry>
std::span<const Entry> cut_list(std::span<const Entry> list, int maximum, std::string_view what) {
  if (maximum < 0) throw mpi_error<TopologyCondition::negative_count>(what, maximum);
  return list.first(std::min(list.size(), index(maximum)));
}

}  // namespace vtopo::detail
