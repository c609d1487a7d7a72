#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <map>

#include "sim/mpi/decision/c_binding.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "tests/bench/performance.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

using namespace vtopo::detail;

namespace {

using Calls = std::map<std::string, double>;  ///< nanoseconds by name

constexpr int num_calls = 1'000'000;
constexpr const char* names[] = {"cart_rank", "cart_coords", "cart_shift", "dist_graph_neighbors"};

double time_calls(const std::function<int(int)>& call) {
  std::int64_t sum = 0;
  const double seconds = best_seconds(5, [&] {
    for (int i = 0; i < num_calls; ++i) sum += call(i);
  });
  if (sum == -1) fmt::print("\n");  // so that no call is left out
  return 1e9 * seconds / num_calls;
}

Communicator neighbour_graph(const Cartesian& grid) {
  std::vector<AdjacentEdges> edges(static_cast<std::size_t>(grid.num_ranks()));
  for (int r = 0; r < grid.num_ranks(); ++r) {
    const Neighbourhood around = neighbourhood(grid, Rank{r});
    for (const auto& rank : around.sources)
      edges[static_cast<std::size_t>(r)].sources.push_back(*rank);
    for (const auto& rank : around.destinations)
      edges[static_cast<std::size_t>(r)].destinations.push_back(*rank);
  }
  return dist_graph_create_adjacent(world(grid.num_ranks()), edges);
}

/// The functions that the C binding calls, arrays of the caller.
Calls own_calls(const std::vector<Dimension>& dimensions) {
  const Cartesian grid(dimensions);
  const Communicator cart = cart_create(world(grid.num_ranks()), grid);
  const Communicator graph = neighbour_graph(grid);
  const int mask = grid.num_ranks() - 1;  // sizes are powers of two
  int coords[3] = {0, 0, 0}, one = 0, other = 0, sources[6], destinations[6];
  Calls calls;
  calls["cart_rank"] = time_calls([&](int i) {
    coords[2] = i & 1;
    c::cart_rank(&cart, coords, &one);
    return one;
  });
  calls["cart_coords"] = time_calls([&](int i) {
    c::cart_coords(&cart, (i * 7) & mask, 3, coords);
    return coords[1];
  });
  calls["cart_shift"] = time_calls([&](int i) {
    c::cart_shift(&cart, Rank{0}, i % 3, 1, &one, &other, -1);
    return other;
  });
  calls["dist_graph_neighbors"] = time_calls([&](int) {
    c::dist_graph_neighbors(&graph, Rank{0}, 6, sources, {}, 6, destinations, {});
    return sources[0];
  });
  return calls;
}

Calls read_calls(const std::string& file) {
  Calls calls;
  std::ifstream in(file);
  std::string name;
  for (double nanoseconds = 0; in >> name >> nanoseconds;) calls[name] = nanoseconds;
  return calls;
}

}  // namespace

void print_inquiries(const std::vector<MpiFigures>& libraries) {
  constexpr auto periodic = Periodicity::periodic;
  const Calls small = own_calls({{2, periodic}, {2, periodic}, {2, periodic}});
  const Calls large = own_calls({{128, periodic}, {128, periodic}, {64, periodic}});
  fmt::print(
      "\n### Inquiries, beside MPI libraries\n\nns per call from C arguments to C results "
      "(`topology/mpi/c_inquiry.hpp`; six neighbours, no weights), 2x2x2 periodic processes, and "
      "vtopo "
      "also 128x128x64. In brackets the library's time over vtopo's.\n\n"
      "| call | vtopo | vtopo, 1,048,576 ranks |");
  for (const MpiFigures& it : libraries) fmt::print(" {} |", it.library);
  fmt::print("\n|---|---|---|");
  for (std::size_t i = 0; i < libraries.size(); ++i) fmt::print("---|");
  fmt::print("\n");
  for (const char* name : names) {
    fmt::print("| {} | {:.1f} | {:.1f} |", name, small.at(name), large.at(name));
    for (const MpiFigures& it : libraries) {
      const Calls theirs = read_calls(it.file);
      const auto found = theirs.find(name);
      if (found == theirs.end())
        fmt::print(" - |");
      else
        fmt::print(" {:.1f} ({:.1f}) |", found->second, found->second / small.at(name));
    }
    fmt::print("\n");
  }
}

}  // namespace vtopo
