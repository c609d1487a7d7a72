#include "topology/graph.hpp"

#include <utility>

#include "topology/error.hpp"

namespace vtopo {

Graph::Graph(std::vector<std::vector<Rank>> neighbours) : neighbours_(std::move(neighbours)) {
  for (std::size_t r = 0; r < neighbours_.size(); ++r)
    for (const Rank neighbour : neighbours_[r])
      if (number(neighbour) < 0 || number(neighbour) >= num_ranks())
        throw InputError(fmt::format("neighbour {} of rank {} is outside 0..{}", number(neighbour),
                                     r, num_ranks() - 1));
}

}  // namespace vtopo
