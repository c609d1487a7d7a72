#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// A link as the graph knows it.
struct Arc {
  LinkId link{};
  int from = 0;
  int to = 0;
};

/// The links of a network as a directed graph: hosts are vertices 0..num_hosts-1, routers and
/// switches follow. Links from a vertex to itself (loopback) are left out. Where some link joins
/// two hosts, hosts are routers too and pass traffic on; elsewhere traffic only starts and ends at
/// them. Immutable, safe to read from several threads.
class LinkGraph {
 public:
  /// Distance of a vertex that no way leads to.
  static constexpr int unreachable = std::numeric_limits<int>::max();

  /// @param without links to leave out, one entry per link; empty: none.
  /// @return null if the network does not know the ends of every link.
  static std::shared_ptr<const LinkGraph> of(const Network& network,
                                             const std::vector<bool>& without = {});

  ~LinkGraph();
  LinkGraph(const LinkGraph&) = delete;
  LinkGraph& operator=(const LinkGraph&) = delete;

  int num_hosts() const { return num_hosts_; }
  int num_vertices() const { return num_vertices_; }
  /// Whether a way may lead on from this vertex.
  bool passes_on(int vertex) const { return hosts_pass_on_ || vertex >= num_hosts_; }

  /// Appends the links that leave `vertex`, ascending.
  void append_arcs(int vertex, std::vector<Arc>& arcs) const;

  /// Fewest links from `vertex` to every vertex, by breadth-first search; O(links).
  std::vector<int> distances_from(int vertex) const;
  /// Fewest links from every vertex to `vertex`; O(links).
  std::vector<int> distances_to(int vertex) const;

 private:
  struct Storage;
  LinkGraph(int num_hosts, int num_vertices, const std::vector<Arc>& arcs);

  int num_hosts_ = 0;
  int num_vertices_ = 0;
  bool hosts_pass_on_ = false;
  std::unique_ptr<const Storage> storage_;
};

}  // namespace vtopo
