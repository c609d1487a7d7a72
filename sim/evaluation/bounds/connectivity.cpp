#include "sim/evaluation/bounds/connectivity.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace vtopo::detail {

namespace {

constexpr int max_ranks = 1024;

/// Lower triangle, row by row.
class Triangle {
 public:
  explicit Triangle(std::size_t size) : size_(size), entries_(size * (size + 1) / 2, 0) {}

  std::size_t size() const { return size_; }
  double* row(std::size_t i) { return entries_.data() + i * (i + 1) / 2; }
  const double* row(std::size_t i) const { return entries_.data() + i * (i + 1) / 2; }

  double trace() const {
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += row(i)[i];
    return sum;
  }

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

double dot(const double* a, const double* b, std::size_t count) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t j = 0; j < 4; ++j) sums[j] += a[k + j] * b[k + j];
  for (; k < count; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Laplacian, plus `lift` on every entry, minus `shift` on the diagonal.
Triangle shifted_laplacian(const Partners& partners, double lift, double shift) {
  Triangle matrix(index(partners.num_ranks()));
  for (int r = 0; r < partners.num_ranks(); ++r) {
    double* const row = matrix.row(index(Rank{r}));
    std::fill_n(row, r + 1, lift);
    row[r] -= shift;
    for (const Partner& partner : partners.of(Rank{r})) {
      row[r] += partner.both().value;
      if (partner.rank < Rank{r}) row[index(partner.rank)] -= partner.both().value;
    }
  }
  return matrix;
}

/// The factor, or nothing if a pivot is not positive.
std::optional<Triangle> cholesky(Triangle matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    double* const row = matrix.row(i);
    for (std::size_t j = 0; j < i; ++j)
      row[j] = (row[j] - dot(row, matrix.row(j), j)) / matrix.row(j)[j];
    const double pivot = row[i] - dot(row, row, i);
    if (!(pivot > 0)) return std::nullopt;
    row[i] = std::sqrt(pivot);
  }
  return matrix;
}

void solve(const Triangle& factor, std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = (x[i] - dot(factor.row(i), x.data(), i)) / factor.row(i)[i];
  for (std::size_t i = x.size(); i-- > 0;) {
    x[i] /= factor.row(i)[i];
    for (std::size_t j = 0; j < i; ++j) x[j] -= factor.row(i)[j] * x[i];
  }
}

/// Least eigenvalue by inverse iteration: an estimate, not a bound.
double estimate(const Triangle& factor) {
  std::vector<double> x(factor.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  double length = 1;
  for (int step = 0; step < 40; ++step) {
    for (double& entry : x) entry /= length;
    solve(factor, x);
    length = std::sqrt(dot(x.data(), x.data(), x.size()));
  }
  return 1 / length;
}

/// No eigenvalue is below minus this if the factorisation succeeds: entries and factor are rounded.
double rounding_error(const Triangle& matrix, double scale) {
  const double size = static_cast<double>(matrix.size()) + 4;
  return 8 * size * std::numeric_limits<double>::epsilon() * (matrix.trace() + size * scale);
}

}  // namespace

double least_connectivity(const Partners& partners) {
  const int ranks = partners.num_ranks();
  if (ranks < 2 || ranks > max_ranks) return 0;
  const double volume = shifted_laplacian(partners, 0, 0).trace();
  if (!(volume > 0) || !std::isfinite(volume)) return 0;
  // The constant vector gets the eigenvalue of twice the mean degree, which the second one of the
  // Laplacian does not exceed.
  const double lift = 2 * volume / ranks / ranks;
  const double floor = 1e-7 * volume / ranks;
  const auto factor = cholesky(shifted_laplacian(partners, lift, -floor));
  if (!factor) return 0;
  const double likely = estimate(*factor) - floor;
  for (const double part : {0.9999, 0.99, 0.9, 0.5}) {
    const Triangle shifted = shifted_laplacian(partners, lift, part * likely);
    const double error = rounding_error(shifted, 2 * volume / ranks);
    if (part * likely <= error) return 0;
    if (cholesky(shifted)) return part * likely - error;
  }
  return 0;
}

}  // namespace vtopo::detail
