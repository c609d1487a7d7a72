#include "netmodels/more_models/hyperx/split_routes.hpp"

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

namespace {

/// A dimension in which two routers differ.
struct HyperXTurn {
  const HyperXAxis* axis;
  int from;
  int to;
};

/// In each dimension the first leg leaves from any place in the faster dimensions, the second
/// arrives from any place in the slower ones.
class HyperXLegTraffic final : public LegTraffic<HyperXGrid> {
 public:
  explicit HyperXLegTraffic(const HyperXGrid& grid)
      : LegTraffic(grid, grid.num_routers(), grid.num_links()), grid_(grid) {}

 private:
  void put_share(LinkId link, const FlowSum& load, double share) {
    put(link, {load.volume * share, load.flows});
  }

  /// @param ends by coordinate in this and slower axes.
  void add_first_legs(std::vector<FlowSum> ends) override {
    for (const HyperXAxis& axis : grid_.axes()) {
      const double share = 1.0 / axis.size / axis.stride;
      std::vector<FlowSum> slower(ends.size() / static_cast<std::size_t>(axis.size));
      for (int end = 0; end < static_cast<int>(ends.size()); ++end) {
        const FlowSum& load = ends[static_cast<std::size_t>(end)];
        slower[static_cast<std::size_t>(end / axis.size)] += load;
        for (int low = 0; load.flows > 0 && low < axis.stride; ++low)
          for (int to = 0; to < axis.size; ++to)
            if (const int from = end % axis.size; to != from)
              put_share(axis.link(end * axis.stride + low, from, to), load, share);
      }
      ends = std::move(slower);
    }
  }

  /// @param ends by coordinate in this and faster axes.
  void add_second_legs(std::vector<FlowSum> ends) override {
    for (auto axis = grid_.axes().rbegin(); axis != grid_.axes().rend(); ++axis) {
      const double share = 1.0 / axis->size / axis->lines_above;
      std::vector<FlowSum> faster(static_cast<std::size_t>(axis->stride));
      for (int end = 0; end < static_cast<int>(ends.size()); ++end) {
        const FlowSum& load = ends[static_cast<std::size_t>(end)];
        const int low = end % axis->stride, to = end / axis->stride;
        faster[static_cast<std::size_t>(low)] += load;
        for (int high = 0; load.flows > 0 && high < axis->lines_above; ++high)
          for (int from = 0; from < axis->size; ++from)
            if (from != to)
              put_share(axis->link((high * axis->size + from) * axis->stride + low, from, to), load,
                        share);
      }
      ends = std::move(faster);
    }
  }

  const HyperXGrid& grid_;
};

}  // namespace

void append_hyperx_ecmp(const HyperXGrid& grid, int source, int destination,
                        std::vector<LinkShare>& shares) {
  std::vector<HyperXTurn> turns;
  grid.for_each_step(source, destination, [&](const HyperXAxis& axis, int, int from, int to) {
    turns.push_back({&axis, from, to});
  });
  // Vertices of the box of shortest routes: bit t is set where turn t is done. What arrives at one
  // leaves evenly over the turns that are left.
  std::vector<double> arriving(std::size_t{1} << turns.size());
  arriving.front() = 1;
  for (std::size_t vertex = 0; vertex + 1 < arriving.size(); ++vertex) {
    int router = source, left = 0;
    for (std::size_t t = 0; t < turns.size(); ++t) {
      const bool done = (vertex >> t & 1) != 0;
      router += done ? (turns[t].to - turns[t].from) * turns[t].axis->stride : 0;
      left += done ? 0 : 1;
    }
    const double share = arriving[vertex] / left;
    for (std::size_t t = 0; t < turns.size(); ++t) {
      if ((vertex >> t & 1) != 0) continue;
      shares.push_back({turns[t].axis->link(router, turns[t].from, turns[t].to), share});
      arriving[vertex | std::size_t{1} << t] += share;
    }
  }
}

void append_hyperx_valiant(const HyperXGrid& grid, int source, int destination,
                           std::vector<LinkShare>& shares) {
  if (source == destination) return;
  for (const HyperXAxis& axis : grid.axes()) {
    const int low = destination % axis.stride;
    const int from = source / axis.stride % axis.size, to = destination / axis.stride % axis.size;
    const int high = source / axis.stride / axis.size;
    const double first = 1.0 / axis.size / axis.stride;
    const double second = 1.0 / axis.size / axis.lines_above;
    const auto append = [&](int line_high, int line_low, int begin, int end, double share) {
      const int router = (line_high * axis.size + begin) * axis.stride + line_low;
      shares.push_back({axis.link(router, begin, end), share});
    };
    // The link that both legs may take has its share of both from the first.
    for (int any = 0; any < axis.stride; ++any)
      for (int c = 0; c < axis.size; ++c)
        if (c != from) append(high, any, from, c, any == low && c == to ? first + second : first);
    for (int any = 0; any < axis.lines_above; ++any)
      for (int c = 0; c < axis.size; ++c)
        if (c != to && !(any == high && c == from)) append(any, low, c, to, second);
  }
}

double mean_hyperx_valiant_hops(const HyperXGrid& grid) {
  double hops = 0;
  for (const HyperXAxis& axis : grid.axes()) hops += 2 - 2.0 / axis.size;
  return hops;
}

std::unique_ptr<LinkTraffic> make_hyperx_valiant_traffic(const HyperXGrid& grid) {
  return std::make_unique<HyperXLegTraffic>(grid);
}

}  // namespace vtopo::detail
