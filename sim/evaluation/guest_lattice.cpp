#include "sim/evaluation/guest_lattice.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

constexpr std::size_t max_dimensions = 6;
constexpr std::size_t max_volumes = 8;

/// Steps from the origin along each dimension.
using Cell = std::array<int, max_dimensions>;

/// Who is next to whom, in compressed rows.
struct Neighbours {
  std::vector<std::size_t> offsets{0};
  std::vector<int> ranks;

  std::span<const int> of(int rank) const {
    const std::size_t first = offsets[static_cast<std::size_t>(rank)];
    return {ranks.data() + first, offsets[static_cast<std::size_t>(rank) + 1] - first};
  }
};

/// Edges of at least a volume; nothing if a rank has none or more than a grid's.
std::optional<Neighbours> neighbours_of(const Partners& partners, double volume) {
  Neighbours result;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r}))
      if (partner.both().value >= volume) result.ranks.push_back(number(partner.rank));
    result.offsets.push_back(result.ranks.size());
    const std::size_t degree = result.of(r).size();
    if (degree == 0 || degree > 2 * max_dimensions) return std::nullopt;
  }
  return result;
}

/// Gives every rank a cell by a search from one of them: the first steps are the dimensions, a rank
/// after two others is at the far corner of a square, one after a single other is straight ahead.
class LatticeSearch {
 public:
  explicit LatticeSearch(const Neighbours& neighbours)
      : neighbours_(neighbours),
        depths_(neighbours.offsets.size() - 1, -1),
        before_(depths_.size(), -1),
        cells_(depths_.size(), Cell{}) {}

