#include "topology/mpi/dims_create.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

#include "tests/support/message_of.hpp"
#include "tests/topology/mpi/dims_oracle.hpp"
#include "topology/base/random.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/mpi_error.hpp"

#include "tests/support/folders.hpp"
#include "tests/topology/data.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

std::vector<int> free_dims_of(int num_ranks, std::size_t count) {
  return dims_create(num_ranks, std::vector<int>(count));
}

std::string sentence_of(int num_ranks, const std::vector<int>& fixed) {
  return message_of<UsageError>([&] { dims_create(num_ranks, fixed); });
}

/// Sizes of a text such as `9x8`.
std::vector<int> sizes(const std::string& text) {
  std::vector<int> result;
  for (const auto size : split(text, 'x')) result.push_back(static_cast<int>(*parse_integer(size)));
  return result;
}

/// Checks column `lex` of every row of a file with columns d and p; the number of rows.
int check_reference(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const bool whole = line.starts_with("d,p,nfact,lex,");
  if (!whole && line != "d,p,lex") FAIL(path << " has columns " << line);
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    const auto fields = split(line, ',');
    const auto count = static_cast<std::size_t>(*parse_integer(fields[0]));
    const int num_ranks = static_cast<int>(*parse_integer(fields[1]));
    const std::string expected(fields[whole ? 3 : 2]);
    if (free_dims_of(num_ranks, count) != sizes(expected)) FAIL_CHECK(path << ": " << line);
  }
  return rows;
}

/// The table of all p <= 2000, beside the sources or where an environment variable says.
std::string reference_table() {
  const char* path = std::getenv("VTOPO_DIMS_REFERENCE");
  return path ? path : tests::source_path("../shared/data/dims_reference_2000.csv");
}

}  // namespace

TEST_CASE("MPI_Dims_create returns what the standard's example says") {
  // MPI-2.2 section 7.5.2, Example 7.1.
  CHECK(dims_create(6, std::vector{0, 0}) == std::vector{3, 2});
  CHECK(dims_create(7, std::vector{0, 0}) == std::vector{7, 1});
  CHECK(dims_create(6, std::vector{0, 3, 0}) == std::vector{2, 3, 1});
  CHECK_THROWS_AS(dims_create(7, std::vector{0, 3, 0}), UsageError);
}

TEST_CASE("Erroneous calls of MPI_Dims_create have the class of the standard") {
  // MPI-5.0 section 8.5.2: negative entries, and a number of ranks that the fixed sizes do not
  // divide, are erroneous; the classes are those of the table in mpi_error.hpp.
  const auto class_of = [](int num_ranks, const std::vector<int>& fixed) {
    try {
      dims_create(num_ranks, fixed);
    } catch (const MpiError& error) {
      return std::string(name(error.error_class()));
    }
    return std::string("no error");
  };
  CHECK(class_of(6, {0, -1}) == "MPI_ERR_DIMS");
  CHECK(class_of(7, {0, 3, 0}) == "MPI_ERR_DIMS");
  CHECK(class_of(7, {65536, 65536}) == "MPI_ERR_DIMS");
  CHECK(class_of(12, {3, 3}) == "MPI_ERR_DIMS");
  CHECK(class_of(12, {2, 3}) == "MPI_ERR_DIMS");
  CHECK(class_of(2, {}) == "MPI_ERR_DIMS");
  CHECK(class_of(0, {0}) == "MPI_ERR_ARG");
  CHECK(class_of(12, {4, 3}) == "no error");
}

TEST_CASE("Sizes are as close to each other as possible where libraries are known to fail") {
  // Optima by hand: 72 = 9x8, 675 = 27x25, 9 = 3x3, 36 = 6x6, 9409 = 97x97 have no closer factors.
  CHECK(free_dims_of(72, 2) == std::vector{9, 8});
  CHECK(free_dims_of(675, 2) == std::vector{27, 25});
  CHECK(free_dims_of(9, 2) == std::vector{3, 3});
  CHECK(free_dims_of(36, 2) == std::vector{6, 6});
  CHECK(free_dims_of(9409, 2) == std::vector{97, 97});
}

TEST_CASE("Ties go to the lexicographically smallest sequence") {
  // 5040: 20-14 = 21-15; 20: 5x4x1x1 has the same spread.
  CHECK(free_dims_of(5040, 3) == std::vector{20, 18, 14});
  CHECK(free_dims_of(20, 4) == std::vector{5, 2, 2, 1});
}

