#include "cli/check/stars.hpp"

#include "cli/check/distances.hpp"

namespace vtopo::detail::checking {
namespace {

/// Least cost of giving each row a column of its own: one row after the other takes the cheapest
/// path of exchanges (Hungarian method).
double cheapest(const std::vector<Numbers>& costs, std::size_t columns) {
  Numbers of_row(costs.size() + 1), of_column(columns + 1);
  std::vector<std::size_t> row_at(columns + 1), before(columns + 1);
  for (std::size_t row = 1; row <= costs.size(); ++row) {
    Numbers rest(columns + 1, infinity);
    std::vector<bool> is_seen(columns + 1);
    std::size_t at = 0;
    row_at[0] = row;
    do {
      is_seen[at] = true;
      const std::size_t here = row_at[at];
      double by = infinity;
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns; ++c) {
        if (is_seen[c]) continue;
        const double more = costs[here - 1][c - 1] - of_row[here] - of_column[c];
        if (more < rest[c]) rest[c] = more, before[c] = at;
        if (next == 0 || rest[c] < by) by = rest[c], next = c;
      }
      if (next == 0) return infinity;
      for (std::size_t c = 0; c <= columns; ++c)
        if (is_seen[c])
          of_row[row_at[c]] += by, of_column[c] -= by;
        else
          rest[c] -= by;
      at = next;
    } while (row_at[at] != 0);
    for (; at != 0; at = before[at]) row_at[at] = row_at[before[at]];
  }
  double sum = 0;
  for (std::size_t c = 1; c <= columns; ++c)
    if (row_at[c] != 0) sum += costs[row_at[c] - 1][c - 1];
  return sum;
}

}  // namespace

double hop_bytes_by_stars(const Job& job, bool is_exact, const Json& stars, Claims& claims) {
  const std::size_t places = job.hosts.size();
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;  // share of a pair of ranks
  for (std::size_t r = 0; r < job.num_ranks; ++r)
    for (const auto& [other, bytes] : job.both[r])
      first.emplace(std::pair{r, other}, first.size() * places * places);
  const Json& list = stars.at("shares");
  claims.require(list.size() == first.size() * places * places, "bounds: shares of other pairs");
  Numbers shares;
  for (const Json& share : list) shares.push_back(real(share));
  const Distances distances(job);
  for (std::size_t p = 0; p < places; ++p) {
    const Numbers hops = distances.to_hosts(job.hosts[p]);
    for (const auto& [pair, at] : first)
      for (std::size_t q = 0; q < places; ++q) {
        const double bytes = job.both[pair.first].at(pair.second), most = bytes * hops[q];
        const double other = shares[first.at({pair.second, pair.first}) + q * places + p];
        const double own = shares[at + p * places + q];
        const bool is_paid = own + other <= most + rounding * (std::abs(own) + std::abs(other));
        claims.require(is_paid || !is_exact, "bounds: shares of more than volume times hops");
        if (!is_paid) claims.open.insert("slots farther away than by a shortest path");
      }
  }
  double value = 0;
  for (const Json& price : stars.at("slots")) value += real(price);
  for (std::size_t r = 0; r < job.num_ranks; ++r) {
    const double price = real(stars.at("ranks").at(r));
    value += price;
    for (std::size_t p = 0, slot = 0; p < places; ++p) {
      std::vector<Numbers> costs;
      double size = std::abs(price);
      for (const auto& [other, bytes] : job.both[r]) {
        costs.emplace_back();
        for (std::size_t q = 0; q < places; ++q) {
          const double share = shares[first.at({r, other}) + p * places + q];
          size = std::max(size, std::abs(share));
          costs.back().insert(costs.back().end(), job.slots.at(job.hosts[q]) - (p == q ? 1 : 0),
                              share);
        }
      }
      const double least = costs.empty() ? 0 : cheapest(costs, costs[0].size());
      for (std::size_t s = 0; s < job.slots.at(job.hosts[p]); ++s, ++slot) {
        const double of_slot = real(stars.at("slots").at(slot));
        claims.require(
            of_slot <= 0 && price + of_slot <= least + rounding * size,
            fmt::format("bounds: rank {} and slot {} cost less than their prices", r, slot));
      }
    }
  }
  return value;
}

}  // namespace vtopo::detail::checking
