#include "topology/base/parallel.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Every task runs once for any number of threads") {
  for (const int threads : {-1, 0, 1, 2, 3, 7, 100}) {
    std::vector<std::atomic<int>> runs(50);
    parallel_for(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) CHECK(count == 1);
  }
  parallel_for(0, 4, [](std::size_t) { FAIL("there is no task"); });
}

TEST_CASE("The exception of the lowest task that throws arrives for any number of threads") {
  for (const int threads : {1, 2, 3, 7}) {
    std::string message;
    try {
      parallel_for(40, threads, [](std::size_t i) {
        if (i % 5 == 3) throw InputError("task " + std::to_string(i));
      });
    } catch (const InputError& error) {
      message = error.what();
    }
    CHECK(message == "task 3");
  }
}

TEST_CASE("Tasks may start tasks") {
  std::vector<int> sums(6);
  parallel_for(sums.size(), 3, [&](std::size_t i) {
    std::vector<int> parts(4);
    parallel_for(parts.size(), 2, [&](std::size_t j) { parts[j] = static_cast<int>(i * j); });
    sums[i] = std::accumulate(parts.begin(), parts.end(), 0);
  });
  CHECK(sums == std::vector<int>{0, 6, 12, 18, 24, 30});  // i * (0 + 1 + 2 + 3)
}

TEST_CASE("The hardware runs at least one thread") {
  CHECK(hardware_threads() >= 1);
}
