#include "netmodels/models/torus/grid.hpp"

#include <span>

#include "netmodels/models/flow_sums.hpp"

namespace vtopo::detail {

namespace {

/// Loads of the cables of one line, by direction: the volume is multiplied by the number of far
/// ends whose legs take the link.
struct LineLoads {
  std::vector<FlowSum> positive;
  std::vector<FlowSum> negative;
};

/// Which end of a leg is known; the other is each coordinate of the line once.
enum class LegEnd { source, destination };

/// Which cables next to a coordinate are loaded by what stands there.
enum class Side { after, before };

/// A ring read in one direction or the other, so that one code serves both: read backwards, the
/// cable before a coordinate becomes the one after it.
struct View {
  Side side;
  int size;

  std::size_t coordinate(int place) const {
    const int wrapped = place < 0 ? place + size : place;
    return static_cast<std::size_t>(side == Side::after ? wrapped : (size - wrapped) % size);
  }
  std::size_t cable(int place) const {
    return static_cast<std::size_t>(side == Side::after ? place : size - 1 - place);
  }
};

/// Each coordinate loads the `reach` cables next to it, the nearest `reach` times, the next once
/// less, and so on: a cable sees a window of `reach` coordinates. Cut into blocks of that length,
/// the window is the rest of one block and the begin of the next, which needs no subtraction (van
/// Herk, "A fast algorithm for local minimum and maximum filters", 1992).
void add_windows(View view, int reach, std::span<const FlowSum> ends, std::vector<FlowSum>& loads) {
  std::vector<FlowSum> rest(static_cast<std::size_t>(reach) + 1);
  std::vector<double> ramp(rest.size());
  for (int block = 0; reach > 0 && block < view.size; block += reach) {
    for (int i = reach - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      rest[at] = rest[at + 1];
      rest[at] += ends[view.coordinate(block - reach + i)];
      ramp[at] = ramp[at + 1] + rest[at].volume;
    }
    FlowSum begin;
    double moment = 0;
    for (int i = 0; i < reach && block + i < view.size; ++i) {
      const auto next = static_cast<std::size_t>(i) + 1;
      const FlowSum& here = ends[view.coordinate(block + i)];
      begin += here;
      moment += i * here.volume;
      loads[view.cable(block + i)] +=
          {ramp[next] + (reach - i) * begin.volume + moment, rest[next].flows + begin.flows};
    }
  }
}

/// The same for one coordinate alone.
void add_window_of(View view, int place, int reach, const FlowSum& end,
                   std::vector<FlowSum>& loads) {
  for (int i = 0; i < reach; ++i)
    loads[view.cable((place + i) % view.size)] += {(reach - i) * end.volume, end.flows};
}

/// The one coordinate whose leg over half a ring goes the negative way.
int coordinate_of_negative_tie(const TorusAxis& axis, LegEnd end) {
  const auto opposite = [&](int coordinate) { return (coordinate + axis.size / 2) % axis.size; };
  int from = 0;
  while (axis.goes_positive(from, opposite(from), RingTies::simgrid)) ++from;
  return end == LegEnd::source ? from : opposite(from);
}

/// At half an even ring all legs go the positive way but one: its coordinate, size/2 or 0, has one
/// cable less in positive and one more in negative direction.
void ring_loads(const TorusAxis& axis, LegEnd end, std::span<const FlowSum> ends,
                LineLoads& loads) {
  const int reach = axis.size / 2;
  const int back = (axis.size - 1) / 2;
  const bool leaving = end == LegEnd::source;
  const View ahead{leaving ? Side::after : Side::before, axis.size};
  const View behind{leaving ? Side::before : Side::after, axis.size};
  if (!axis.has_ties()) {
    add_windows(ahead, reach, ends, loads.positive);
    add_windows(behind, back, ends, loads.negative);
    return;
  }
  const int special = coordinate_of_negative_tie(axis, end);  // the same read backwards
  std::vector<FlowSum> others(ends.begin(), ends.end());
  const FlowSum alone = others[static_cast<std::size_t>(special)];
  others[static_cast<std::size_t>(special)] = {};
  add_windows(ahead, reach, others, loads.positive);
  add_windows(behind, back, others, loads.negative);
  add_window_of(ahead, special, reach - 1, alone, loads.positive);
  add_window_of(behind, special, back + 1, alone, loads.negative);
}

/// A cable is taken between any coordinate on one side and any on the other.
void row_loads(const TorusAxis& axis, LegEnd end, std::span<const FlowSum> ends, LineLoads& loads) {
  const bool leaving = end == LegEnd::source;
  std::vector<FlowSum>& after = leaving ? loads.positive : loads.negative;
  std::vector<FlowSum>& before = leaving ? loads.negative : loads.positive;
  const auto cables = static_cast<std::size_t>(axis.cables);
  FlowSum sum;
  for (std::size_t c = 0; c < cables; ++c) {
    sum += ends[c];
    after[c] = {sum.volume * static_cast<double>(cables - c), sum.flows};
  }
  sum = {};
  for (std::size_t c = cables; c-- > 0;) {
    sum += ends[c + 1];
    before[c] = {sum.volume * static_cast<double>(c + 1), sum.flows};
  }
}

/// What the links of a line of `axis` carry if each of its coordinates has legs to or from all
/// coordinates, under SimGrid's ties. `ends` says what begins (or ends) at each coordinate.
/// O(size), and without differences: where nothing runs the load is exactly 0.
void line_loads(const TorusAxis& axis, LegEnd end, std::span<const FlowSum> ends,
                LineLoads& loads) {
  loads.positive.assign(static_cast<std::size_t>(axis.cables), {});
  loads.negative.assign(static_cast<std::size_t>(axis.cables), {});
  if (axis.wraps)
    ring_loads(axis, end, ends, loads);
  else
    row_loads(axis, end, ends, loads);
}

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
  TorusLegTraffic(int num_links, const TorusGrid& grid, const TorusHosts& hosts)
      : LegTraffic(hosts, grid.num_routers(), num_links), grid_(grid) {}

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

std::unique_ptr<LinkTraffic> make_valiant_traffic(int num_links, const TorusGrid& grid,
                                                  const TorusHosts& hosts) {
  return std::make_unique<TorusLegTraffic>(num_links, grid, hosts);
}

}  // namespace vtopo::detail
