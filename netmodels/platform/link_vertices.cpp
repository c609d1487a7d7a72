#include "netmodels/platform/link_vertices.hpp"

#include <boost/iterator/counting_iterator.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// What stands before or after a link in a chain: a net point (its number) or a link (-1 - id).
using Neighbour = int;
Neighbour neighbour_at(const Chain& chain, std::size_t place_after) {
  if (place_after == 0) return chain.from;
  if (place_after > chain.links.size()) return chain.to;
  return -1 - number(chain.links[place_after - 1]);
}

/// How a link lies among its neighbours.
enum class Lie {
  unused,
  directed,  ///< always the same way between two sides
  two_way,   ///< between two sides, both ways
  bus        ///< more than two sides
};

/// One way over a link: from neighbour to neighbour.
struct Passage {
  Neighbour before;
  Neighbour after;
};

/// Puts the neighbours of a link on two sides, so that every passage leads from one to the other.
/// With `cables`, both halves of a split-duplex pair are on the same side.
class Sides {
 public:
  Sides(const std::vector<Passage>& passages, const std::vector<int>* cables) : cables_(cables) {
    for (const auto& [before, after] : passages) {
      opposite_[key(before)].push_back(key(after));
      opposite_[key(after)].push_back(key(before));
    }
    for (const auto& passage : passages) place(key(passage.before));
    if (!fits_) return;
    for (const auto& passage : passages) (side(passage.before) == 0 ? forth_ : back_) = true;
  }

  Lie lie() const {
    if (!fits_) return Lie::bus;
    if (forth_ && back_) return Lie::two_way;
    return forth_ || back_ ? Lie::directed : Lie::unused;
  }
  int side(Neighbour neighbour) const { return side_.at(key(neighbour)); }

 private:
  Neighbour key(Neighbour neighbour) const {
    if (cables_ == nullptr || neighbour >= 0) return neighbour;
    return -1 - (*cables_)[index(-1 - neighbour)];
  }

  /// The first passage of those that hang together goes from side 0 to side 1.
  void place(Neighbour before) {
    if (!side_.emplace(before, 0).second) return;
    std::vector<Neighbour> open{before};
    while (!open.empty()) {
      const Neighbour here = open.back();
      open.pop_back();
      for (const Neighbour there : opposite_[here]) {
        const auto [known, is_new] = side_.emplace(there, 1 - side_[here]);
        if (is_new) open.push_back(there);
        fits_ = fits_ && known->second != side_[here];
      }
    }
  }

  const std::vector<int>* cables_;
  std::map<Neighbour, std::vector<Neighbour>> opposite_;
  std::map<Neighbour, int> side_;
  bool fits_ = true;
  bool forth_ = false;
  bool back_ = false;
};

/// Physical sides if the passages allow them, else an inlet and an outlet (the backbone of a star).
Sides sides_of(const std::vector<Passage>& passages, const std::vector<int>& cables) {
  Sides physical(passages, &cables);
  return physical.lie() == Lie::bus ? Sides(passages, nullptr) : physical;
}

using Merged = boost::disjoint_sets_with_storage<>;

/// Elements that are merged: net points 0..n-1, then two sides per link.
class Conclusion {
 public:
  Conclusion(const std::vector<Chain>& chains, int num_hosts, const std::vector<int>& cables)
      : num_hosts_(num_hosts), num_points_(index(num_hosts)), passages_(cables.size()) {
    for (const Chain& chain : chains)
      num_points_ = std::max({num_points_, index(chain.from) + 1, index(chain.to) + 1});
    collect(chains);
    for (const auto& passages : passages_) sides_.push_back(sides_of(passages, cables));
    merge();
  }

  ConcludedLinks ends() {
    mark_conflicts();
    ConcludedLinks links;
    links.ends.resize(sides_.size());
    links.sides.resize(sides_.size());
    for (std::size_t l = 0; l < sides_.size(); ++l) {
      const std::size_t from = merged_.find_set(element(l, 0)),
                        to = merged_.find_set(element(l, 1));
      const Lie lie = sides_[l].lie();
      if (is_inside_switch(l) && !conflict_[from]) {
        const int inside = vertex(from);
        links.sides[l] = LinkEnds{inside, inside};
      }
      if ((lie != Lie::directed && lie != Lie::two_way) || from == to || conflict_[from] ||
          conflict_[to])
        continue;
      const int first = vertex(from);  // in the order of links: no order of evaluation
      links.sides[l] = LinkEnds{first, vertex(to)};
      if (lie == Lie::directed) links.ends[l] = links.sides[l];
    }
    return links;
  }

