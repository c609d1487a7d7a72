#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "topology/base/compressed_rows.hpp"

namespace vtopo {

/// A link as the graph knows it.
struct Arc {
  LinkId link{};  ///< its id in the network
  int from = 0;   ///< vertex that it leaves
  int to = 0;     ///< vertex that it leads to

  friend bool operator==(const Arc&, const Arc&) = default;  ///< memberwise
};

/// The links of a network as a directed graph: hosts are vertices 0..num_hosts-1, routers and
/// switches follow. Links from a vertex to itself (loopback) are left out. Where some link joins
/// two hosts or routes pass hosts, hosts are routers too and pass traffic on; elsewhere traffic
/// only starts and ends at them. Immutable, safe to read from several threads. `link_graph_bgl.hpp`
/// makes it a graph of the Boost Graph Library.
class LinkGraph {
 public:
  /// Distance of a vertex that no path leads to.
  static constexpr int unreachable = std::numeric_limits<int>::max();

  /// @param without links to leave out, one entry per link; empty: none.
  /// @return null if the network does not know the ends of every link.
  static std::shared_ptr<const LinkGraph> of(const Network& network,
                                             const std::vector<bool>& without = {});

  int num_hosts() const { return num_hosts_; }        ///< hosts are vertices from 0 on
  int num_vertices() const { return num_vertices_; }  ///< hosts, routers and switches
  /// Number of directed links, loopbacks left out.
  std::size_t num_arcs() const { return forth_.num_entries(); }
  /// Whether a path may lead on from this vertex.
  bool passes_on(int vertex) const { return hosts_pass_on_ || vertex >= num_hosts_; }

  /// Links that leave `vertex`, ascending.
  std::span<const Arc> out_arcs(int vertex) const { return forth_.row(index(vertex)); }
  /// Links that lead to `vertex`, ascending.
  std::span<const Arc> in_arcs(int vertex) const { return back_.row(index(vertex)); }
  /// All links, by the vertex that they leave.
  std::span<const Arc> arcs() const { return forth_.entries(); }

  /// Fewest links from `vertex` to every vertex, by breadth-first search; O(links).
  std::vector<int> distances_from(int vertex) const;
  /// Fewest links from every vertex to `vertex`; O(links).
  std::vector<int> distances_to(int vertex) const;

 private:
  LinkGraph(int num_hosts, int num_vertices, const std::vector<Arc>& arcs, bool hosts_pass_on);

  int num_hosts_ = 0;
  int num_vertices_ = 0;
  bool hosts_pass_on_ = false;
  CompressedRows<Arc> forth_;
  CompressedRows<Arc> back_;
};

}  // namespace vtopo
