#include "netmodels/models/fat_tree/traffic.hpp"

#include <vector>

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

namespace {

class SpreadTraffic final : public LinkTraffic {
 public:
  SpreadTraffic(const FatTreeLevels& levels, const std::optional<FlowPlanes>& planes)
      : levels_(levels),
        planes_(planes),
        up_(static_cast<std::size_t>(levels.num_subtrees())),
        down_(static_cast<std::size_t>(levels.num_subtrees())) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    for (const FatTreeCables& level : levels_.all()) {
      const int from = level.by_leaves.quotient(number(source));
      const int to = level.by_leaves.quotient(number(destination));
      if (from == to && !(changes_plane() && source != destination)) break;
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
  bool changes_plane() const { return planes_ && planes_->out != planes_->in; }

  /// Appends the links of a level, which come subtree by subtree.
  void spread(int l, LinkTotals& totals) const {
    const FatTreeCables& level = levels_[l];
    const int cables = level.cables_of_subtree();
    const int used = planes_ ? cables / levels_.planes() : cables;
    const int subtrees = levels_.num_hosts() / level.leaves;
    for (int subtree = 0; subtree < subtrees; ++subtree) {
      const std::size_t position = index(level.first_subtree + subtree);
      for (int cable = 0; cable < cables; ++cable) {
        const int plane = levels_.plane(l, cable);
        append(up_[position], used, !planes_ || plane == planes_->out, totals);
        append(down_[position], used, !planes_ || plane == planes_->in, totals);
      }
    }
  }

  static void append(const FlowSum& sum, int cables, bool is_used, LinkTotals& totals) {
    totals.traffic.push_back(is_used ? sum.volume / cables : 0);
    totals.flows.push_back(is_used ? sum.flows : 0);
  }

  const FatTreeLevels& levels_;
  std::optional<FlowPlanes> planes_;
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

std::unique_ptr<LinkTraffic> make_spread_traffic(const FatTreeLevels& levels,
                                                 const std::optional<FlowPlanes>& planes) {
  return std::make_unique<SpreadTraffic>(levels, planes);
}

}  // namespace vtopo::detail
