#include "topology/dist_graph.hpp"

#include <cmath>
#include <utility>

#include "topology/error.hpp"

namespace vtopo {

DistGraph::DistGraph(int num_ranks, std::vector<WeightedEdge> edges)
    : num_ranks_(num_ranks), edges_(std::move(edges)) {
  for (const auto& [source, destination, weight] : edges_) {
    for (const Rank end : {source, destination})
      if (number(end) < 0 || number(end) >= num_ranks_)
        throw InputError(fmt::format("rank {} is outside 0..{}", number(end), num_ranks_ - 1));
    if (!std::isfinite(weight) || weight < 0)
      throw InputError(fmt::format("weight {} of edge {} -> {} is not a finite number >= 0", weight,
                                   number(source), number(destination)));
  }
}

}  // namespace vtopo
