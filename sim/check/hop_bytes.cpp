#include <Eigen/Eigenvalues>

#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

/// Of `partners` or `places`, in the star of a rank on a place.
Numbers star_prices(const Evidence& e, const char* name, std::size_t rank, std::size_t place) {
  return numbers_of(e.witness().at("stars").at(name).at(rank).at(place));
}

/// What the star of a rank costs at least, by its place.
Numbers costs_of_stars(const Evidence& e, std::size_t rank) {
  Numbers costs;
  for (std::size_t p = 0; p < e.hosts.size(); ++p) {
    const Numbers of_partners = star_prices(e, "partners", rank, p);
    const Numbers of_places = star_prices(e, "places", rank, p);
    double cost = sum(of_partners), size = 0;
    for (const double price : of_partners) size = std::max(size, std::abs(price));
    for (std::size_t q = 0; q < e.hosts.size(); ++q)
      cost += of_places.at(q) * static_cast<double>(e.slots[q] - (p == q ? 1 : 0));
    costs.push_back(cost + rounding * size);
  }
  return costs;
}

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

/// A pair of partners pays its volume times hops in two parts, one to the star of either rank on
/// its place: no less than the price of the other rank and of its place in that star. No place has
/// a price above 0, so a star costs the prices of its partners and of all other slots at least
/// (Adams and Johnson 1994; Hahn and Grant 1998), and ranks and slots have prices for what stars
/// cost.
Proof hop_bytes_by_stars(Evidence& e) {
  if (!e.witness().contains("stars") || !e.knows_ends) return std::nullopt;
  const bool is_exact = e.all_up && are_links_steps(e);
  std::vector<std::size_t> places(e.hosts.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (const std::size_t p : places) {
    const Numbers hops = e.hops_from(e.hosts[p]);
    for (std::size_t r = 0; r < e.num_ranks; ++r) {
      const Numbers of_partners = star_prices(e, "partners", r, p);
      const Numbers of_places = star_prices(e, "places", r, p);
      e.require(greatest(of_places) <= 0, "bounds: a place in a star has a price above 0");
      for (const std::size_t q : places) {
        if (p == q && e.slots[p] == 1) continue;
        std::size_t k = 0;
        for (const auto& [other, bytes] : e.both[r]) {
          const auto& back = e.both[other];
          const auto own = static_cast<std::size_t>(std::distance(back.begin(), back.find(r)));
          const Numbers parts{of_partners.at(k++), of_places.at(q),
                              star_prices(e, "partners", other, q).at(own),
                              star_prices(e, "places", other, q).at(p)};
          double size = 0;
          for (const double part : parts) size += std::abs(part);
          const bool is_paid = sum(parts) <= bytes * hops[q] + rounding * size;
          e.require(is_paid || !is_exact, "bounds: prices of more than volume times hops");
          if (!is_paid) e.open.insert("slots farther away than by a shortest path");
        }
      }
    }
  }
  return sum_of_prices(e, e.witness().at("stars"), places, costs_of_stars);
}

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