  std::optional<GuestLattice> run() {
    const int origin = widest();
    if (!start_at(origin)) return std::nullopt;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const int rank = queue_[i];
      if (depth(rank) > 1) place(rank);
      for (const int next : neighbours_.of(rank)) {
        if (depth(next) >= 0) continue;
        depth(next) = depth(rank) + 1;
        queue_.push_back(next);
      }
    }
    if (queue_.size() < depths_.size()) return std::nullopt;
    return grid();
  }

 private:
  int& depth(int rank) { return depths_[static_cast<std::size_t>(rank)]; }
  Cell& cell(int rank) { return cells_[static_cast<std::size_t>(rank)]; }

  /// A rank with the most neighbours, as far from others as there are: inside an open grid all
  /// squares around it are whole.
  int widest() {
    std::size_t most = 0;
    const int size = int_size(depths_);
    for (int r = 0; r < size; ++r) most = std::max(most, neighbours_.of(r).size());
    std::vector<int> order;
    std::vector<char> seen(depths_.size(), 0);
    for (int r = 0; r < size; ++r)
      if (neighbours_.of(r).size() < most)
        order.push_back(r), seen[static_cast<std::size_t>(r)] = 1;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const int next : neighbours_.of(order[i]))
        if (!std::exchange(seen[static_cast<std::size_t>(next)], 1)) order.push_back(next);
    return order.size() == depths_.size() ? order.back() : 0;
  }

  /// Dimensions from the neighbours of the origin: two that are on no square lie opposite.
  bool start_at(int origin) {
    queue_ = {origin};
    depth(origin) = 0;
    const auto around = neighbours_.of(origin);
    std::vector<char> taken(around.size(), 0);
    for (std::size_t i = 0; i < around.size(); ++i) {
      if (taken[i]) continue;
      if (num_dimensions_ == max_dimensions) return false;
      cell(around[i])[num_dimensions_] = 1;
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        if (taken[j] || on_a_square(around[i], around[j], origin)) continue;
        taken[j] = 1;
        cell(around[j])[num_dimensions_] = -1;
        break;
      }
      ++num_dimensions_;
    }
    for (const int next : around) {
      depth(next) = 1;
      before_[static_cast<std::size_t>(next)] = origin;
      queue_.push_back(next);
    }
    return true;
  }

  bool on_a_square(int a, int b, int origin) const {
    const auto of_a = neighbours_.of(a);
    const auto of_b = neighbours_.of(b);
    return std::any_of(of_a.begin(), of_a.end(), [&](int common) {
      return common != origin && std::find(of_b.begin(), of_b.end(), common) != of_b.end();
    });
  }

  void place(int rank) {
    Cell& at = cell(rank);
    int num_before = 0;
    Cell opposite{};
    for (const int other : neighbours_.of(rank)) {
      if (depth(other) != depth(rank) - 1) continue;
      const Cell& from = cell(other);
      if (num_before++ == 0) {
        at = from;
        before_[static_cast<std::size_t>(rank)] = other;
        continue;
      }
      for (std::size_t d = 0; d < num_dimensions_; ++d) {
        if (std::abs(from[d]) > std::abs(at[d]))
          at[d] = from[d], opposite[d] = 0;
        else if (from[d] == -at[d] && at[d] != 0)
          opposite[d] = 1;
      }
    }
    const int last = before_[static_cast<std::size_t>(rank)];
    const int one_before = before_[static_cast<std::size_t>(last)];
    for (std::size_t d = 0; d < num_dimensions_; ++d) {
      if (num_before == 1) at[d] += at[d] - cell(one_before)[d];
      if (opposite[d]) at[d] = std::abs(at[d]) + 1;
    }
  }

  /// The grid if the cells are all of a box and the edges all between neighbours.
  std::optional<GuestLattice> grid() {
    Cell low{}, high{};
    for (const Cell& at : cells_)
      for (std::size_t d = 0; d < num_dimensions_; ++d) {
        low[d] = std::min(low[d], at[d]);
        high[d] = std::max(high[d], at[d]);
      }
    std::size_t volume = 1;
    for (std::size_t d = 0; d < num_dimensions_; ++d) {
      volume *= static_cast<std::size_t>(high[d] - low[d] + 1);
      if (volume > cells_.size()) return std::nullopt;
    }
    if (volume != cells_.size()) return std::nullopt;
    std::vector<Dimension> dimensions;
    for (std::size_t d = 0; d < num_dimensions_; ++d) dimensions.push_back({high[d] - low[d] + 1});
    for (Cell& at : cells_)
      for (std::size_t d = 0; d < num_dimensions_; ++d) at[d] -= low[d];
    const auto edges = edges_along(dimensions);
    if (!edges) return std::nullopt;
    for (std::size_t d = 0; d < num_dimensions_; ++d) {
      const auto rows = cells_.size() / static_cast<std::size_t>(dimensions[d].size);
      const auto open = rows * static_cast<std::size_t>(dimensions[d].size - 1);
      if ((*edges)[d] == 2 * (open + rows) && dimensions[d].size > 2)
        dimensions[d].periodicity = Periodicity::periodic;
      else if ((*edges)[d] != 2 * open)
        return std::nullopt;
    }
    return filled(Cartesian(std::move(dimensions)));
  }

  /// Steps along each dimension, each edge twice; nothing if an edge is no step.
  std::optional<std::array<std::size_t, max_dimensions>> edges_along(
      const std::vector<Dimension>& dimensions) {
    std::array<std::size_t, max_dimensions> edges{};
    for (int r = 0; r < int_size(cells_); ++r)
      for (const int other : neighbours_.of(r)) {
        std::size_t differing = 0, along = 0;
        for (std::size_t d = 0; d < num_dimensions_; ++d) {
          const int step = std::abs(cell(r)[d] - cell(other)[d]);
          if (step == 0) continue;
          if (step != 1 && step != dimensions[d].size - 1) return std::nullopt;
          ++differing;
          along = d;
        }
        if (differing != 1) return std::nullopt;
        ++edges[along];
      }
    return edges;
  }

  std::optional<GuestLattice> filled(Cartesian grid) const {
    std::vector<char> taken(cells_.size(), 0);
    GuestLattice lattice{std::move(grid), {}};
    for (const Cell& at : cells_) {
      const Rank rank = lattice.grid.rank(std::span(at.data(), num_dimensions_));
      if (std::exchange(taken[index(rank)], 1)) return std::nullopt;
      lattice.cell_of.push_back(rank);
    }
    return lattice;
  }

  const Neighbours& neighbours_;
  std::size_t num_dimensions_ = 0;
  std::vector<int> queue_;
  std::vector<int> depths_;  ///< of each rank; -1: not reached
  std::vector<int> before_;  ///< one of the ranks that it was reached from
  std::vector<Cell> cells_;
};

/// The largest volumes and the least one, descending.
std::vector<double> volumes_of(const Partners& partners) {
  std::vector<double> volumes;
  double least = -1;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      const double volume = partner.both().value;
      least = least < 0 ? volume : std::min(least, volume);
      const auto at = std::lower_bound(volumes.begin(), volumes.end(), volume, std::greater<>());
      if (at != volumes.end() && *at == volume) continue;
      if (at == volumes.end() && volumes.size() == max_volumes) continue;
      volumes.insert(at, volume);
      if (volumes.size() > max_volumes) volumes.pop_back();
    }
  if (!volumes.empty() && volumes.back() != least) volumes.push_back(least);
  return volumes;
}

}  // namespace

std::optional<GuestLattice> find_lattice(const Partners& partners) {
  for (const double volume : volumes_of(partners))
    if (const auto neighbours = neighbours_of(partners, volume))
      if (auto lattice = LatticeSearch(*neighbours).run()) return lattice;
  return std::nullopt;
}

}  // namespace vtopo
