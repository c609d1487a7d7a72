#include "sim/mapping/grids/grid_problem.hpp"

namespace vtopo::detail::mappers {

/// Finds the grid that the heaviest edges of a guest form, whatever the order of its ranks, checks
/// every edge, and lays it out like a Cartesian guest: by `fold` on tori and meshes, elsewhere, and
/// there too if it is better, by halving the grid along its longest side together with the hosts.
/// That a grid is known by its squares is due to the factorisation of Cartesian products: J.
/// Feigenbaum, J. Hershberger and A. A. Schäffer, "A polynomial time algorithm for finding the
/// prime factors of Cartesian-product graphs" (Discrete Applied Mathematics 1985).
MapperInfo lattice() {
  return {.name = "lattice",
          .summary = "finds the grid in a guest of any rank order and embeds that",
          .reference = "Feigenbaum, Hershberger and Schäffer, Discrete Appl. Math. 1985",
          .needs = "a guest whose heaviest edges form a grid",
          .unsupported_reason = [](const MappingProblem& problem) -> std::optional<std::string> {
            if (find_lattice(Partners(problem.guest))) return std::nullopt;
            return "needs a guest whose heaviest edges form a grid";
          },
          .map = [](const MappingProblem& problem,
                    const SearchControl&) { return lattice_embedding(problem).value(); },
          .work = {.microseconds_per_rank = 0.15, .microseconds_per_edge = 0.01}};
}

}  // namespace vtopo::detail::mappers
