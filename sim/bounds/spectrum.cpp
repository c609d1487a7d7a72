#include "sim/bounds/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "sim/bounds/host_profiles.hpp"

namespace vtopo::detail {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Eigenvalues but the one of the constant vector, ascending, and the sums of the rows.
struct Spectrum {
  Vector values, sums;
  double error = 0;  ///< at least the Euclidean distance of `values` to the exact ones
  double norm = 0;   ///< Euclidean, of `values`
};

/// What lies along the constant vector gets an eigenvalue above all others, and is left out. The
/// computed eigenvalues are those of a matrix within about n^2 roundings of the Frobenius norm
/// (Higham, Accuracy and Stability of Numerical Algorithms, ch. 19), and so are as near themselves
/// (Hoffman and Wielandt 1953).
Spectrum spectrum_of(Matrix matrix) {
  const auto n = static_cast<double>(matrix.rows());
  Spectrum result;
  result.sums = matrix.rowwise().sum();
  const double lift = 2 * matrix.norm() / n;
  matrix.colwise() -= result.sums / n;
  matrix.rowwise() -= result.sums.transpose() / n;
  matrix.array() += result.sums.sum() / n / n + lift;
  result.error = 16 * n * n * std::numeric_limits<double>::epsilon() * matrix.norm();
  const Vector all =
      Eigen::SelfAdjointEigenSolver<Matrix>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  result.values = all.head(all.size() - 1);
  result.norm = result.values.norm();
  return result;
}

/// What pairs of ranks exchange; diagonal entries are what the rank exchanges, times minus `part`.
Matrix volumes(const Partners& partners, Eigen::Index size, double part) {
  Matrix matrix = Matrix::Zero(size, size);
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) {
      matrix(r, number(partner.rank)) = partner.both().value;
      matrix(r, r) -= part * partner.both().value;
    }
  return matrix;
}

/// Hops between slots, the fewer of both directions.
Matrix distances(const Network& network, const Allocation& allocation) {
  std::vector<HostId> host_of;
  for (std::size_t p = 0; p < allocation.hosts.size(); ++p)
    host_of.insert(host_of.end(), static_cast<std::size_t>(allocation.slots[p]),
                   allocation.hosts[p]);
  const auto n = static_cast<Eigen::Index>(host_of.size());
  Matrix matrix(n, n);
  std::vector<int> hops(host_of.size());
  for (Eigen::Index a = 0; a < n; ++a) {
    network.hops_from(host_of[static_cast<std::size_t>(a)], host_of, hops);
    for (Eigen::Index b = 0; b < n; ++b) matrix(a, b) = hops[static_cast<std::size_t>(b)];
  }
  return matrix.cwiseMin(matrix.transpose()).eval();
}

/// Least scalar product over all orders of the second vector (rearrangement inequality).
double least_product(Vector a, Vector b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end(), std::greater<>());
  return a.dot(b);
}

}  // namespace

double least_connectivity(const Partners& partners) {
  const int ranks = partners.num_ranks();
  if (ranks < 2 || ranks > max_spectrum) return 0;
  const Matrix laplacian = -volumes(partners, ranks, 1);
  if (!laplacian.allFinite()) return 0;
  const Spectrum spectrum = spectrum_of(laplacian);
  // A ten-thousandth less, so that others can verify it by a factorisation.
  return std::max(0.0, std::min(0.9999 * spectrum.values[0], spectrum.values[0] - spectrum.error));
}

double spectral_bound(const Partners& partners, const Network& network,
                      const Allocation& allocation) {
  const std::int64_t slots = allocation.num_slots();
  if (slots < 2 || slots > max_spectrum) return 0;
  const auto paths = with_shortest_paths(network);
  if (!paths) return 0;
  const Matrix guest = volumes(partners, slots, 0.5);
  if (!guest.allFinite()) return 0;
  const Spectrum volume = spectrum_of(guest), hops = spectrum_of(distances(*paths, allocation));
  const auto n = static_cast<double>(slots);
  const double error = volume.error * (hops.norm + hops.error) + volume.norm * hops.error;
  const double sum = least_product(volume.values, hops.values) +
                     2 / n * least_product(volume.sums, hops.sums) -
                     volume.sums.sum() * hops.sums.sum() / n / n;
  return std::max(0.0, (sum - error) / 2);
}

}  // namespace vtopo::detail