 private:
  void collect(const std::vector<Chain>& chains) {
    for (const Chain& chain : chains)
      for (std::size_t k = 0; k < chain.links.size(); ++k)
        passages_[index(chain.links[k])].push_back(
            {neighbour_at(chain, k), neighbour_at(chain, k + 2)});
    for (auto& passages : passages_) {
      const auto key = [](const Passage& p) { return std::pair(p.before, p.after); };
      std::stable_sort(passages.begin(), passages.end(),
                       [&](const Passage& a, const Passage& b) { return key(a) < key(b); });
      passages.erase(
          std::unique(passages.begin(), passages.end(),
                      [&](const Passage& a, const Passage& b) { return key(a) == key(b); }),
          passages.end());
    }
  }

  std::size_t element(std::size_t link, int side) const {
    return num_points_ + 2 * link + index(side);
  }

  /// The side of `link` that touches `neighbour`; a bus touches links with one inner vertex and net
  /// points not at all: it would make them one.
  std::optional<std::size_t> touching(std::size_t link, Neighbour neighbour) const {
    if (sides_[link].lie() != Lie::bus) return element(link, sides_[link].side(neighbour));
    if (neighbour >= 0) return std::nullopt;
    return element(link, 0);
  }

  /// Whether traffic comes from and goes on to links at one vertex.
  bool is_inside_switch(std::size_t link) {
    const auto is_here = [&](Neighbour neighbour) {
      return neighbour < 0 ||
             merged_.find_set(index(neighbour)) == merged_.find_set(element(link, 0));
    };
    const auto stays_here = [&](const Passage& passage) {
      return is_here(passage.before) && is_here(passage.after);
    };
    const Lie lie = sides_[link].lie();
    if (lie == Lie::unused) return false;
    if (lie == Lie::bus)
      return std::all_of(passages_[link].begin(), passages_[link].end(), stays_here);
    return merged_.find_set(element(link, 0)) == merged_.find_set(element(link, 1));
  }

  void merge() {
    merged_ = Merged(num_points_ + 2 * sides_.size());
    for (std::size_t l = 0; l < sides_.size(); ++l)
      for (const auto& [before, after] : passages_[l])
        for (const Neighbour neighbour : {before, after}) {
          const auto here = touching(l, neighbour);
          const auto there = neighbour >= 0 ? std::optional(index(neighbour))
                                            : touching(index(-1 - neighbour), -1 - narrow<int>(l));
          if (here && there) merged_.union_set(*here, *there);
        }
    merge_routers();
    const boost::counting_iterator<std::size_t> first(0), last(element(sides_.size(), 0));
    merged_.compress_sets(first, last);
    merged_.normalize_sets(first, last);
  }

  /// The router that a bus leads to, and no other net point, is the switch inside it: a backbone
  /// and the router of its cluster.
  void merge_routers() {
    std::vector<bool> has_point(num_points_ + 2 * sides_.size(), false);
    for (std::size_t p = 0; p < num_points_; ++p) has_point[merged_.find_set(p)] = true;
    std::map<std::size_t, std::set<Neighbour>> routers;  // of the switches inside of buses
    for (std::size_t l = 0; l < sides_.size(); ++l) {
      if (sides_[l].lie() != Lie::bus) continue;
      auto& own = routers[merged_.find_set(element(l, 0))];
      for (const auto& [before, after] : passages_[l])
        for (const Neighbour neighbour : {before, after})
          if (neighbour >= 0) own.insert(neighbour);
    }
    std::map<Neighbour, int> uses;
    for (const auto& [inside, points] : routers)
      for (const Neighbour point : points) ++uses[point];
    for (const auto& [inside, points] : routers)
      if (points.size() == 1 && *points.begin() >= num_hosts_ && uses[*points.begin()] == 1 &&
          !has_point[inside])
        merged_.union_set(inside, index(*points.begin()));
  }

  void mark_conflicts() {
    std::vector<int> points(num_points_ + 2 * sides_.size(), 0);
    for (std::size_t p = 0; p < num_points_; ++p) ++points[merged_.find_set(p)];
    for (const int count : points) conflict_.push_back(count > 1);
  }

  /// Net points keep their numbers.
  int vertex(std::size_t element) {
    if (element < num_points_) return narrow<int>(element);
    return inner_.emplace(element, narrow<int>(num_points_ + inner_.size())).first->second;
  }

  int num_hosts_;
  std::size_t num_points_;
  std::vector<std::vector<Passage>> passages_;
  std::vector<Sides> sides_;
  Merged merged_;  ///< the lowest element of a class stands for it
  std::vector<bool> conflict_;
  std::map<std::size_t, int> inner_;
};

}  // namespace

ConcludedLinks conclude_link_ends(const std::vector<Chain>& chains, int num_hosts,
                                  const std::vector<int>& cables) {
  return Conclusion(chains, num_hosts, cables).ends();
}

}  // namespace vtopo::detail
