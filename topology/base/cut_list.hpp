#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "topology/base/ids.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail {

/// The first `maximum` entries of a list, as the inquiry functions cut their answers.
/// @param what name of the maximum.
/// @throws MpiError (MPI_ERR_ARG) for a negative maximum.
template <class Entry>
std::span<const Entry> cut_list(std::span<const Entry> list, int maximum, std::string_view what) {
  if (maximum < 0) throw mpi_error<TopologyCondition::negative_count>(what, maximum);
  return list.first(std::min(list.size(), index(maximum)));
}

}  // namespace vtopo::detail
