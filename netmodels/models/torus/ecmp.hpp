#pragma once

#include <memory>
#include <vector>

#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// Even split at every vertex over all links that begin a shortest route onwards. Keeps its storage
/// between calls.
class EcmpShares {
 public:
  explicit EcmpShares(const TorusGrid& grid) : grid_(grid) {}

  /// Appends the links of all shortest routes between two routers with the share of the flow on
  /// each. O(links of the box between them); at half a ring the whole ring belongs to the box.
  void append(int source, int destination, std::vector<LinkShare>& shares);

 private:
  /// The box in one dimension. Its places are numbered so that every step leads to a higher one; at
  /// half a ring: the source, the places on the positive way, those on the negative way, the
  /// destination.
  struct Side {
    const TorusAxis* axis = nullptr;
    int from = 0;
    bool positive = true;  ///< direction, unless tied
    bool tied = false;
    int places = 1;
    int stride = 1;  ///< distance of vertex numbers of the box one place apart
    int place = 0;   ///< of the vertex in hand

    int coordinate() const;
    bool is_last() const { return place + 1 == places; }
    int choices() const { return is_last() ? 0 : tied && place == 0 ? 2 : 1; }
    /// Whether the only next link leads in positive direction.
    bool onwards_positive() const { return tied ? place < places / 2 : positive; }
    int next_place() const { return tied && place + 1 == places / 2 ? places - 1 : place + 1; }
  };

  int lay_box(int source, int destination);
  void leave(int vertex, std::vector<LinkShare>& shares);
  void take(const Side& side, int router, bool positive, double share, int next,
            std::vector<LinkShare>& shares);
  void advance();

  const TorusGrid& grid_;
  std::vector<Side> sides_;
  std::vector<double> arriving_;  ///< share of the flow that reaches each vertex of the box
};

/// Traffic of flows that split so: boxes of equal shape are computed once. `grid` and `hosts` must
/// outlive it.
std::unique_ptr<LinkTraffic> make_ecmp_traffic(const TorusGrid& grid, const TorusHosts& hosts,
                                               int num_links);

}  // namespace vtopo::detail
