#include "topology/mpi/communicator.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/support/message_of.hpp"
#include "tests/topology/mpi/mpi_error_of.hpp"
#include "tests/topology/ranks.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

Communicator of_processes(std::initializer_list<int> numbers) {
  return Communicator(ProcessGroup(processes(numbers)));
}

/// Processes of a communicator in rank order.
std::vector<int> members(const Communicator& communicator) {
  std::vector<int> result;
  for (int r = 0; r < communicator.size(); ++r)
    result.push_back(number(communicator.process(Rank{r})));
  return result;
}

}  // namespace

// Sentences of "Communicator Accessors" (MPI-1): MPI_Comm_size, MPI_Comm_rank, MPI_Comm_compare.

TEST_CASE("The rank of a process is relative to the group of the communicator") {
  const Communicator comm = of_processes({7, 3, 5});
  CHECK(comm.size() == 3);
  CHECK(comm.rank_of(ProcessId{7}) == Rank{0});
  CHECK(comm.rank_of(ProcessId{5}) == Rank{2});
  CHECK_FALSE(comm.rank_of(ProcessId{4}));
  CHECK_FALSE(comm.rank_of(ProcessId{8}));
  CHECK(comm.process(Rank{1}) == ProcessId{3});
}

TEST_CASE("In the world the rank is the process, in self the rank is 0") {
  CHECK(world(4).size() == 4);
  CHECK(members(world(4)) == std::vector{0, 1, 2, 3});
  CHECK(world(4).rank_of(ProcessId{2}) == Rank{2});
  CHECK_FALSE(world(4).rank_of(ProcessId{4}));
  CHECK_FALSE(world(4).rank_of(ProcessId{-1}));
  CHECK(self(ProcessId{2}).size() == 1);
  CHECK(self(ProcessId{2}).rank_of(ProcessId{2}) == Rank{0});
}

TEST_CASE("Communicators compare as identical, congruent, similar or unequal") {
  const Communicator comm = world(3);
  const Communicator& same_handle = comm;
  const Communicator copied_handle = comm;
  CHECK(compare(comm, same_handle) == Comparison::identical);
  CHECK(compare(comm, copied_handle) == Comparison::identical);
  CHECK(compare(comm, comm.dup()) == Comparison::congruent);
  CHECK(compare(comm, world(3)) == Comparison::congruent);
  CHECK(compare(comm, of_processes({0, 1, 2})) == Comparison::congruent);
  CHECK(compare(comm, of_processes({2, 1, 0})) == Comparison::similar);
  CHECK(compare(of_processes({4, 9, 6}), of_processes({9, 6, 4})) == Comparison::similar);
  CHECK(compare(comm, world(4)) == Comparison::unequal);
  CHECK(compare(comm, of_processes({0, 1, 3})) == Comparison::unequal);
  CHECK(compare(of_processes({4, 9, 6}), of_processes({9, 6, 5})) == Comparison::unequal);
}

TEST_CASE("Groups of congruent communicators are identical, those of similar ones similar") {
  const Communicator comm = of_processes({2, 0, 1});
  CHECK(compare(comm.group(), comm.dup().group()) == Comparison::identical);
  CHECK(compare(comm.group(), of_processes({2, 0, 1}).group()) == Comparison::identical);
  CHECK(compare(comm.group(), world(3).group()) == Comparison::similar);
  CHECK(compare(comm.group(), world(2).group()) == Comparison::unequal);
}

TEST_CASE("A duplicate keeps the virtual topology, a split does not") {
  const Communicator grid(ProcessGroup::consecutive(ProcessId{0}, 4), Cartesian({{2}, {2}}));
  REQUIRE(grid.dup().topology() != nullptr);
  CHECK(std::get<Cartesian>(*grid.dup().topology()) == Cartesian({{2}, {2}}));
  const std::vector<SplitChoice> all(4, SplitChoice{0, 0});
  CHECK(split(grid, all).parts()[0].topology() == nullptr);
}

TEST_CASE("Other processes take over a virtual topology, if they are as many") {
  const Communicator grid(ProcessGroup::consecutive(ProcessId{0}, 4), Cartesian({{2}, {2}}));
  const Communicator other = grid.with_group(of_processes({7, 3, 5, 4}).group());
  CHECK(members(other) == std::vector{7, 3, 5, 4});
  CHECK(other.topology() == grid.topology());  // one for both
  CHECK(!other.same_context(grid));
  CHECK_THROWS_AS(grid.with_group(world(3).group()), MpiError);
  CHECK(world(4).with_group(world(3).group()).size() == 3);
}

