#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/mpi/collective_request.hpp"

namespace vtopo::detail::overlay {

/// Array of a caller.
inline std::span<MPI_Request> span_of(MPI_Request* requests, int count) {
  return {requests, static_cast<std::size_t>(std::max(count, 0))};
}

/// Handles with the collectives of the overlay taken out.
inline std::vector<MPI_Request> others(std::span<const MPI_Request> handles) {
  std::vector<MPI_Request> result(handles.begin(), handles.end());
  for (MPI_Request& handle : result)
    if (find_request(handle) != nullptr) handle = MPI_REQUEST_NULL;
  return result;
}

/// Puts back what SMPI made of the other handles.
inline void put_back(const std::vector<MPI_Request>& others, std::span<MPI_Request> handles) {
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (find_request(handles[i]) == nullptr) handles[i] = others[i];
}

}  // namespace vtopo::detail::overlay
