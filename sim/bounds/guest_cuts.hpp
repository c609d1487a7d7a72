#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "sim/bounds/guest_grid.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Ranks whose partners get equal volumes: for bounds that do not look at who the partner is, they
/// are one.
struct RankType {
  std::vector<double> volumes;  ///< with each partner, both ways; bytes, descending
  std::vector<double> sums;     ///< entry k: of the k heaviest; one entry more than `volumes`
  int ranks = 0;

  /// Volume with all but the `kept` heaviest partners.
  double without(std::size_t kept) const {
    return kept >= volumes.size() ? 0 : sums.back() - sums[kept];
  }
};

/// The types in the order of their first rank, and the type of each rank.
struct RankTypes {
  std::vector<RankType> types;
  std::vector<int> type_of;  ///< one entry per rank

  int num_ranks() const { return static_cast<int>(type_of.size()); }
};

RankTypes rank_types(const Partners& partners);

/// What sets of ranks exchange, set by set: of guests so small that all sets can be looked at.
class SmallGuestCuts {
 public:
  static constexpr int max_ranks = 14;

  /// @param partners of at most `max_ranks` ranks.
  explicit SmallGuestCuts(const Partners& partners);

  /// Least volume, both ways, between any `ranks` ranks and the others.
  double least(int ranks) const { return least_[static_cast<std::size_t>(ranks)]; }

  /// The same, one way only: the way on which more is sent.
  double least_one_way(int ranks) const { return one_way_[static_cast<std::size_t>(ranks)]; }

  /// Over all ways to part the ranks into sets of `fewest` to `most`: the least sum of what the
  /// sets exchange both ways, and the least of what the set that sends or receives most does so one
  /// way.
  struct Parted {
    double sum = 0;
    double most_one_way = 0;
    double most_sent = 0;  ///< likewise, of what a set sends
  };
  Parted least_parted(int fewest, int most) const;

 private:
  int ranks_;
  std::vector<double> sent_;      ///< one entry per set, as bits of its ranks
  std::vector<double> received_;  ///< likewise
  std::vector<double> least_;     ///< one entry per number of ranks, as the next
  std::vector<double> one_way_;
};

/// Rank of a tree and the step of its parent.
struct TreeStep {
  Rank rank{};
  int parent = 0;  ///< position among the steps, before its own; of the root 0
};

/// Tree of partners and how much of their volumes it takes.
struct PackedTree {
  double weight = 0;            ///< bytes
  std::vector<TreeStep> steps;  ///< the root first
};

/// Trees of guests of at most so many ranks are listed as evidence.
constexpr int max_tree_ranks = 1024;

/// Trees that together take no more than the volumes of their edges: a tree of weight y takes y
/// times the ranks below an edge from that edge.
struct TreePacking {
  /// Sum over the trees of weight times `reach` of the ranks below the root: a lower bound of
  /// volumes, both ways, times distances. Distances of the ranks of a tree from its root are at
  /// most those along its edges, and add up to `reach` at least, whatever the embedding (spreading
  /// metrics: Even, Naor, Rao, Schieber, "Divide-and-conquer approximation algorithms via spreading
  /// metrics", J. ACM 2000; the packing is the dual linear program).
  double value = 0;
  std::vector<PackedTree> trees;
};

/// A packing of nearly the largest value, by multiplicative weights (Plotkin, Shmoys, Tardos 1995);
/// trees of some ranks only, in turn, where those of all would take too long.
/// @param reach entry k: no k ranks are closer to another rank than this, added up; it never
/// decreases.
TreePacking pack_trees(const Partners& partners, const std::vector<double>& reach);

/// Least volume, both ways, between sets of at most `most` ranks that hold all ranks, by forests:
/// a tree of c ranks lies in c / most sets at least and loses one edge less than it meets sets, its
/// lightest ones at best. Summed over edge-disjoint spanning forests, each of the heaviest edges
/// that are left (Kruskal 1956).
double least_across_forests(const Partners& partners, int most);

/// What sets of ranks exchange with the others at least, in bytes both ways, whatever the set.
class GuestCuts {
 public:
  /// Partners and types must outlive it.
  /// @param set_by_set whether small guests are judged by all their sets instead of arguments.
  GuestCuts(const Partners& partners, const RankTypes& types, bool set_by_set = true);

  int num_ranks() const { return types_.num_ranks(); }

  /// Of any `ranks` ranks.
  double least(int ranks);

  /// Of any set whose number of ranks is between both.
  double least_between(int fewest, int most);

  /// Sum over disjoint sets that hold all ranks, each at most `most`, and at least `fewest` or
  /// none; what flows between two of them counts for both.
  double least_sum(int fewest, int most);

  /// What one of such sets exchanges at least, over the least of all ways to part the ranks.
  struct OneSet {
    double one_way = 0;  ///< sends or receives
    double sent = 0;     ///< 0 where the guest is large
  };
  OneSet least_of_greatest(int fewest, int most);

  /// What each rank exchanges both ways beyond its `most` - 1 heaviest partners, the most first.
  std::vector<double> beyond(int most) const;

  /// One way only, the way on which more is sent, of any set whose number of ranks is between both.
  double least_one_way(int fewest, int most);

  /// Trees that prove a sum over sets of at most `most` ranks (`pack_trees`), made once; none where
  /// other arguments are better or there are too many ranks.
  const TreePacking& trees(int most);

  const std::optional<GuestGrid>& grid() const { return grid_; }

  /// `least_connectivity`; 0 where a grid is known, which says more.
  double connectivity();

 private:
  double by_partners(int ranks);
  double by_connectivity(int ranks);
  double by_graph(int most);

  const Partners& partners_;
  const RankTypes& types_;
  std::size_t max_degree_;
  std::optional<GuestGrid> grid_;
  std::optional<double> connectivity_;
  std::optional<SmallGuestCuts> small_;
  std::map<int, TreePacking> trees_;  ///< by the ranks of a set
  std::vector<double> known_;         ///< of `least`, negative where it is not; one entry per size
  double work_ = 0;
};

}  // namespace vtopo::detail
