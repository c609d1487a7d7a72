#pragma once

#include <memory>
#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

/// Sums by router and other group: what a router sends to a group, or what it receives from it.
class RouterSums {
 public:
  explicit RouterSums(const DragonflyLayout& layout);

  /// Whether the sums of a dragonfly take at most 64 MiB.
  static bool fit(const DragonflyLayout& layout);

  FlowSum& at(int router, int group) {
    return sums_[static_cast<std::size_t>(router) * groups_ + static_cast<std::size_t>(group)];
  }

 private:
  std::size_t groups_;
  std::vector<FlowSum> sums_;
};

/// Traffic of minimal routes. With one cable between two groups a flow changes four sums, whatever
/// its route; with more, or where the sums would be too many, it walks.
std::unique_ptr<LinkTraffic> make_minimal_traffic(const DragonflyLayout& layout);

}  // namespace vtopo::detail
