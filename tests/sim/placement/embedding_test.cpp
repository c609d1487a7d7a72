#include "sim/placement/embedding.hpp"

#include <catch2/catch.hpp>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

namespace {

const Allocation two_hosts{{HostId{7}, HostId{2}}, {1, 2}};

std::string fit_complaint(int num_ranks, const Allocation& allocation) {
  return tests::message_of<FitError>([&] { check_fit(num_ranks, allocation); });
}

Allocation equal_hosts(int num_hosts, int slots) {
  Allocation allocation;
  for (int h = 0; h < num_hosts; ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(allocation.hosts.size(), slots);
  return allocation;
}

}  // namespace

TEST_CASE("An embedding knows the host of every rank") {
  const Embedding embedding({HostId{2}, HostId{7}, HostId{2}}, two_hosts);
  CHECK(embedding.num_ranks() == 3);
  CHECK(embedding.host_of(Rank{1}) == HostId{7});
  CHECK(embedding == Embedding({HostId{2}, HostId{7}, HostId{2}}, two_hosts));
}

TEST_CASE("An embedding outside the allocation or its slots does not exist") {
  CHECK_THROWS_WITH(Embedding({HostId{7}, HostId{7}}, two_hosts),
                    "rank 1 on host 7: the host is full with 1 rank");
  CHECK_THROWS_WITH(Embedding({HostId{3}}, two_hosts),
                    "rank 0 on host 3: the host is not in the allocation");
  CHECK_THROWS_AS(Embedding({HostId{8}}, two_hosts), FitError);
  CHECK_THROWS_AS(Embedding({HostId{-1}}, two_hosts), FitError);
}

TEST_CASE("Used hosts are listed once, in ascending order") {
  CHECK(used_hosts(Embedding({HostId{7}, HostId{2}, HostId{2}}, two_hosts)) ==
        std::vector{HostId{2}, HostId{7}});
  CHECK(used_hosts(Embedding({HostId{2}}, two_hosts)) == std::vector{HostId{2}});
  CHECK(used_hosts(Embedding({}, two_hosts)).empty());
}

TEST_CASE("Slots are listed in the order of the allocation") {
  CHECK(slot_hosts(two_hosts) == std::vector{HostId{7}, HostId{2}, HostId{2}});
}

TEST_CASE("Ranks that do not fit are an error that says what would help") {
  CHECK(fit_complaint(32, equal_hosts(32, 1)) == "no error");
  CHECK(fit_complaint(64, equal_hosts(32, 1)) ==
        "64 ranks do not fit into 32 slots (32 hosts x 1 slot); raise --slots to at least 2 or "
        "allocate "
        "more hosts");
  CHECK(fit_complaint(9, equal_hosts(4, 2)) ==
        "9 ranks do not fit into 8 slots (4 hosts x 2 slots); raise --slots to at least 3 or "
        "allocate more "
        "hosts");
  CHECK(fit_complaint(4, two_hosts) ==
        "4 ranks do not fit into 3 slots (2 hosts x 1..2 slots); raise --slots to at least 2 or "
        "allocate "
        "more hosts");
  CHECK(fit_complaint(1, {}) == "1 rank does not fit into 0 slots (no hosts); allocate hosts");
}
