#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/topology/mpi/any_grid.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/mpi_error.hpp"

using namespace vtopo;

TEST_CASE("A split puts each process with its colour, by key and old rank") {
  rc::prop("for any colours and keys", [] {
    const auto drawn = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(-1, 4), rc::gen::inRange(-3, 4))));
    std::vector<SplitChoice> choices;
    for (const auto& [colour, key] : drawn)
      choices.push_back({colour < 0 ? std::nullopt : std::optional(colour), key});
    const auto comm = world(static_cast<int>(drawn.size()));
    const Partition partition = split(comm, choices);
    for (std::size_t r = 0; r < drawn.size(); ++r) {
      const auto part = partition.of(id_at<Rank>(r));
      RC_ASSERT(part.has_value() == choices[r].colour.has_value());
      if (!part) continue;
      // The rank is the number of processes of the colour that come before: the slow way.
      int before = 0;
      for (std::size_t s = 0; s < drawn.size(); ++s)
        if (drawn[s].first == drawn[r].first &&
            std::pair(drawn[s].second, s) < std::pair(drawn[r].second, r))
          ++before;
      RC_ASSERT(part->rank_of(id_at<ProcessId>(r)) == Rank{before});
    }
  });
}

TEST_CASE("Groups of the same processes are similar in whatever order, congruent in the same") {
  rc::prop("for any processes", [] {
    const auto ids =
        *rc::gen::nonEmpty(rc::gen::unique<std::vector<int>>(rc::gen::arbitrary<int>()));
    std::vector<ProcessId> members;
    for (const int id : ids) members.push_back(ProcessId{id});
    const Communicator comm{ProcessGroup(members)};
    for (std::size_t r = 0; r < members.size(); ++r)
      RC_ASSERT(comm.rank_of(members[r]) == id_at<Rank>(r));
    RC_ASSERT(compare(comm, comm.dup()) == Comparison::congruent);
    auto other = members;
    std::reverse(other.begin(), other.end());
    const Communicator reversed{ProcessGroup(other)};
    RC_ASSERT(compare(comm, reversed) ==
              (members.size() == 1 ? Comparison::congruent : Comparison::similar));
  });
}

TEST_CASE("A reordered communicator has the same virtual topology over other processes") {
  rc::prop("for any permutation", [] {
    const Cartesian grid = any_grid();
    std::vector<int> order(static_cast<std::size_t>(grid.num_ranks()));
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = static_cast<int>(r);
    const auto rotation = any_in<std::size_t>(0, order.size());
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rotation), order.end());
    const Reorderer reorder = [&](const ReorderRequest&) {
      std::vector<Rank> old_ranks;
      for (const int old : order) old_ranks.push_back(Rank{old});
      return old_ranks;
    };
    const Communicator old = world(grid.num_ranks());
    const Communicator comm = cart_create(old, grid, reorder);
    const auto map = cart_map(old, grid, reorder);
    for (int r = 0; r < grid.num_ranks(); ++r) {
      RC_ASSERT(comm.process(Rank{r}) == ProcessId{order[index(Rank{r})]});
      RC_ASSERT(cart_coords(comm, Rank{r}) == grid.coords(Rank{r}));
      RC_ASSERT(map[index(Rank{r})] == comm.rank_of(ProcessId{r}));
    }
  });
}
