#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

namespace vtopo::detail::checking {

/// Hosts on one side of a cut: how many ranks they have, and what they can exchange per second.
struct Cell {
  std::size_t fewest = 0, most = 0;
  double capacity = 0;
  auto operator<=>(const Cell&) const = default;
};

/// Disjoint cells that share all ranks. The least sum of what their ranks exchange with others: for
/// any price per rank no less than the ranks times the price and, of each cell, the least of its
/// sizes less their price. And the least time in which as many ranks fit as there are.
/// @param cells and how many there are of each.
/// @param least what k ranks and the others exchange at least.
std::pair<double, double> by_shared_ranks(const std::map<Cell, double>& cells, std::size_t ranks,
                                          const std::function<double(std::size_t)>& least);

}  // namespace vtopo::detail::checking
