#include "netmodels/more_models/slim_fly/graph.hpp"

#include <algorithm>
#include <cstddef>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

int smallest_divisor(int q) {
  for (int p = 2; p * p <= q; ++p)
    if (q % p == 0) return p;
  return q;
}

bool is_slim_fly(int q) {
  return q > 2 && q % 4 != 2 && FiniteField::exists(q);
}

constexpr int max_q = 1024;  // beyond, links with the least hosts are too many

[[noreturn]] void refuse_q(int q) {
  const int least = 3, most = 1021;
  int below = std::clamp(q, least, most), above = below;
  while (!is_slim_fly(below)) --below;
  while (!is_slim_fly(above)) ++above;
  throw UsageError(fmt::format(
      "slim-fly with q={}: accepted are prime powers from 3 on that leave 0, 1 or 3 modulo 4; the "
      "nearest {} {}{}",
      q, below == above ? "is" : "are", below,
      below == above ? "" : fmt::format(" and {}", above)));
}

int checked_q(int q) {
  if (q > max_q || !is_slim_fly(q)) refuse_q(q);
  return q;
}

/// Hafner, "Geometric realisation of the graphs of McKay-Miller-Siran" (2004), as in SC14.
std::vector<int> generating_set(const FiniteField& field, int side) {
  const int q = field.size();
  std::vector<int> set;
  const auto add = [&](int exponent) { set.push_back(field.power_of_root(exponent)); };
  if (q % 4 != 3) {
    for (int exponent = side; exponent + 1 < q + side; exponent += 2) add(exponent);
    return set;
  }
  // Half of the even powers and, -1 times these, half of the odd ones; times the root on side 1.
  const int w = (q + 1) / 4;
  for (int i = 0; i < w; ++i) add(2 * i + side);
  for (int i = 0; i < w; ++i) add(2 * i + side + (q - 1) / 2);
  return set;
}

}  // namespace

bool FiniteField::exists(int q) {
  if (q < 2) return false;
  const int prime = smallest_divisor(q);
  while (q % prime == 0) q /= prime;
  return q == 1;
}

FiniteField::FiniteField(int q) : q_(q), prime_(smallest_divisor(q)) {
  add_digits();
  // The polynomials modulo x^n - `reduced` are a field in which x is a root of all elements if and
  // only if the powers of x are all of them but 0.
  for (int reduced = 1; !find_powers(reduced);) ++reduced;
}

void FiniteField::add_digits() {
  const auto size = static_cast<std::size_t>(q_);
  sum_.resize(size * size);
  negative_.resize(size);
  for (int a = 0; a < q_; ++a)
    for (int b = 0; b < q_; ++b) {
      int sum = 0;
      for (int unit = 1; unit < q_; unit *= prime_) sum += (a / unit + b / unit) % prime_ * unit;
      sum_[static_cast<std::size_t>(a) * size + static_cast<std::size_t>(b)] = sum;
      if (sum == 0) negative_[static_cast<std::size_t>(a)] = b;
    }
}

bool FiniteField::find_powers(int reduced) {
  const int leading = q_ / prime_;  // x^(n-1)
  power_.assign(1, 1);
  log_.assign(static_cast<std::size_t>(q_), -1);
  log_[1] = 0;
  while (static_cast<int>(power_.size()) < q_ - 1) {
    const int top = power_.back() / leading;
    int next = power_.back() % leading * prime_;
    for (int i = 0; i < top; ++i) next = sum(next, reduced);
    if (next == 0 || log_[static_cast<std::size_t>(next)] >= 0) return false;
    log_[static_cast<std::size_t>(next)] = static_cast<int>(power_.size());
    power_.push_back(next);
  }
  for (int i = 0; i + 1 < q_; ++i) power_.push_back(power_[static_cast<std::size_t>(i)]);
  return true;
}

SlimFlyGraph::SlimFlyGraph(const SlimFlySpec& spec)
    : field_(checked_q(spec.q)),
      per_router_(spec.per_router),
      by_q_(spec.q),
      by_per_router_(1),
      steps_{} {
  for (int side = 0; side < 2; ++side) {
    const auto s = static_cast<std::size_t>(side);
    const auto size = static_cast<std::size_t>(q());
    generators_[s] = generating_set(field_, side);
    port_of_[s].assign(size, -1);
    for (std::size_t port = 0; port < generators_[s].size(); ++port)
      port_of_[s][static_cast<std::size_t>(generators_[s][port])] = narrow<int>(port);
    steps_[s].resize(size);
    for (int element = 0; element < q(); ++element)
      for (const int step : generators_[s])
        if (port_of(side, field_.difference(element, step)) >= 0)
          steps_[s][static_cast<std::size_t>(element)].push_back(step);
  }
  inner_ = int_size(generators_[0]);
  degree_ = inner_ + q();
  if (spec.per_router < 0)
    throw UsageError(
        fmt::format("{} hosts per slim-fly router: accepted is >= 1", spec.per_router));
  if (per_router_ == 0) per_router_ = (degree_ + 1) / 2;
  by_per_router_ = ExactDivision(per_router_);
  const std::int64_t routers = num_routers(), hosts = routers * per_router_;
  if (2 * hosts + routers * degree_ > max_id)
    throw UsageError("slim-fly with more than 2147483647 directed links");
  first_link_ = narrow<int>(2 * hosts);
}

int SlimFlyGraph::between_groups(const SlimFlyRouter& a, const SlimFlyRouter& b) const {
  // The line through two points, or the point on two lines.
  const int run = field_.difference(a.group, b.group);
  if (a.side == 0) {
    const int slope = field_.quotient(field_.difference(a.place, b.place), run);
    return number_of({1, slope, field_.difference(a.place, field_.product(slope, a.group))});
  }
  const int x = field_.quotient(field_.difference(b.place, a.place), run);
  return number_of({0, x, field_.sum(field_.product(a.group, x), a.place)});
}

LinkEnds SlimFlyGraph::ends(LinkId link) const {
  const int hosts = num_hosts();
  if (is_cable(link)) {
    const int host = number(link) / 2, at = hosts + router(HostId{host});
    return number(link) % 2 == 0 ? LinkEnds{host, at} : LinkEnds{at, host};
  }
  const int from = (number(link) - first_link_) / degree_;
  const int port = (number(link) - first_link_) % degree_;
  const SlimFlyRouter here = place(from);
  SlimFlyRouter there = here;
  if (port < inner_)
    there.place = field_.sum(here.place, generators(here.side)[static_cast<std::size_t>(port)]);
  else
    there = {1 - here.side, port - inner_, 0};
  if (port >= inner_) there.place = partner(there, here);
  return {hosts + from, hosts + number_of(there)};
}

}  // namespace vtopo::detail
