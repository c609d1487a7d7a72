#include "netmodels/models/fat_tree/traffic.hpp"

#include <vector>

namespace vtopo {

namespace {

/// Traffic and flows of a link side by side: one access to memory instead of two.
struct Sum {
  double traffic = 0;
  std::int32_t flows = 0;

  void add(Bytes volume) {
    traffic += volume.value;
    ++flows;
  }
};

class RoutedTraffic final : public LinkTraffic {
 public:
  RoutedTraffic(const FatTreeLevels& levels, const FatTreeRoutes& routes)
      : routes_(routes), sums_(2 * static_cast<std::size_t>(levels.num_cables())) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    const auto count = [&](int, LinkId link) { sums_[index(link)].add(volume); };
    routes_.visit(source, destination, count, count);
  }

  LinkTotals totals() override {
    LinkTotals totals;
    totals.traffic.reserve(sums_.size());
    totals.flows.reserve(sums_.size());
    for (const Sum& sum : sums_) {
      totals.traffic.push_back(sum.traffic);
      totals.flows.push_back(sum.flows);
    }
    return totals;
  }

 private:
  const FatTreeRoutes& routes_;
  std::vector<Sum> sums_;
};

class SpreadTraffic final : public LinkTraffic {
 public:
  explicit SpreadTraffic(const FatTreeLevels& levels)
      : levels_(levels),
        up_(static_cast<std::size_t>(levels.num_subtrees())),
        down_(static_cast<std::size_t>(levels.num_subtrees())) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    for (const FatTreeCables& level : levels_.all()) {
      const int from = level.by_leaves.quotient(number(source));
      const int to = level.by_leaves.quotient(number(destination));
      if (from == to) break;
      up_[static_cast<std::size_t>(level.first_subtree + from)].add(volume);
      down_[static_cast<std::size_t>(level.first_subtree + to)].add(volume);
    }
  }

  LinkTotals totals() override {
    LinkTotals totals;
    const auto num_links = 2 * static_cast<std::size_t>(levels_.num_cables());
    totals.traffic.reserve(num_links);
    totals.flows.reserve(num_links);
    for (int l = 0; l < levels_.size(); ++l) spread(l, totals);
    return totals;
  }

 private:
  /// Appends the links of a level, which come subtree by subtree.
  void spread(int l, LinkTotals& totals) const {
    const FatTreeCables& level = levels_[l];
    const int cables = level.cables_of_subtree();
    const int subtrees = levels_.num_hosts() / level.leaves;
    for (int subtree = 0; subtree < subtrees; ++subtree) {
      const auto position = static_cast<std::size_t>(level.first_subtree + subtree);
      for (int cable = 0; cable < cables; ++cable)
        for (const Sum& sum : {up_[position], down_[position]}) {
          totals.traffic.push_back(sum.traffic / cables);
          totals.flows.push_back(sum.flows);
        }
    }
  }

  const FatTreeLevels& levels_;
  std::vector<Sum> up_;
  std::vector<Sum> down_;
};

}  // namespace

std::unique_ptr<LinkTraffic> make_routed_traffic(const FatTreeLevels& levels,
                                                 const FatTreeRoutes& routes) {
  return std::make_unique<RoutedTraffic>(levels, routes);
}

std::unique_ptr<LinkTraffic> make_spread_traffic(const FatTreeLevels& levels) {
  return std::make_unique<SpreadTraffic>(levels);
}

}  // namespace vtopo
