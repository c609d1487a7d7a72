#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo {

/// Hops between hosts of a torus or mesh of up to three dimensions, from one small table per
/// dimension: unlike rows of a `HopTable` these stay in the nearest cache.
class GridHops {
 public:
  /// Hops from one place.
  class From {
   public:
    From(const GridHops& grid, Place place) : grid_(grid) {
      for (std::size_t d = 0; d < dimensions; ++d)
        rows_[d] = grid.tables_[d].data() + grid.coords_[index(place)][d] * grid.sizes_[d];
    }
    int to(Place place) const {
      const auto& coords = grid_.coords_[index(place)];
      return rows_[0][coords[0]] + rows_[1][coords[1]] + rows_[2][coords[2]];
    }

   private:
    const GridHops& grid_;
    std::array<const std::uint16_t*, 3> rows_{};
  };

  From from(Place place) const { return {*this, place}; }

  /// Nothing if the network is no such grid with one host per router, or a dimension is longer than
  /// 256.
  static std::optional<GridHops> of(const Network& network, const Allocation& allocation);

 private:
  static constexpr std::size_t dimensions = 3;

  std::array<std::size_t, dimensions> sizes_{1, 1, 1};
  std::array<std::vector<std::uint16_t>, dimensions> tables_;  ///< row: from
  std::vector<std::array<std::uint8_t, 4>> coords_;            ///< of every place
};

}  // namespace vtopo
