// Cannon's matrix product on 16 simulated ranks, without MPI: each rank of a periodic 4 x 4 grid
// has a block of A and B. After the skew (row i of A shifted by i, column j of B by j) every step
// multiplies blocks and shifts A along the rows and B along the columns (MPI-5.0 shows the skew as
// the example of MPI_Cart_shift). Uses the installed library; tests/install/cannon.expected.txt has
// the output.
#include <vtopo/netmodels/network_spec.hpp>
#include <vtopo/sim/clock/simgrid/run_ranks.hpp>
#include <vtopo/topology/mpi/communicator.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace vtopo;

constexpr int side = 4;    // blocks
constexpr int block = 32;  // rows of a block
constexpr int whole = side * block;

using Block = std::vector<double>;

double a_entry(int row, int column) {
  return row + 2 * column;
}
double b_entry(int row, int column) {
  return row == column ? 3 : 0;
}  // the product is 3 A

template <class Entry>
Block make_block(const std::vector<int>& coords, Entry entry) {
  Block values;
  for (int i = 0; i < block; ++i)
    for (int j = 0; j < block; ++j)
      values.push_back(entry(coords[0] * block + i, coords[1] * block + j));
  return values;
}

void add_product(const Block& a, const Block& b, Block& c) {
  for (int i = 0; i < block; ++i)
    for (int k = 0; k < block; ++k)
      for (int j = 0; j < block; ++j) c[i * block + j] += a[i * block + k] * b[k * block + j];
}

void multiply(const SimulatedRank& self) {
  const std::vector<int> coords = self.coords();
  Block a = make_block(coords, a_entry), b = make_block(coords, b_entry), c(a.size());
  self.sendrecv_replace(std::span(a), self.shift(1, -coords[0]));  // the skew
  self.sendrecv_replace(std::span(b), self.shift(0, -coords[1]));
  self.record("skewed", self.time().value);
  for (int step = 0; step < side; ++step) {
    add_product(a, b, c);
    self.compute_flops(2.0 * block * block * block);
    self.sendrecv_replace(std::span(a), self.shift(1, -1));
    self.sendrecv_replace(std::span(b), self.shift(0, -1));
  }
  double error = 0;
  const Block expected = make_block(coords, [](int i, int j) { return 3 * a_entry(i, j); });
  for (std::size_t i = 0; i < c.size(); ++i) error = std::max(error, std::abs(c[i] - expected[i]));
  self.record("error", error);
}

}  // namespace

int main() {
  const Dimension ring{side, Periodicity::periodic};
  const Communicator grid = cart_create(world(side * side), Cartesian({ring, ring}));
  for (const char* spec : {"torus:4x4", "fat-tree:2;4,4;1,1;1,1"}) {
    const auto network = make_network(spec, {});
    const Allocation allocation = whole_machine(*network);
    const RankRun run = run_ranks(*network, Embedding(allocation.hosts, allocation), {},
                                  [&](const SimulatedRank& self) { multiply(self.on(grid)); });
    double error = 0, skewed = 0;
    for (const RankRecord& record : run.records) {
      double& largest = record.key == "error" ? error : skewed;
      largest = std::max(largest, record.values[0]);
    }
    std::printf(
        "%-22s %d x %d product, error %g, skewed after %.2f us, done after %.2f us, %.0f KiB "
        "sent\n",
        spec, whole, whole, error, 1e6 * skewed, 1e6 * run.makespan.value,
        run.traffic.total_volume().value / 1024);
  }
}
