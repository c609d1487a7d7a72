#pragma once

#include <memory>
#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"

namespace vtopo {

/// What many flows sum up to.
struct FlowSum {
  double volume = 0;
  int flows = 0;

  void add(double more, int count = 1) {
    volume += more;
    flows += count;
  }
};

/// Sums of each link, side by side in memory because a flow changes both.
class LinkSums {
 public:
  explicit LinkSums(int num_links) : sums_(static_cast<std::size_t>(num_links)) {}

  void add(LinkId link, double volume, int flows = 1) { sums_[index(link)].add(volume, flows); }

  LinkTotals totals() const;

 private:
  std::vector<FlowSum> sums_;
};

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

}  // namespace vtopo