TEST_CASE("Processes of one colour get one communicator, ordered by key and then by old rank") {
  const Communicator comm = of_processes({10, 11, 12, 13, 14, 15});
  // Ranks 0, 2, 4, 5 have colour 7: keys 1, -2, 1, -2 order them 2, 5 (ties by old rank), 0, 4.
  const std::vector<SplitChoice> choices{{7, 1}, {3, 0}, {7, -2}, {{}, 5}, {7, 1}, {7, -2}};
  const Partition partition = split(comm, choices);
  REQUIRE(partition.parts().size() == 2);
  CHECK(members(partition.parts()[0]) == std::vector{11});  // colours ascend: 3, 7
  CHECK(members(partition.parts()[1]) == std::vector{12, 15, 10, 14});
  CHECK(compare(*partition.of(Rank{0}), *partition.of(Rank{5})) == Comparison::identical);
  CHECK(compare(*partition.of(Rank{0}), *partition.of(Rank{1})) == Comparison::unequal);
}

TEST_CASE("A process without a colour gets no communicator") {
  const Partition partition = split(world(2), std::vector<SplitChoice>{{{}, 0}, {0, 0}});
  CHECK_FALSE(partition.of(Rank{0}));
  CHECK(partition.of(Rank{1})->size() == 1);
  CHECK(split(world(2), std::vector<SplitChoice>(2)).parts().empty());
}

TEST_CASE("Two splits alike give congruent communicators, not identical ones") {
  const std::vector<SplitChoice> choices{{0, 0}, {0, 0}};
  const Communicator comm = world(2);
  CHECK(compare(split(comm, choices).parts()[0], split(comm, choices).parts()[0]) ==
        Comparison::congruent);
}

TEST_CASE("A colour below 0 and a wrong number of choices are errors of MPI_ERR_ARG") {
  const std::vector<SplitChoice> negative{{0, 0}, {-5, 0}};
  CHECK(class_of([&] { split(world(2), negative); }) == "MPI_ERR_ARG");
  CHECK(message_of<MpiError>([&] { split(world(2), negative); }) ==
        "colour -5 of rank 1: accepted are 0 or more, or none for no communicator");
  CHECK(class_of([&] { split(world(3), negative); }) == "MPI_ERR_ARG");
  CHECK(class_of([] { split(world(2), std::vector<SplitChoice>(2)).of(Rank{2}); }) ==
        "MPI_ERR_RANK");
}

TEST_CASE("A group has one or more processes, each once") {
  CHECK(class_of([] { world(0); }) == "MPI_ERR_GROUP");
  CHECK(class_of([] { world(-3); }) == "MPI_ERR_GROUP");
  CHECK(class_of([] { ProcessGroup({}); }) == "MPI_ERR_GROUP");
  CHECK(message_of<MpiError>([] {
          of_processes({4, 2, 4});
        }) ==
        "process 4 stands at rank 0 and at rank 2 of a group: each process may stand there once");
  CHECK(class_of([] { of_processes({4, 2, 4}); }) == "MPI_ERR_GROUP");
}

TEST_CASE("The last process of a group may be the largest int and no more") {
  const int most = std::numeric_limits<int>::max();
  const auto group = ProcessGroup::consecutive(ProcessId{most}, 1);
  CHECK(group.rank_of(ProcessId{most}) == Rank{0});
  CHECK_FALSE(group.rank_of(ProcessId{std::numeric_limits<int>::min()}));
  CHECK(class_of([&] { ProcessGroup::consecutive(ProcessId{most}, 2); }) == "MPI_ERR_GROUP");
  CHECK(ProcessGroup(processes({most, -most})).rank_of(ProcessId{-most}) == Rank{1});
}

TEST_CASE("The first processes of a group are a group") {
  const ProcessGroup group(processes({9, 4, 6}));
  CHECK(compare(group.first(2), ProcessGroup(processes({9, 4}))) == Comparison::identical);
  CHECK(class_of([&] { group.first(4); }) == "MPI_ERR_GROUP");
  CHECK(class_of([&] { group.first(0); }) == "MPI_ERR_GROUP");
}

TEST_CASE("A process outside the group is MPI_ERR_RANK") {
  CHECK(class_of([] { world(3).process(Rank{3}); }) == "MPI_ERR_RANK");
  CHECK(class_of([] { world(3).process(Rank{-1}); }) == "MPI_ERR_RANK");
}

TEST_CASE("A communicator's topology has as many ranks as its group") {
  const auto group = ProcessGroup::consecutive(ProcessId{0}, 3);
  CHECK(class_of([&] { Communicator(group, Cartesian({Dimension{4}})); }) == "MPI_ERR_TOPOLOGY");
}
