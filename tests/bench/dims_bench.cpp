// Microseconds per call of dims_create and weighted_dims_create, and the slowest calls found.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "topology/base/random.hpp"
#include "topology/mpi/dims_create.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

using Call = std::function<int(int, std::size_t)>;

int balanced(int num_ranks, std::size_t count) {
  return dims_create(num_ranks, std::vector<int>(count)).front();
}

/// Volumes 1, 2, 3, ...: no two dimensions are alike.
int weighted(int num_ranks, std::size_t count) {
  std::vector<Bytes> volumes(count);
  for (std::size_t i = 0; i < count; ++i) volumes[i].value = static_cast<double>(i + 1);
  return weighted_dims_create({.num_ranks = num_ranks, .volumes = volumes}).dims.front();
}

double microseconds(const Call& call, int num_ranks, std::size_t count) {
  const auto start = std::chrono::steady_clock::now();
  const volatile int size = call(num_ranks, count);
  const auto stop = std::chrono::steady_clock::now();
  static_cast<void>(size);
  return std::chrono::duration<double, std::micro>(stop - start).count();
}

/// Calls so far, and the slowest one.
struct Tally {
  int calls = 0;
  double total = 0;
  double slowest = 0;
  int slowest_ranks = 0;
  std::size_t slowest_count = 0;

  void add(const Call& call, int num_ranks, std::size_t count) {
    double time = microseconds(call, num_ranks, count);
    total += time;
    ++calls;
    // A new record counts only if it can be repeated: the machine may have been busy.
    for (int repeat = 0; repeat < 9 && time > slowest; ++repeat)
      time = std::min(time, microseconds(call, num_ranks, count));
    if (time <= slowest) return;
    slowest = time;
    slowest_ranks = num_ranks;
    slowest_count = count;
  }

  void print(std::string_view what) const {
    fmt::print("{:<58} {:>8} calls, mean {:8.2f} us, slowest {:9.1f} us: {} in {}\n", what, calls,
               total / calls, slowest, slowest_ranks, slowest_count);
  }
};

/// Numbers up to 2^31-1 that are products of the first primes with exponents that never increase:
/// among them are all numbers with more divisors than any smaller one.
void add_composites(std::int64_t number, std::size_t prime, int most, std::vector<int>& result) {
  constexpr int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
  result.push_back(static_cast<int>(number));
  if (prime == std::size(primes)) return;
  for (int exponent = 1; exponent <= most; ++exponent) {
    number *= primes[prime];
    if (number > 2147483647) return;
    add_composites(number, prime + 1, exponent, result);
  }
}

std::vector<int> composites() {
  std::vector<int> result;
  add_composites(1, 0, 30, result);
  return result;
}

/// `composite` times a large prime below 2^31, if there is room for one.
int with_large_factor(int composite, int prime) {
  const std::int64_t product = static_cast<std::int64_t>(composite) * prime;
  return product <= 2147483647 ? static_cast<int>(product) : composite;
}

void bench_balanced() {
  for (std::size_t count = 2; count <= 4; ++count) {
    Tally tally;
    for (int num_ranks = 1; num_ranks <= 1000000; ++num_ranks)
      tally.add(balanced, num_ranks, count);
    tally.print(fmt::format("dims_create, all p <= 10^6, d = {}", count));
  }
  Random random(1);
  Tally small;
  Tally large;
  for (int i = 0; i < 300000; ++i)
    small.add(balanced, static_cast<int>(1 + random.below(1000000)), 2 + random.below(31));
  small.print("dims_create, random p <= 10^6, d = 2..32");
  for (int i = 0; i < 50000; ++i)
    large.add(balanced, static_cast<int>(1 + random.below(2147483647)), 2 + random.below(31));
  large.print("dims_create, random p < 2^31, d = 2..32");
  Tally composite;
  for (const int number : composites())
    for (std::size_t count = 2; count <= 32; ++count) composite.add(balanced, number, count);
  composite.print("dims_create, composites of the first primes < 2^31, d = 2..32");
  Tally mixed;
  for (const int number : composites())
    for (const int prime : {37, 101, 499, 997, 2003, 4999, 10007, 46337, 100003})
      for (std::size_t count = 2; count <= 32; ++count)
        mixed.add(balanced, with_large_factor(number, prime), count);
  mixed.print("dims_create, the same times one prime of 37..100003");
  for (const int number : {2147483646, 2147483647, 1396755360, 1 << 30, 3 << 29, 735134400}) {
    Tally tally;
    for (std::size_t count = 3; count <= 32; ++count) tally.add(balanced, number, count);
    tally.print(fmt::format("dims_create, p = {}, d = 3..32", number));
  }
}

void bench_weighted() {
  Random random(2);
  Tally small;
  for (int i = 0; i < 30000; ++i)
    small.add(weighted, static_cast<int>(1 + random.below(1000000)), 2 + random.below(3));
  small.print("weighted_dims_create, random p <= 10^6, d = 2..4");
  Tally composite;
  for (const int number : {1396755360, 735134400, 2095133040, 1 << 30})
    for (std::size_t count = 2; count <= 32; count += 2) composite.add(weighted, number, count);
  composite.print("weighted_dims_create, highly composite p, d = 2..32");
}

}  // namespace

int main() {
  bench_balanced();
  bench_weighted();
  return 0;
}
