// Speed and memory of virtual topologies at scale; one line per figure. Take the release preset.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "topology/mpi/communicator.hpp"

namespace {

/// Bytes on the heap, as the allocator hands them out: now and at most.
struct Heap {
  std::size_t now = 0;
  std::size_t peak = 0;
};
Heap heap;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  heap.now += malloc_usable_size(memory);
  heap.peak = std::max(heap.peak, heap.now);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  heap.now -= malloc_usable_size(memory);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

namespace {

using namespace vtopo;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int num_calls = 10'000'000;

/// Nanoseconds per call of `call(rank)` over many ranks in no order; prints a sum of what it
/// returns, so that no call is left out.
template <class Call>
void time_calls(const char* name, const Cartesian& grid, Call call) {
  std::vector<Rank> ranks(1 << 16);
  std::uint64_t state = 1;
  for (Rank& rank : ranks) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    rank = Rank{static_cast<int>((state >> 33) % static_cast<std::uint64_t>(grid.num_ranks()))};
  }
  std::int64_t sum = 0;
  const auto start = Clock::now();
  for (int i = 0; i < num_calls; ++i)
    sum += call(ranks[static_cast<std::size_t>(i) % ranks.size()]);
  fmt::print("{:<44} {:>8.1f} ns per call (check {})\n", name,
             1e9 * seconds_since(start) / num_calls, sum % 1000);
}

void time_inquiry() {
  const std::size_t before = heap.now;
  const Communicator comm =
      cart_create(world(1'000'000'000), Cartesian({{1000, Periodicity::periodic}, {1000}, {1000}}));
  fmt::print("{:<44} {:>8} bytes\n", "communicator of a grid of 10^9 ranks", heap.now - before);
  const auto& grid = std::get<Cartesian>(*comm.topology());
  std::vector<int> coords(3);
  time_calls("coords into storage of the caller, 10^9 ranks", grid, [&](Rank rank) {
    grid.coords(rank, coords);
    return coords[0] + coords[2];
  });
  time_calls("rank, 10^9 ranks", grid, [&](Rank rank) {
    coords[2] = number(rank) % 1000;
    return number(grid.rank(coords));
  });
  time_calls("shift, 10^9 ranks", grid, [&](Rank rank) {
    return number(grid.shift(rank, 0, 1).destination.value_or(Rank{0}));
  });
  time_calls("cart_coords of a communicator, 10^9 ranks", grid,
             [&](Rank rank) { return cart_coords(comm, rank)[1]; });
}

void time_halo(const char* name, const std::vector<Dimension>& dimensions) {
  const Cartesian grid(dimensions);
  const Bytes volume[] = {Bytes{65536}};
  double fastest = std::numeric_limits<double>::infinity();
  double slowest = 0;
  const std::size_t before = heap.now;
  std::size_t kept = 0;
  std::size_t edges = 0;
  heap.peak = heap.now;
  for (int run = 0; run < 7; ++run) {
    const auto start = Clock::now();
    const CommGraph graph = make_comm_graph(grid, volume);
    const double seconds = seconds_since(start);
    fastest = std::min(fastest, seconds);
    slowest = std::max(slowest, seconds);
    kept = heap.now - before;
    edges = graph.num_edges();
  }
  const auto per_edge = [&](std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(edges);
  };
  fmt::print(
      "{}: {} ranks, {} edges\n"
      "{:<44} {:>8.3f} s (slowest of 7: {:.3f} s)\n"
      "{:<44} {:>8.2f} bytes per edge (at most, while building: {:.2f})\n",
      name, grid.num_ranks(), edges, "  make_comm_graph", fastest, slowest, "  memory",
      per_edge(kept), per_edge(heap.peak - before));
}

}  // namespace

int main() {
  constexpr auto periodic = Periodicity::periodic;
  time_inquiry();
  time_halo("halo cart:128px128px64p", {{128, periodic}, {128, periodic}, {64, periodic}});
  time_halo("halo cart:128x128x64", {{128}, {128}, {64}});
}
