#pragma once

#include <algorithm>
#include <vector>

#include "netmodels/more_models/dragonfly_plus/dragonfly_plus.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// Kinds of links of a dragonfly+, in the order of link ids.
enum class DragonflyPlusLinks { host, local, global };

/// Places of hosts and switches and ids of links. Leaves and spines are numbered through the
/// network, cell by cell. Where all cells are equal, no table is stored.
class DragonflyPlusCells {
 public:
  /// @throws UsageError as make_dragonfly_plus, for counts.
  explicit DragonflyPlusCells(const DragonflyPlusSpec& spec);

  int cells() const { return cells_; }
  int spines() const { return spines_; }  ///< per cell
  int links() const { return links_; }    ///< between two cells
  int num_leaves() const { return num_leaves_; }
  int num_hosts() const { return num_hosts_; }
  int num_links() const { return num_links_; }
  bool are_equal() const { return leaf_of_.empty(); }

  /// Spines of a cell that have links to another given cell.
  int outlets() const { return std::min(links_, spines_); }
  /// Links to another cell at the outlet of link `outlet` < outlets(): outlet, outlet + spines, ...
  int links_at(int outlet) const { return (links_ - outlet + spines_ - 1) / spines_; }

  int leaf(HostId host) const {
    return are_equal() ? by_hosts_.quotient(number(host)) : leaf_of_[index(host)];
  }
  int cell(int leaf) const {
    return are_equal() ? by_leaves_.quotient(leaf) : cell_of_[static_cast<std::size_t>(leaf)];
  }
  int first_leaf(int cell) const {
    return are_equal() ? cell * leaves_ : first_leaf_[static_cast<std::size_t>(cell)];
  }
  int leaves_of(int cell) const { return first_leaf(cell + 1) - first_leaf(cell); }
  int first_host(int leaf) const {
    return are_equal() ? leaf * hosts_ : first_host_[static_cast<std::size_t>(leaf)];
  }
  int hosts_of(int leaf) const { return first_host(leaf + 1) - first_host(leaf); }

  /// Spine, 0..spines-1, where link `link` to cell `other` starts.
  int spine(int cell, int other, int link) const {
    return by_spines_.remainder(among_others(cell, other) * links_ + link);
  }
  /// The link < outlets() to cell `other` that starts at a spine; none if it is >= outlets().
  int outlet(int cell, int other, int spine) const {
    const int first = this->spine(cell, other, 0);
    return spine >= first ? spine - first : spine - first + spines_;
  }
  /// Spine of a cell by which routes to a host of it go.
  int spine_to(HostId destination) const { return by_spines_.remainder(number(destination)); }
  /// Link of two cells by which routes to a host go.
  int link_to(HostId destination) const { return by_links_.remainder(number(destination)); }

  LinkId up(HostId host) const { return LinkId{2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{2 * number(host) + 1}; }
  LinkId leaf_up(int leaf, int spine) const {
    return LinkId{first_local_ + 2 * (leaf * spines_ + spine)};
  }
  LinkId leaf_down(int leaf, int spine) const {
    return LinkId{first_local_ + 2 * (leaf * spines_ + spine) + 1};
  }
  LinkId global(int cell, int other, int link) const {
    return LinkId{first_global_ + (cell * (cells_ - 1) + among_others(cell, other)) * links_ +
                  link};
  }

  DragonflyPlusLinks kind(LinkId link) const;
  std::int64_t links_of(DragonflyPlusLinks kind) const;
  LinkEnds ends(LinkId link) const;
  /// Which of the links between two cells a global link is.
  int link_of(LinkId global) const { return (number(global) - first_global_) % links_; }

  int num_vertices() const { return num_hosts_ + num_leaves_ + cells_ * spines_; }
  int first_vertex(int cell) const { return num_hosts_ + cell * spines_ + first_leaf(cell); }
  int spine_vertex(int cell, int spine) const { return first_vertex(cell) + spine; }
  int leaf_vertex(int leaf) const { return num_hosts_ + (cell(leaf) + 1) * spines_ + leaf; }
  int cell_of_switch(int vertex) const;

  /// Links between two hosts on shortest routes.
  int hops(HostId source, HostId destination) const {
    if (source == destination) return 0;
    const int from = leaf(source), to = leaf(destination);
    return from == to ? 2 : cell(from) == cell(to) ? 4 : 5;
  }

  /// Calls `visit(link)` for the links of the one route in the order of travel.
  template <class Visit>
  void for_each_link(HostId source, HostId destination, Visit visit) const {
    if (source == destination) return;
    visit(up(source));
    const int from = leaf(source), to = leaf(destination);
    if (from != to) {
      const int here = cell(from), there = cell(to);
      if (here == there) {
        const int by = spine_to(destination);
        visit(leaf_up(from, by));
        visit(leaf_down(to, by));
      } else {
        const int link = link_to(destination);
        visit(leaf_up(from, spine(here, there, link)));
        visit(global(here, there, link));
        visit(leaf_down(to, spine(there, here, link)));
      }
    }
    visit(down(destination));
  }

 private:
  static int among_others(int self, int other) { return other < self ? other : other - 1; }

  void place_unequal(const std::vector<std::vector<int>>& hosts);

  int cells_;
  int leaves_;
  int spines_;
  int hosts_;
  int links_;
  int num_leaves_ = 0;
  int num_hosts_ = 0;
  int first_local_ = 0;
  int first_global_ = 0;
  int num_links_ = 0;
  ExactDivision by_hosts_;
  ExactDivision by_leaves_;
  ExactDivision by_spines_;
  ExactDivision by_links_;
  std::vector<int> leaf_of_;     ///< by host; empty where all cells are equal, as those below
  std::vector<int> cell_of_;     ///< by leaf
  std::vector<int> first_leaf_;  ///< by cell, and their number
  std::vector<int> first_host_;  ///< by leaf, and their number
};

}  // namespace vtopo::detail
