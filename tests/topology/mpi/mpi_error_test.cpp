#include "topology/mpi/mpi_error.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace vtopo;

TEST_CASE("An error carries its condition, its class and one sentence") {
  const MpiError error = mpi_error<TopologyCondition::rank_outside>(4, 3);
  CHECK(error.condition() == TopologyCondition::rank_outside);
  CHECK(error.error_class() == MpiErrorClass::rank);
  CHECK(error.what() == std::string("rank 4 is outside 0..3"));
}

TEST_CASE("Erroneous calls are errors of use: the command exits with 2") {
  CHECK_THROWS_AS(throw mpi_error<TopologyCondition::grid_above_int>(), UsageError);
}

TEST_CASE("Classes have the names of C") {
  // The classes of MPI-5.0, "Error Codes and Classes", that topology calls return.
  std::set<std::string_view> names;
  using enum MpiErrorClass;
  for (const auto error_class : {comm, group, rank, topology, dims, arg, info, other})
    names.insert(name(error_class));
  CHECK(names == std::set<std::string_view>{"MPI_ERR_ARG", "MPI_ERR_COMM", "MPI_ERR_DIMS",
                                            "MPI_ERR_GROUP", "MPI_ERR_INFO", "MPI_ERR_OTHER",
                                            "MPI_ERR_RANK", "MPI_ERR_TOPOLOGY"});
}

TEST_CASE("No two conditions share a sentence") {
  std::set<std::string_view> sentences;
  for (const auto& row : topology_conditions) sentences.insert(row.sentence);
  CHECK(sentences.size() == topology_conditions.size());
}
