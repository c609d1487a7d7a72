#include <catch2/catch.hpp>
#include <string>

#include "tests/support/message_of.hpp"
#include "tests/topology/mpi/dims_oracle.hpp"
#include "topology/base/error.hpp"
#include "topology/mpi/dims_create.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

std::vector<int> by(DimsRule rule, int num_ranks, std::size_t count) {
  return dims_create(num_ranks, std::vector<int>(count), rule);
}

/// Numbers of ranks 1..10000 for which a library does not reach the smallest spread.
int violations(DimsRule rule, std::size_t count) {
  int result = 0;
  for (int num_ranks = 1; num_ranks <= 10000; ++num_ranks)
    if (spread(by(rule, num_ranks, count)) > spread(by(DimsRule::optimal, num_ranks, count)))
      ++result;
  return result;
}

}  // namespace

// Expected sizes below are answers of the installed libraries: MPICH 4.0.2, Open MPI 4.1.4, SMPI of
// SimGrid 3.32. dims_against_mpi.sh compares many more where they are installed.

TEST_CASE("Open MPI gives the largest prime factor to the smallest dimension") {
  CHECK(by(DimsRule::openmpi, 72, 2) == std::vector{12, 6});
  CHECK(by(DimsRule::openmpi, 675, 2) == std::vector{45, 15});
  CHECK(by(DimsRule::openmpi, 5040, 3) == std::vector{20, 18, 14});
  CHECK(by(DimsRule::openmpi, 5040, 4) == std::vector{12, 10, 7, 6});
  CHECK(by(DimsRule::openmpi, 9409, 2) == std::vector{97, 97});
}

TEST_CASE("SMPI takes the square of an odd prime for a prime") {
  CHECK(by(DimsRule::smpi, 9, 2) == std::vector{9, 1});
  CHECK(by(DimsRule::smpi, 36, 2) == std::vector{9, 4});
  CHECK(by(DimsRule::smpi, 36, 4) == std::vector{9, 2, 2, 1});
  CHECK(by(DimsRule::smpi, 9409, 2) == std::vector{9409, 1});
  CHECK(by(DimsRule::smpi, 27, 3) == std::vector{3, 3, 3});
  CHECK(by(DimsRule::smpi, 675, 4) == std::vector{25, 3, 3, 3});
  CHECK(by(DimsRule::smpi, 2147395600, 3) == std::vector{109561, 140, 140});
}

TEST_CASE("MPICH breaks ties from the smallest dimension up") {
  CHECK(by(DimsRule::mpich, 5040, 3) == std::vector{21, 16, 15});
  CHECK(by(DimsRule::mpich, 360, 3) == std::vector{10, 6, 6});
  CHECK(by(DimsRule::mpich, 20, 4) == std::vector{5, 2, 2, 1});
  CHECK(by(DimsRule::mpich, 18000, 5) == std::vector{10, 10, 6, 6, 5});
}

TEST_CASE("MPICH gives a dimension of its own to a prime above the root of the number") {
  // 14x9x8 and 12x12x7 have spreads 6 and 5 alone, 1143 and 1144 beside 1151.
  CHECK(by(DimsRule::mpich, 701 * 1008, 4) == std::vector{701, 14, 9, 8});
  CHECK(by(DimsRule::mpich, 1151 * 1008, 4) == std::vector{1151, 12, 12, 7});
  // 46747^2 is negative in 32 bits.
  CHECK(by(DimsRule::mpich, 46747 * 1008, 4) == std::vector{46747, 14, 9, 8});
}

TEST_CASE("MPICH has at most 20 free dimensions") {
  CHECK(by(DimsRule::mpich, 64, 20).size() == 20);
  CHECK(message_of<UsageError>([] { by(DimsRule::mpich, 64, 21); }) ==
        "21 free dimensions: MPICH accepts at most 20");
}

TEST_CASE("Libraries miss the smallest spread as often as counted for p <= 10000") {
  // Counted with the libraries themselves.
  CHECK(violations(DimsRule::openmpi, 2) == 279);
  CHECK(violations(DimsRule::openmpi, 3) == 124);
  CHECK(violations(DimsRule::openmpi, 4) == 34);
  CHECK(violations(DimsRule::smpi, 2) == 504);
  CHECK(violations(DimsRule::smpi, 3) == 403);
  CHECK(violations(DimsRule::smpi, 4) == 323);
  for (std::size_t count = 2; count <= 4; ++count) CHECK(violations(DimsRule::mpich, count) == 0);
}

TEST_CASE("Every rule keeps fixed sizes and refuses erroneous calls") {
  for (const auto rule : {DimsRule::optimal, DimsRule::mpich, DimsRule::openmpi, DimsRule::smpi}) {
    CHECK(dims_create(30, std::vector{0, 5, 0}, rule) == std::vector{3, 5, 2});
    CHECK_THROWS_AS(dims_create(6, std::vector{2, 2}, rule), UsageError);
    CHECK_THROWS_AS(dims_create(4728, std::vector{0, 0, 4, 4, 3}, rule), UsageError);
    CHECK(parse_dims_rule(to_string(rule)) == rule);
  }
  CHECK(message_of<UsageError>([] { parse_dims_rule("openmp"); }) ==
        "unknown rule \"openmp\"; accepted: optimal, mpich, openmpi, smpi; did you mean "
        "\"openmpi\"?");
}
