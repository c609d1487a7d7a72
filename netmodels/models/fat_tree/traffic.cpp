#include "netmodels/models/fat_tree/traffic.hpp"

#include <vector>

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

namespace {

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
      up_[index(level.first_subtree + from)].add(volume.value);
      down_[index(level.first_subtree + to)].add(volume.value);
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
      const std::size_t position = index(level.first_subtree + subtree);
      for (int cable = 0; cable < cables; ++cable)
        for (const FlowSum& sum : {up_[position], down_[position]}) {
          totals.traffic.push_back(sum.volume / cables);
          totals.flows.push_back(sum.flows);
        }
    }
  }

  const FatTreeLevels& levels_;
  std::vector<FlowSum> up_;
  std::vector<FlowSum> down_;
};

}  // namespace

std::unique_ptr<LinkTraffic> make_routed_traffic(const FatTreeLevels& levels,
                                                 const FatTreeRoutes& routes) {
  const auto walk = [&routes](HostId source, HostId destination, const auto& sink) {
    const auto visit = [&sink](int, LinkId link) { sink(link); };
    routes.visit(source, destination, visit, visit);
  };
  return make_walked_traffic(2 * levels.num_cables(), walk);
}

std::unique_ptr<LinkTraffic> make_spread_traffic(const FatTreeLevels& levels) {
  return std::make_unique<SpreadTraffic>(levels);
}

}  // namespace vtopo::detail
