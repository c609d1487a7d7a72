#include "topology/base/id_vector.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace vtopo;
using namespace vtopo::detail;

namespace {

template <class Vector, class Index>
concept ReadableBy = requires(const Vector& vector, Index index) {
  vector[index];
};

using OfHosts = IdVector<HostId, int>;

}  // namespace

// An entry of a host is read by a host alone.
static_assert(ReadableBy<OfHosts, HostId>);
static_assert(!ReadableBy<OfHosts, Rank>);
static_assert(!ReadableBy<OfHosts, int>);
static_assert(!ReadableBy<IdVector<int, int>, Rank>);

TEST_CASE("A vector by id has an entry per id, equal ones at first") {
  IdVector<Rank, double> volumes(3, 1.5);
  volumes[Rank{1}] += 1;
  CHECK(volumes.entries() == std::vector<double>{1.5, 2.5, 1.5});
  CHECK(volumes.size() == 3);
  CHECK(IdVector<Rank, double>().empty());
  CHECK(volumes == IdVector<Rank, double>(std::vector{1.5, 2.5, 1.5}));
}

TEST_CASE("A vector by id may hold flags") {
  IdVector<LinkId, bool> failed(2);
  failed[LinkId{1}] = true;
  CHECK_FALSE(failed[LinkId{0}]);
  CHECK(failed[LinkId{1}]);
}

TEST_CASE("A vector by number grows at its end") {
  IdVector<int, std::string> names;
  names.push_back("a");
  names.push_back("b");
  CHECK(names[1] == "b");
  CHECK(std::move(names).entries().size() == 2);
}
