#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "netmodels/graph/link_graph.hpp"

namespace vtopo {

/// Shortest routes by length among those that a detour may take: a leg with the fewest links, or
/// two such legs by way of a vertex that passes traffic on. Lengths are per link and change;
/// which legs there are does not.
class Detours {
 public:
  /// @param destinations vertices that routes lead to, each once. The graph must outlive this.
  /// @throws UsageError if their distances to all vertices are too many to keep.
  Detours(const LinkGraph& graph, std::vector<int> destinations);

  /// Distances of all legs to the destinations by these lengths, one entry per link of the network.
  void measure(const std::vector<double>& lengths, int threads);

  /// Distances of all legs from one vertex; read by one thread at a time.
  struct FromVertex {
    std::vector<std::uint16_t> hops;  ///< one entry per vertex, `unreached` if no leg leads there
    std::vector<double> length;       ///< infinite if no leg leads there
    std::vector<int> queue;           ///< vertices in the order of hops
  };
  /// @param legs what is overwritten.
  void measure_from(int vertex, const std::vector<double>& lengths, FromVertex& legs) const;

  /// Lengths of the legs from all vertices to a destination.
  std::span<const double> lengths_to(std::size_t destination) const {
    return {length_.data() + destination * vertices_, vertices_};
  }

  /// Appends the links of the shortest leg that ends at `vertex`, in any order.
  void append_leg_from(const FromVertex& legs, int vertex, const std::vector<double>& lengths,
                       std::vector<LinkId>& links) const;
  /// Appends the links of the shortest leg from `vertex` to a destination, in any order.
  void append_leg_to(std::size_t destination, int vertex, const std::vector<double>& lengths,
                     std::vector<LinkId>& links) const;

  static constexpr std::uint16_t unreached = 0xffff;  ///< more hops than any leg has

 private:
  void count_hops_to(std::size_t destination);
  void measure_to(std::size_t destination, const std::vector<double>& lengths);

  const LinkGraph& graph_;
  std::vector<int> destinations_;
  std::size_t vertices_;
  std::vector<std::uint16_t> hops_;  ///< a row per destination
  std::vector<double> length_;       ///< a row per destination
  std::vector<int> order_;           ///< a row per destination: vertices in the order of hops
};

}  // namespace vtopo
