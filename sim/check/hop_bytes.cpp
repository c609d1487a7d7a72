#include <Eigen/Eigenvalues>

#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

constexpr double taken_off = 1e-6;  // relative, of reports

/// Least sum of products of two lists, each number with one of the other.
double least_product(Eigen::VectorXd a, Eigen::VectorXd b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a.dot(b.reverse());
}

/// Eigenvalues of what a matrix is without the constant vector.
Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(n, n - 1);  // an entry and the mean before it
  for (Eigen::Index k = 1; k < n; ++k) {
    const double length = std::sqrt(static_cast<double>(k * (k + 1)));
    basis.col(k - 1).head(k).setConstant(1 / length);
    basis(k, k - 1) = -static_cast<double>(k) / length;
  }
  const Eigen::MatrixXd rest = basis.transpose() * matrix * basis;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(rest, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

/// Volumes between ranks, less half of what a rank exchanges on its diagonal entry, and hops
/// between slots, both without their part along the constant vector: the largest eigenvalues of one
/// with the smallest of the other; sums of rows likewise (Hadley, Rendl and Wolkowicz 1992). Up to
/// 1,024 slots.
Proof hop_bytes_by_spectrum(Evidence& e) {
  const auto n = static_cast<Eigen::Index>(e.num_slots);
  if (!e.knows_ends) return std::nullopt;
  if (n < 2 || n > 1024 || e.num_ranks > e.num_slots) return 0;
  Eigen::MatrixXd volumes = Eigen::MatrixXd::Zero(n, n), hops = volumes;
  for (std::size_t r = 0; r < e.num_ranks; ++r)
    for (const auto& [other, bytes] : e.both[r]) {
      const auto row = static_cast<Eigen::Index>(r);
      volumes(row, static_cast<Eigen::Index>(other)) += bytes;
      volumes(row, row) -= bytes / 2;
    }
  Eigen::Index from = 0;
  for (std::size_t p = 0; p < e.hosts.size(); ++p) {
    const Numbers of_places = e.hops_from(e.hosts[p]);
    Eigen::RowVectorXd row(n);
    for (Eigen::Index to = 0, q = 0; to < n; ++q) {
      const auto place = static_cast<std::size_t>(q);
      for (std::size_t s = 0; s < e.slots[place]; ++s) row(to++) = of_places[place];
    }
    for (std::size_t s = 0; s < e.slots[p]; ++s) hops.row(from++) = row;
  }
  hops = hops.cwiseMin(hops.transpose()).eval();
  const Eigen::VectorXd sent = volumes.rowwise().sum(), away = hops.rowwise().sum();
  const auto slots = static_cast<double>(n), claimed = real(e.bounds().at("hop_bytes_bound"));
  const double value =
      (least_product(eigenvalues(volumes), eigenvalues(hops)) +
       2 / slots * least_product(sent, away) - sent.sum() * away.sum() / slots / slots) /
      2;
  return claimed <= value && claimed >= value * (1 - taken_off) ? claimed : value;
}

}  // namespace vtopo::detail::checking