TEST_CASE("dims_create agrees with brute force for all p <= 300 in 1 to 6 dimensions") {
  for (int num_ranks = 1; num_ranks <= 300; ++num_ranks)
    for (int count = 1; count <= 6; ++count) {
      const auto dims = free_dims_of(num_ranks, static_cast<std::size_t>(count));
      if (dims != optimal_by_definition(num_ranks, count))
        FAIL_CHECK(num_ranks << " in " << count << " dimensions");
    }
}

TEST_CASE("dims_create agrees with brute force for highly composite numbers of ranks") {
  for (const int num_ranks : {5040, 7560, 9240, 10080})
    for (int count = 3; count <= 5; ++count) {
      CAPTURE(num_ranks, count);
      CHECK(free_dims_of(num_ranks, static_cast<std::size_t>(count)) ==
            optimal_by_definition(num_ranks, count));
    }
}

TEST_CASE("dims_create agrees with the reference table of brute force") {
  // A sample of the table of optima for p <= 2000 and 2 to 4 dimensions; then the table, if
  // present.
  CHECK(check_reference(data("dims_reference_sample.csv")) == 330);
  if (std::ifstream(reference_table())) CHECK(check_reference(reference_table()) == 6000);
}

TEST_CASE("Fixed sizes stay, and free ones take the rest in the order of their places") {
  for (int num_ranks = 1; num_ranks <= 120; ++num_ranks)
    for (int size = 1; size <= num_ranks; ++size) {
      if (num_ranks % size != 0) continue;
      const auto free = optimal_by_definition(num_ranks / size, 2);
      const auto dims = dims_create(num_ranks, std::vector{0, size, 0});
      if (dims != std::vector{free[0], size, free[1]}) FAIL_CHECK(num_ranks << " with " << size);
    }
  CHECK(dims_create(24, std::vector{2, 0, 3}) == std::vector{2, 4, 3});
  CHECK(dims_create(6, std::vector{2, 3}) == std::vector{2, 3});
}

TEST_CASE("A grid of zero dimensions has one rank") {
  CHECK(dims_create(1, {}).empty());
  CHECK(sentence_of(2, {}) == "2 ranks in a grid of zero dimensions: accepted is 1");
}

TEST_CASE("Large and highly composite numbers of ranks are exact") {
  // Powers by hand; 46341*46340 and 2^31-1 (a prime) have one balanced factorisation.
  CHECK(free_dims_of(1 << 30, 3) == std::vector{1024, 1024, 1024});
  CHECK(free_dims_of(3 << 29, 2) == std::vector{49152, 32768});
  CHECK(free_dims_of(46341 * 46340, 2) == std::vector{46341, 46340});
  CHECK(free_dims_of(2147483647, 3) == std::vector{2147483647, 1, 1});
  CHECK(free_dims_of(1 << 30, 30) == std::vector<int>(30, 2));
  // From a search over all pairs of divisors, written separately.
  CHECK(free_dims_of(1396755360, 3) == std::vector{1140, 1122, 1092});
  CHECK(free_dims_of(735134400, 3) == std::vector{918, 910, 880});
}

TEST_CASE("The product of the sizes is the number of ranks in up to 40 dimensions") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto num_ranks = static_cast<int>(1 + random.below(2147483647));
    const auto dims = free_dims_of(num_ranks, 1 + random.below(40));
    const auto product =
        std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
    if (product != num_ranks || !std::is_sorted(dims.rbegin(), dims.rend()))
      FAIL_CHECK(num_ranks << " in " << dims.size() << " dimensions");
  }
}

TEST_CASE("Erroneous calls of dims_create are errors that name the value") {
  CHECK(sentence_of(0, {0, 0}) == "number of ranks 0: accepted are 1 or more");
  CHECK(sentence_of(-4, {}) == "number of ranks -4: accepted are 1 or more");
  CHECK(sentence_of(6, {0, -1}) == "size -1 of dimension 1: accepted are 0 (free) or more");
  CHECK(sentence_of(6, {4, 0}) == "6 ranks are not divisible by 4, the product of the fixed sizes");
  CHECK(sentence_of(6, {12}) == "6 ranks are not divisible by 12, the product of the fixed sizes");
  CHECK(sentence_of(6, {65536, 65536, 0}) ==
        "6 ranks are not divisible by the product of the fixed sizes, which is above 2147483647");
  CHECK(sentence_of(6, {2, 1}) ==
        "6 ranks for a grid of 2: accepted is a grid with a free dimension or with as many ranks");
}
