#include "cli/check/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "cli/check/distances.hpp"

namespace vtopo::detail::checking {
namespace {

constexpr double taken_off = 1e-6;  // relative

/// An orthogonal basis of what is orthogonal to the constant vector: columns of differences between
/// an entry and the mean of those before it.
Eigen::MatrixXd without_constant(Eigen::Index n) {
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(n, n - 1);
  for (Eigen::Index k = 1; k < n; ++k) {
    const double length = std::sqrt(static_cast<double>(k * (k + 1)));
    basis.col(k - 1).head(k).setConstant(1 / length);
    basis(k, k - 1) = -static_cast<double>(k) / length;
  }
  return basis;
}

Numbers sorted(const Eigen::VectorXd& values) {
  Numbers list(values.begin(), values.end());
  std::sort(list.begin(), list.end());
  return list;
}

double least_product(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[a.size() - 1 - k];
  return sum;
}

}  // namespace

double hop_bytes_by_spectrum(const Job& job, double claimed) {
  std::vector<std::size_t> place_of;  // of each slot
  for (std::size_t p = 0; p < job.hosts.size(); ++p)
    place_of.insert(place_of.end(), job.slots.at(job.hosts[p]), p);
  const auto n = static_cast<Eigen::Index>(place_of.size());
  if (n < 2 || n > 1024 || job.num_ranks > place_of.size()) return 0;
  Eigen::MatrixXd volumes = Eigen::MatrixXd::Zero(n, n), hops(n, n);
  for (std::size_t r = 0; r < job.num_ranks; ++r)
    for (const auto& [other, bytes] : job.both[r]) {
      const auto row = static_cast<Eigen::Index>(r);
      volumes(row, static_cast<Eigen::Index>(other)) += bytes;
      volumes(row, row) -= bytes / 2;
    }
  const Distances distances(job);
  std::vector<Numbers> from;
  for (const std::size_t host : job.hosts) from.push_back(distances.to_hosts(host));
  for (Eigen::Index a = 0; a < n; ++a)
    for (Eigen::Index b = 0; b < n; ++b) {
      const std::size_t p = place_of[static_cast<std::size_t>(a)];
      const std::size_t q = place_of[static_cast<std::size_t>(b)];
      hops(a, b) = std::min(from[p][q], from[q][p]);
    }
  const Eigen::MatrixXd basis = without_constant(n);
  const auto eigenvalues = [&](const Eigen::MatrixXd& matrix) {
    const Eigen::MatrixXd rest = basis.transpose() * matrix * basis;
    return sorted(
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(rest, Eigen::EigenvaluesOnly).eigenvalues());
  };
  const Eigen::VectorXd sent = volumes.rowwise().sum(), away = hops.rowwise().sum();
  const auto slots = static_cast<double>(n);
  const double value = (least_product(eigenvalues(volumes), eigenvalues(hops)) +
                        2 / slots * least_product(sorted(sent), sorted(away)) -
                        sent.sum() * away.sum() / slots / slots) /
                       2;
  return claimed <= value && claimed >= value * (1 - taken_off) ? claimed : value;
}

}  // namespace vtopo::detail::checking
