#pragma once

#include <span>
#include <vector>

#include "netmodels/models/fat_tree/fat_tree.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// A level of nodes with the cables that lead up from it. A node of level l has one digit per
/// level: below l the parent taken on the way up (radix w), from l on the subtree it stands in
/// (radix m); its position counts with digit 0 fastest: position = low + low_radix * (subtree
/// digits). Cable c of a node is its port c: port = cable * parents + parent digit.
struct FatTreeCables {
  FatTreeLevel shape;
  int low_radix = 1;  ///< W_l, product of `parents` of the levels below: distinct low parts
  int leaves = 1;     ///< product of `children` of the levels below: hosts in one subtree
  int first_vertex = 0;
  int first_cable = 0;
  int first_subtree = 0;  ///< subtrees of all levels are numbered one after the other
  LinkProperties link;

  ExactDivision by_low_radix{low_radix};
  ExactDivision by_leaves{leaves};
  ExactDivision by_ports{shape.parents * shape.cables};
  ExactDivision by_parents{shape.parents};
  ExactDivision by_children{shape.children};
  ExactDivision by_cables{shape.cables};

  int ports() const { return shape.parents * shape.cables; }
  /// Cable at the port of a node.
  int cable(int position, int port) const { return first_cable + position * ports() + port; }

  /// All cables that lead up from the nodes of a subtree have consecutive numbers.
  int cables_of_subtree() const { return low_radix * ports(); }
  int first_cable_of_subtree(int subtree) const {
    return first_cable + subtree * cables_of_subtree();
  }
};

/// Numbers of hosts, switches and cables of a fat tree. Directed link 2c leads up cable c, 2c+1
/// down. Memory O(levels).
class FatTreeLevels {
 public:
  /// @param joined_tops top switches that differ in their plane alone are one.
  /// @throws UsageError if a number is < 1 or hosts, switches or links exceed 2^31-1.
  explicit FatTreeLevels(const FatTreeSpec& spec, bool joined_tops = false);

  int num_hosts() const { return num_hosts_; }
  int num_cables() const { return num_cables_; }
  int num_subtrees() const { return num_subtrees_; }
  int size() const { return static_cast<int>(levels_.size()); }
  const FatTreeCables& operator[](int level) const {
    return levels_[static_cast<std::size_t>(level)];
  }
  std::span<const FatTreeCables> all() const { return levels_; }

  /// Level of the lowest common switches of two hosts: one above the highest digit in which they
  /// differ, 0 for a host and itself.
  int peak(int host, int other) const {
    int level = 0;
    while (level < size() &&
           (*this)[level].by_leaves.quotient(host) != (*this)[level].by_leaves.quotient(other))
      ++level;
    return level;
  }

  /// Planes: the parents of hosts, a digit that all switches above have in common.
  int planes() const { return levels_.front().shape.parents; }
  /// Plane of a cable that leads up from a subtree of level l, cables counted from its first one.
  int plane(int level, int cable) const {
    return (level == 0 ? cable : cable / (*this)[level].ports()) % planes();
  }
  /// Top switches.
  int num_roots() const {
    return (*this)[size() - 1].low_radix * (*this)[size() - 1].shape.parents / roots_per_top_;
  }

  /// Level of the lower end of a link.
  int level_of(LinkId link) const;
  LinkEnds ends(LinkId link) const;
  int port(LinkId link) const;

  /// Level of a switch or host, and its position there.
  struct Place {
    int level;
    int position;
  };
  Place place(int vertex) const;

 private:
  int first_vertex(int level) const {
    return level < size() ? (*this)[level].first_vertex : first_root_;
  }

  std::vector<FatTreeCables> levels_;
  int num_hosts_ = 0;
  int num_cables_ = 0;
  int num_subtrees_ = 0;
  int first_root_ = 0;
  int roots_per_top_ = 1;  ///< of different planes that are one
};

/// Adds all that follows from the levels, whatever the routes. What is given must outlive the
/// facts.
void add_fat_tree_facts(const FatTreeSpec& spec, const FatTreeLevels& levels, NetworkFacts& facts);

}  // namespace vtopo::detail
