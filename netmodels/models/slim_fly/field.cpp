#include "netmodels/models/slim_fly/field.hpp"

#include <cstddef>

namespace vtopo::detail {

namespace {

int smallest_divisor(int q) {
  for (int p = 2; p * p <= q; ++p)
    if (q % p == 0) return p;
  return q;
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

}  // namespace vtopo::detail
