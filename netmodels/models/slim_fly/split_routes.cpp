#include "netmodels/models/slim_fly/split_routes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vtopo::detail {

namespace {

/// Flows that begin or end at some router.
struct SlimFlyLoad {
  double volume = 0;
  std::int32_t flows = 0;

  void add(Bytes more) {
    volume += more.value;
    ++flows;
  }
};

class SlimFlyValiantTraffic final : public LinkTraffic {
 public:
  explicit SlimFlyValiantTraffic(const SlimFlyGraph& graph)
      : graph_(graph),
        leaving_(static_cast<std::size_t>(graph.num_routers())),
        arriving_(leaving_.size()) {
    totals_.traffic.resize(static_cast<std::size_t>(graph.num_links()));
    totals_.flows.resize(totals_.traffic.size());
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    put(graph_.up(source), volume.value, 1);
    put(graph_.down(destination), volume.value, 1);
    const int from = graph_.router(source), to = graph_.router(destination);
    if (from == to) return;
    leaving_[static_cast<std::size_t>(from)].add(volume);
    arriving_[static_cast<std::size_t>(to)].add(volume);
  }

  LinkTotals totals() override {
    const int routers = graph_.num_routers();
    for (int end = 0; end < routers; ++end) {
      const SlimFlyLoad out = leaving_[static_cast<std::size_t>(end)];
      const SlimFlyLoad in = arriving_[static_cast<std::size_t>(end)];
      const auto put_leg = [&](const SlimFlyLoad& load) {
        return [this, &load](LinkId link, double volume) { put(link, volume, load.flows); };
      };
      for (int by = 0; by < routers; ++by) {
        if (out.flows > 0) visit_slim_fly_ecmp(graph_, end, by, out.volume / routers, put_leg(out));
        if (in.flows > 0) visit_slim_fly_ecmp(graph_, by, end, in.volume / routers, put_leg(in));
      }
    }
    return std::move(totals_);
  }

 private:
  void put(LinkId link, double volume, std::int32_t flows) {
    totals_.traffic[index(link)] += volume;
    totals_.flows[index(link)] += flows;
  }

  const SlimFlyGraph& graph_;
  std::vector<SlimFlyLoad> leaving_;   ///< by router
  std::vector<SlimFlyLoad> arriving_;  ///< by router
  LinkTotals totals_;
};

}  // namespace

void append_slim_fly_valiant(const SlimFlyGraph& graph, int from, int to,
                             std::vector<LinkShare>& shares) {
  if (from == to) return;
  const auto first = static_cast<std::ptrdiff_t>(shares.size());
  const auto add = [&](LinkId link, double share) { shares.push_back({link, share}); };
  const double each = 1.0 / graph.num_routers();
  for (int by = 0; by < graph.num_routers(); ++by) {
    visit_slim_fly_ecmp(graph, from, by, each, add);
    visit_slim_fly_ecmp(graph, by, to, each, add);
  }
  const auto begin = shares.begin() + first;
  std::stable_sort(begin, shares.end(),
                   [](const LinkShare& a, const LinkShare& b) { return a.link < b.link; });
  auto last = begin;
  for (auto next = begin + 1; next != shares.end(); ++next) {
    if (next->link == last->link)
      last->share += next->share;
    else
      *++last = *next;
  }
  shares.erase(last + 1, shares.end());
}

double mean_slim_fly_valiant_hops(const SlimFlyGraph& graph) {
  const double routers = graph.num_routers(), joined = graph.degree();
  return 2 * (joined + 2 * (routers - 1 - joined)) / routers;
}

std::unique_ptr<LinkTraffic> make_slim_fly_valiant_traffic(const SlimFlyGraph& graph) {
  return std::make_unique<SlimFlyValiantTraffic>(graph);
}

}  // namespace vtopo::detail
