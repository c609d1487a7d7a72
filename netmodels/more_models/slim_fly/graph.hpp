#pragma once

#include <array>
#include <vector>

#include "netmodels/more_models/slim_fly/slim_fly.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// The field with q elements 0..q-1; each is a polynomial over the integers modulo the prime p, its
/// coefficients the digits to base p. With q = p these are the integers modulo p.
class FiniteField {
 public:
  /// Whether q is the power of a prime.
  static bool exists(int q);

  /// q <= 46340 a prime power. O(q^2).
  explicit FiniteField(int q);

  int size() const { return q_; }
  /// Element whose powers are all but 0: the smallest prime root if q is prime.
  int power_of_root(int exponent) const {
    return power_[static_cast<std::size_t>(exponent % (q_ - 1))];
  }

  int sum(int a, int b) const {
    return sum_[static_cast<std::size_t>(a) * static_cast<std::size_t>(q_) +
                static_cast<std::size_t>(b)];
  }
  int difference(int a, int b) const { return sum(a, negative_[static_cast<std::size_t>(b)]); }
  int product(int a, int b) const {
    if (a == 0 || b == 0) return 0;
    return power_[static_cast<std::size_t>(log(a)) + static_cast<std::size_t>(log(b))];
  }
  /// b is not 0.
  int quotient(int a, int b) const {
    if (a == 0) return 0;
    return power_[static_cast<std::size_t>(log(a) + q_ - 1 - log(b))];
  }

 private:
  int log(int a) const { return log_[static_cast<std::size_t>(a)]; }
  void add_digits();
  bool find_powers(int reduced);

  int q_;
  int prime_;
  std::vector<int> sum_;       ///< of two elements
  std::vector<int> negative_;  ///< of each element
  std::vector<int> power_;     ///< of the root, exponents 0 to 2q - 3
  std::vector<int> log_;       ///< exponent of each element
};

/// Router (side, group, place): (0, x, y) or (1, m, c), all but the side elements of the field.
/// router = (side * q + group) * q + place.
struct SlimFlyRouter {
  int side;
  int group;
  int place;
};

/// Routers and links of a Slim Fly, and the hosts at them. (0, x, y) and (0, x, y') are joined if
/// y - y' is in the generating set of side 0, (1, m, c) and (1, m, c') if c - c' is in that of side
/// 1, and (0, x, y) and (1, m, c) if y = m x + c. Any two routers are at most 2 links apart.
class SlimFlyGraph {
 public:
  /// @throws UsageError as make_slim_fly, for counts.
  explicit SlimFlyGraph(const SlimFlySpec& spec);

  int q() const { return field_.size(); }
  int degree() const { return degree_; }  ///< links from each router to others
  int per_router() const { return per_router_; }
  int num_routers() const { return 2 * q() * q(); }
  int num_hosts() const { return num_routers() * per_router_; }
  int num_links() const { return first_link_ + num_routers() * degree_; }
  const std::vector<int>& generators(int side) const {
    return generators_[static_cast<std::size_t>(side)];
  }

  int router(HostId host) const { return by_per_router_.quotient(number(host)); }
  static constexpr bool have_cables() { return true; }
  LinkId up(HostId host) const { return LinkId{2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{2 * number(host) + 1}; }
  bool is_cable(LinkId link) const { return number(link) < first_link_; }
  LinkEnds ends(LinkId link) const;

  SlimFlyRouter place(int router) const {
    const int row = by_q_.quotient(router), side = row >= q() ? 1 : 0;
    return {side, row - side * q(), router - row * q()};
  }

  /// 0, 1 or 2.
  int distance(int from, int to) const {
    return from == to ? 0 : are_joined(place(from), place(to)) ? 1 : 2;
  }

  /// Link between two routers that are joined.
  LinkId link(int from, int to) const {
    const SlimFlyRouter a = place(from), b = place(to);
    const int port = a.side == b.side ? port_of(a.side, difference(b, a)) : inner_ + b.group;
    return LinkId{first_link_ + from * degree_ + port};
  }

  /// Calls `visit(router)` for each router joined with both of two that are 2 links apart.
  template <class Visit>
  void for_each_middle(int from, int to, Visit visit) const {
    const SlimFlyRouter a = place(from), b = place(to);
    if (a.side != b.side) return visit_across(a, b, visit);
    if (a.group != b.group) return visit(between_groups(a, b));
    for (const int step :
         steps_[static_cast<std::size_t>(a.side)][static_cast<std::size_t>(difference(b, a))])
      visit(number_of({a.side, a.group, field_.sum(a.place, step)}));
  }

  /// Of these routers, in their order, the one by which the route to a host goes: number (host
  /// modulo how many there are, at least one between routers two links apart).
  int middle(int from, int to, HostId destination) const {
    int count = 0, chosen = 0;
    for_each_middle(from, to, [&](int) { ++count; });
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the diameter is 2, so that there is one
    int left = number(destination) % count;
    for_each_middle(from, to, [&](int router) {
      if (left-- == 0) chosen = router;
    });
    return chosen;
  }

 private:
  int number_of(const SlimFlyRouter& router) const {
    return (router.side * q() + router.group) * q() + router.place;
  }
  int difference(const SlimFlyRouter& to, const SlimFlyRouter& from) const {
    return field_.difference(to.place, from.place);
  }
  /// Position of an element in the generating set of a side; -1 if it is not in it.
  int port_of(int side, int element) const {
    return port_of_[static_cast<std::size_t>(side)][static_cast<std::size_t>(element)];
  }
  /// Place in the group of `at` of the router joined with `other`, which is on the other side.
  int partner(const SlimFlyRouter& at, const SlimFlyRouter& other) const {
    const int product = field_.product(at.group, other.group);
    return at.side == 0 ? field_.sum(product, other.place)
                        : field_.difference(other.place, product);
  }
  bool are_joined(const SlimFlyRouter& a, const SlimFlyRouter& b) const {
    if (a.side != b.side) return partner(a, b) == a.place;
    return a.group == b.group && port_of(a.side, difference(b, a)) >= 0;
  }
  int between_groups(const SlimFlyRouter& a, const SlimFlyRouter& b) const;

  template <class Visit>
  void visit_across(const SlimFlyRouter& a, const SlimFlyRouter& b, Visit visit) const {
    const SlimFlyRouter near{a.side, a.group, partner(a, b)};
    const SlimFlyRouter far{b.side, b.group, partner(b, a)};
    if (port_of(a.side, difference(near, a)) >= 0) visit(number_of(near));
    if (port_of(b.side, difference(b, far)) >= 0) visit(number_of(far));
  }

  FiniteField field_;
  int per_router_;
  int inner_;   ///< links of each router in its group
  int degree_;  ///< and to all groups of the other side
  int first_link_ = 0;
  ExactDivision by_q_;
  ExactDivision by_per_router_;
  std::array<std::vector<int>, 2> generators_;
  std::array<std::vector<int>, 2> port_of_;
  /// Generators g for which the element less g is one too, by side and element.
  std::array<std::vector<std::vector<int>>, 2> steps_;
};

}  // namespace vtopo::detail
