#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

/// A path, or several in fixed proportions, with the volume that takes it.
struct LoadedPath {
  std::vector<LinkShare> links;  ///< each once
  double volume = 0;
  double best_volume = 0;  ///< in the best routing so far
  int idle_rounds = 0;     ///< without volume
  int by = -1;             ///< intermediate or last vertex between shortest legs; -1: other paths
};

/// Paths with the fewest links between some vertices ("roots") and all vertices, all of them: of a
/// leg to a root, each vertex knows by which of its links it goes on. Lengths are per link and
/// change; which paths there are does not.
class Legs {
 public:
  enum class Direction { to_root, from_root };

  /// @param roots each once. The graph must outlive this.
  /// @throws UsageError if they are too many to keep.
  Legs(const LinkGraph& graph, std::vector<int> roots, Direction direction);

  /// Takes lengths, one entry per link of the network, for what follows.
  void set_lengths(const std::vector<double>& lengths);

  /// Lengths of the shortest legs between a root and every vertex, infinite where there is none.
  void measure(std::size_t root, std::span<double> length) const;

  /// Appends the links of the shortest leg between a root and a vertex, in the order of travel.
  /// @param length as measured.
  void append_leg(std::size_t root, std::span<const double> length, int vertex,
                  std::vector<LinkId>& links) const;

  /// Memory of `append_shortest`.
  struct Search {
    std::vector<double> length;  ///< of each vertex that it has met
    std::vector<int> met;        ///< vertices, those that are nearer to the root later
  };
  /// The same by other lengths, one entry per link of the network; looks at the links between the
  /// vertex and the root only. @returns whether there is a leg.
  bool append_shortest(std::size_t root, int vertex, const std::vector<double>& lengths,
                       Search& search, std::vector<LinkId>& links) const;

 private:
  std::span<const Arc> arcs_of(int vertex) const;
  std::span<const Arc> arcs_back_of(int vertex) const;
  int next_of(const Arc& arc) const { return is_to_root_ ? arc.to : arc.from; }
  int back_of(const Arc& arc) const { return is_to_root_ ? arc.from : arc.to; }
  void search(std::size_t root);
  /// Appends the links of a leg that there is, in the order of travel.
  /// @param length_by length of the shortest leg by an arc, length_by(arc, position of its length).
  template <class LengthBy>
  void append_walk(std::size_t root, int vertex, LengthBy length_by,
                   std::vector<LinkId>& links) const;
  /// Calls visit(arc, position of its length) for each link by which a leg goes on.
  template <class Visit>
  void for_each_arc(std::size_t root, int vertex, Visit visit) const;

  const LinkGraph& graph_;
  std::vector<int> roots_;
  bool is_to_root_;
  std::size_t vertices_;
  std::vector<std::size_t> first_arc_;   ///< of each vertex, in `length_of_arc_`
  std::vector<std::size_t> first_byte_;  ///< of each vertex, in a row of `is_leg_`
  std::vector<std::uint8_t> is_leg_;     ///< a row per root: a bit per link of each vertex
  std::vector<int> order_;               ///< a row per root: vertices in the order of hops
  std::vector<double> length_of_arc_;
};

}  // namespace vtopo::detail
