#include "sim/evaluation/bounds/assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<double>>& costs)
      : costs_(costs),
        columns_(costs.front().size()),
        row_price_(costs.size(), 0),
        column_price_(columns_ + 1, 0),
        row_of_(columns_ + 1, nobody) {
    for (std::size_t row = 0; row < costs.size(); ++row) add(row);
  }

  double cost() const {
    double sum = 0;
    for (std::size_t column = 0; column < columns_; ++column)
      if (row_of_[column] != nobody) sum += costs_[row_of_[column]][column];
    return sum;
  }

  AssignmentPrices prices() && {
    column_price_.pop_back();
    for (double& price : column_price_) price = std::min(price, 0.0);  // but for rounding it is
    return {std::move(row_price_), std::move(column_price_)};
  }

 private:
  /// A shortest path from the new row to a free column; the column beyond the last one stands for
  /// where the path starts.
  void add(std::size_t row) {
    std::vector<double> least(columns_, infinity);
    std::vector<std::size_t> way(columns_, columns_);
    std::vector<bool> done(columns_ + 1, false);
    std::size_t here = columns_;
    row_of_[here] = row;
    while (row_of_[here] != nobody) {
      done[here] = true;
      const std::size_t next = step(here, least, way, done);
      move_prices(least[next], least, done);
      here = next;
    }
    for (; here != columns_; here = way[here]) row_of_[here] = row_of_[way[here]];
  }

  /// The nearest column that is not done, after those seen from `here`.
  std::size_t step(std::size_t here, std::vector<double>& least, std::vector<std::size_t>& way,
                   const std::vector<bool>& done) const {
    const std::size_t row = row_of_[here];
    std::size_t next = columns_;
    for (std::size_t column = 0; column < columns_; ++column) {
      if (done[column]) continue;
      const double reduced = costs_[row][column] - row_price_[row] - column_price_[column];
      if (reduced < least[column]) {
        least[column] = reduced;
        way[column] = here;
      }
      if (next == columns_ || least[column] < least[next]) next = column;
    }
    return next;
  }

  void move_prices(double by, std::vector<double>& least, const std::vector<bool>& done) {
    for (std::size_t column = 0; column <= columns_; ++column) {
      if (done[column]) {
        row_price_[row_of_[column]] += by;
        column_price_[column] -= by;
      } else if (column < columns_) {
        least[column] -= by;
      }
    }
  }

  const std::vector<std::vector<double>>& costs_;
  std::size_t columns_;
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<std::size_t> row_of_;
};

}  // namespace

double least_assignment(const std::vector<std::vector<double>>& costs) {
  return costs.empty() ? 0 : Assignment(costs).cost();
}

AssignmentPrices least_assignment_prices(const std::vector<std::vector<double>>& costs) {
  return costs.empty() ? AssignmentPrices() : Assignment(costs).prices();
}

}  // namespace vtopo::detail
