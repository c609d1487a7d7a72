#include "netmodels/models/torus/valiant.hpp"

#include "netmodels/models/leg_traffic.hpp"
#include "netmodels/models/torus/valiant_legs.hpp"

namespace vtopo::detail {

namespace {

/// First links of the cables of one line.
int line_link(const TorusAxis& axis, int high, int low) {
  return 2 * axis.cable(high, low, 0);
}

/// Loads of a line whose one end stands at `coordinate`.
LineLoads loads_of_one(const TorusAxis& axis, LegEnd end, int coordinate) {
  std::vector<FlowSum> ends(static_cast<std::size_t>(axis.size));
  ends[static_cast<std::size_t>(coordinate)].volume = 1;
  LineLoads loads;
  line_loads(axis, end, ends, loads);
  return loads;
}

void append_line(const TorusAxis& axis, int link, const std::vector<double>& shares,
                 std::vector<LinkShare>& result) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const int cable_offset = 2 * axis.stride * static_cast<int>(i / 2);
    if (shares[i] > 0)
      result.push_back({LinkId{link + cable_offset + static_cast<int>(i % 2)}, shares[i]});
  }
}

/// Shares of both directions, cable after cable, when `lines` lines are as likely.
std::vector<double> shares_of(const TorusAxis& axis, const LineLoads& loads, int lines) {
  std::vector<double> shares;
  for (std::size_t c = 0; c < loads.positive.size(); ++c)
    for (const double far_ends : {loads.positive[c].volume, loads.negative[c].volume})
      shares.push_back(far_ends / axis.size / lines);
  return shares;
}

/// In each dimension the first leg runs in the lines that agree with the source in the slower
/// dimensions, the second in those that agree with the destination in the faster ones: one line has
/// both.
void append_stretch(const TorusAxis& axis, int source_high, int destination_low, int from, int to,
                    std::vector<LinkShare>& result) {
  const auto first = shares_of(axis, loads_of_one(axis, LegEnd::source, from), axis.stride);
  const auto second =
      shares_of(axis, loads_of_one(axis, LegEnd::destination, to), axis.lines_above);
  auto both = first;
  for (std::size_t i = 0; i < both.size(); ++i) both[i] += second[i];
  for (int low = 0; low < axis.stride; ++low)
    append_line(axis, line_link(axis, source_high, low), low == destination_low ? both : first,
                result);
  for (int high = 0; high < axis.lines_above; ++high)
    if (high != source_high)
      append_line(axis, line_link(axis, high, destination_low), second, result);
}

/// Sum of the distances from `coordinate` to all coordinates of a line.
std::int64_t distances_from(const TorusAxis& axis, std::int64_t coordinate) {
  const std::int64_t size = axis.size;
  if (axis.wraps) return size * size / 4;
  const std::int64_t above = size - 1 - coordinate;
  return (coordinate * (coordinate + 1) + above * (above + 1)) / 2;
}

class TorusLegTraffic final : public LegTraffic<TorusHosts> {
 public:
  TorusLegTraffic(const Network& network, const TorusGrid& grid, const TorusHosts& hosts)
      : LegTraffic(hosts, grid.num_routers(), network.num_links()), grid_(grid) {}

 private:
  /// What leaves, summed over the faster dimensions, which a leg has left behind anywhere.
  void add_first_legs(std::vector<FlowSum> ends) override {
    LineLoads loads;
    for (const TorusAxis& axis : grid_.axes()) {
      const auto size = static_cast<std::size_t>(axis.size);
      std::vector<FlowSum> slower(ends.size() / size);
      for (std::size_t high = 0; high < slower.size(); ++high) {
        const std::span line(ends.data() + high * size, size);
        line_loads(axis, LegEnd::source, line, loads);
        for (int low = 0; low < axis.stride; ++low)
          put_line(axis, line_link(axis, static_cast<int>(high), low), loads, axis.stride);
        for (const FlowSum& end : line) slower[high] += end;
      }
      ends = std::move(slower);
    }
  }

  /// What arrives, summed over the slower dimensions, which a leg has still anywhere.
  void add_second_legs(std::vector<FlowSum> ends) override {
    std::vector<FlowSum> line;
    LineLoads loads;
    for (auto axis = grid_.axes().rbegin(); axis != grid_.axes().rend(); ++axis) {
      const auto stride = static_cast<std::size_t>(axis->stride);
      std::vector<FlowSum> faster(stride);
      for (std::size_t low = 0; low < stride; ++low) {
        line.clear();
        for (std::size_t at = low; at < ends.size(); at += stride) line.push_back(ends[at]);
        line_loads(*axis, LegEnd::destination, line, loads);
        for (int high = 0; high < axis->lines_above; ++high)
          put_line(*axis, line_link(*axis, high, static_cast<int>(low)), loads, axis->lines_above);
        for (const FlowSum& end : line) faster[low] += end;
      }
      ends = std::move(faster);
    }
  }

  /// The loads of one of `lines` lines that are as likely.
  void put_line(const TorusAxis& axis, int link, const LineLoads& loads, int lines) {
    for (std::size_t c = 0; c < loads.positive.size(); ++c) {
      for (const FlowSum& load : {loads.positive[c], loads.negative[c]})
        put(LinkId{link++}, {load.volume / axis.size / lines, load.flows});
      link += 2 * (axis.stride - 1);
    }
  }

  const TorusGrid& grid_;
};

}  // namespace

void append_valiant_shares(const TorusGrid& grid, int source, int destination,
                           std::vector<LinkShare>& shares) {
  grid.for_each_stretch(
      source, destination, [&](const TorusAxis& axis, const TorusStretch& stretch) {
        append_stretch(axis, stretch.high, stretch.low, stretch.from, stretch.to, shares);
      });
}

double mean_valiant_distance(const TorusGrid& grid, int source, int destination) {
  double mean = 0;
  grid.for_each_stretch(
      source, destination, [&](const TorusAxis& axis, const TorusStretch& stretch) {
        const auto sum = distances_from(axis, stretch.from) + distances_from(axis, stretch.to);
        mean += static_cast<double>(sum) / axis.size;
      });
  return mean;
}

std::unique_ptr<LinkTraffic> make_valiant_traffic(const Network& network, const TorusGrid& grid,
                                                  const TorusHosts& hosts) {
  return std::make_unique<TorusLegTraffic>(network, grid, hosts);
}

}  // namespace vtopo::detail
