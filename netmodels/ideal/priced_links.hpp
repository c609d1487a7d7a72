#pragma once

#include <vector>

#include "netmodels/ideal/path_program.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Loads of links, and prices that grow exponentially with them.
class PricedLinks {
 public:
  /// @param capacity of each link, infinite: its load does not count; must outlive this.
  explicit PricedLinks(const std::vector<double>& capacity);

  /// Prices of now times capacities.
  const std::vector<double>& prices() const { return price_; }
  double cost(const std::vector<LinkShare>& links) const;  ///< of a unit that takes these links
  double congestion() const;                               ///< largest load / capacity
  double spent() const;         ///< prices times loads, summed over the links
  double value_of_all() const;  ///< prices times capacities, summed over the links

  void clear();                                                  ///< no loads
  void add(const std::vector<LinkShare>& links, double volume);  ///< to loads; prices stay

  /// Prices anew: what they began with, times exp(steepness * (congestion / scale - 1)).
  void set_prices(double steepness, double scale);
  /// The next prices begin with those of now, to that power (0 to 1).
  void keep_prices(double power);
  /// Prices that others have found.
  void use_prices(std::vector<double> prices) { price_ = std::move(prices); }

  /// What a demand pays, and how much of it it could save over its own paths.
  struct Spending {
    double paid = 0, saved = 0;
  };
  /// Moves volume of a demand from dear paths in use to its cheapest one, by Newton steps on the
  /// sum of the exponentials; loads and prices follow.
  Spending rebalance(std::vector<LoadedPath>& paths);

 private:
  struct Curve;
  Curve curve(const std::vector<LinkShare>& links) const;
  void move(const std::vector<LinkShare>& links, double volume);
  void price(std::size_t link);

  const std::vector<double>& capacity_;
  std::vector<double> load_, price_;
  std::vector<double> begin_;  ///< logarithm of price times capacity to begin with
  std::vector<double> costs_;
  double rate_ = 0, steepness_ = 0;
};

}  // namespace vtopo::detail
