#include "netmodels/models/torus/valiant_legs.hpp"

namespace vtopo::detail {

namespace {

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

}  // namespace

void line_loads(const TorusAxis& axis, LegEnd end, std::span<const FlowSum> ends,
                LineLoads& loads) {
  loads.positive.assign(static_cast<std::size_t>(axis.cables), {});
  loads.negative.assign(static_cast<std::size_t>(axis.cables), {});
  if (axis.wraps)
    ring_loads(axis, end, ends, loads);
  else
    row_loads(axis, end, ends, loads);
}

}  // namespace vtopo::detail
