#include "sim/evaluation/guest_lattice.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_dimensions = 6;
constexpr std::size_t max_volumes = 8;

/// Steps from the origin along each dimension.
using Cell = std::array<int, max_dimensions>;

/// Who is next to whom.
using Neighbours = CompressedRows<Rank>;

/// Edges of at least a volume; nothing if a rank has none or more than a grid's.
std::optional<Neighbours> neighbours_of(const Partners& partners, double volume) {
  Neighbours result;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    for (const Partner& partner : partners.of(Rank{r}))
      if (partner.both().value >= volume) result.push(partner.rank);
    result.end_row();
    const std::size_t degree = result.row(index(r)).size();
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
        depths_(narrow<int>(neighbours.num_rows()), -1),
        before_(depths_.size()),
        cells_(depths_.size()) {}

  std::optional<GuestLattice> run() {
    const Rank origin = widest();
    if (!start_at(origin)) return std::nullopt;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const Rank rank = queue_[i];
      if (depths_[rank] > 1) place(rank);
      for (const Rank next : neighbours_of(rank)) {
        if (depths_[next] >= 0) continue;
        depths_[next] = depths_[rank] + 1;
        queue_.push_back(next);
      }
    }
    if (int_size(queue_) < depths_.size()) return std::nullopt;
    return grid();
  }

 private:
  std::span<const Rank> neighbours_of(Rank rank) const { return neighbours_.row(index(rank)); }

  /// A rank with the most neighbours, as far from others as there are: inside an open grid all
  /// squares around it are whole.
  Rank widest() {
    std::size_t most = 0;
    const int size = depths_.size();
    for (int r = 0; r < size; ++r) most = std::max(most, neighbours_of(Rank{r}).size());
    std::vector<Rank> order;
    IdVector<Rank, char> seen(size, 0);
    for (int r = 0; r < size; ++r)
      if (neighbours_of(Rank{r}).size() < most) order.push_back(Rank{r}), seen[Rank{r}] = 1;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const Rank next : neighbours_of(order[i]))
        if (!std::exchange(seen[next], 1)) order.push_back(next);
    return int_size(order) == size ? order.back() : Rank{0};
  }

  /// Dimensions from the neighbours of the origin: two that are on no square lie opposite.
  bool start_at(Rank origin) {
    queue_ = {origin};
    depths_[origin] = 0;
    const auto around = neighbours_of(origin);
    std::vector<char> taken(around.size(), 0);
    for (std::size_t i = 0; i < around.size(); ++i) {
      if (taken[i]) continue;
      if (num_dimensions_ == max_dimensions) return false;
      cells_[around[i]][num_dimensions_] = 1;
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        if (taken[j] || on_a_square(around[i], around[j], origin)) continue;
        taken[j] = 1;
        cells_[around[j]][num_dimensions_] = -1;
        break;
      }
      ++num_dimensions_;
    }
    for (const Rank next : around) {
      depths_[next] = 1;
      before_[next] = origin;
      queue_.push_back(next);
    }
    return true;
  }

  bool on_a_square(Rank a, Rank b, Rank origin) const {
    const auto of_a = neighbours_of(a);
    const auto of_b = neighbours_of(b);
    return std::any_of(of_a.begin(), of_a.end(), [&](Rank common) {
      return common != origin && std::find(of_b.begin(), of_b.end(), common) != of_b.end();
    });
  }

  void place(Rank rank) {
    Cell& at = cells_[rank];
    int num_before = 0;
    Cell opposite{};
    for (const Rank other : neighbours_of(rank)) {
      if (depths_[other] != depths_[rank] - 1) continue;
      const Cell& from = cells_[other];
      if (num_before++ == 0) {
        at = from;
        before_[rank] = other;
        continue;
      }
      for (std::size_t d = 0; d < num_dimensions_; ++d) {
        if (std::abs(from[d]) > std::abs(at[d]))
          at[d] = from[d], opposite[d] = 0;
        else if (from[d] == -at[d] && at[d] != 0)
          opposite[d] = 1;
      }
    }
    const Rank one_before = before_[before_[rank]];
    for (std::size_t d = 0; d < num_dimensions_; ++d) {
      if (num_before == 1) at[d] += at[d] - cells_[one_before][d];
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
    std::int64_t volume = 1;
    for (std::size_t d = 0; d < num_dimensions_; ++d) {
      volume *= high[d] - low[d] + 1;
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
      const int rows = cells_.size() / dimensions[d].size;
      const int open = rows * (dimensions[d].size - 1);
      if ((*edges)[d] == 2 * std::int64_t{open + rows} && dimensions[d].size > 2)
        dimensions[d].periodicity = Periodicity::periodic;
      else if ((*edges)[d] != 2 * std::int64_t{open})
        return std::nullopt;
    }
    return filled(Cartesian(std::move(dimensions)));
  }

  /// Steps along each dimension, each edge twice; nothing if an edge is not a step.
  std::optional<std::array<std::int64_t, max_dimensions>> edges_along(
      const std::vector<Dimension>& dimensions) {
    std::array<std::int64_t, max_dimensions> edges{};
    for (int r = 0; r < cells_.size(); ++r)
      for (const Rank other : neighbours_of(Rank{r})) {
        std::size_t differing = 0, along = 0;
        for (std::size_t d = 0; d < num_dimensions_; ++d) {
          const int step = std::abs(cells_[Rank{r}][d] - cells_[other][d]);
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
    IdVector<Rank, char> taken(cells_.size(), 0);
    GuestLattice lattice{std::move(grid), {}};
    for (const Cell& at : cells_) {
      const Rank rank = lattice.grid.rank(std::span(at.data(), num_dimensions_));
      if (std::exchange(taken[rank], 1)) return std::nullopt;
      lattice.cell_of.push_back(rank);
    }
    return lattice;
  }

  const Neighbours& neighbours_;
  std::size_t num_dimensions_ = 0;
  std::vector<Rank> queue_;
  IdVector<Rank, int> depths_;   ///< -1: not reached
  IdVector<Rank, Rank> before_;  ///< one of the ranks that it was reached from
  IdVector<Rank, Cell> cells_;
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

}  // namespace vtopo::detail
