#pragma once

#include <vector>

#include "tests/topology/ranks.hpp"
#include "topology/mpi/communicator.hpp"

/// Ring 0 -> 1 -> 2 -> 0, each rank giving its edge.
inline std::vector<vtopo::EdgeContribution> ring_of_three() {
  std::vector<vtopo::EdgeContribution> given(3);
  for (int r = 0; r < 3; ++r)
    given[index(vtopo::Rank{r})] = {ranks({r}), {1}, ranks({(r + 1) % 3}), {}};
  return given;
}
