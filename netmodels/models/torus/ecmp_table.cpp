#include "netmodels/models/torus/ecmp_table.hpp"

#include <algorithm>

namespace vtopo::detail {

EcmpSide EcmpSide::between(const TorusAxis& axis, int from, int to) {
  if (axis.is_tie(from, to)) {
    const int before_destination = from - axis.size / 2 + 1;
    return {before_destination + (before_destination < 0 ? axis.size : 0), axis.size, true, true};
  }
  const bool positive = from == to || axis.goes_positive(from, to, RingTies::positive);
  return {positive ? from : to, axis.distance(from, to) + 1, positive, false};
}

const double* EcmpTable::shares(std::span<const EcmpSide> sides) {
  std::size_t size = 1;
  for (const EcmpSide& side : sides) size *= static_cast<std::size_t>(side.places);
  shares_.assign(size, 0);
  lay_walks(sides);
  fill();
  return shares_.data();
}

void EcmpTable::lay_walks(std::span<const EcmpSide> sides) {
  std::ptrdiff_t stride = 1;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    const EcmpSide& side = sides[a];
    Walk& walk = walks_[a];
    walk.place.clear();
    walk.other_next = -1;
    walk.stride = stride;
    const int last = side.places - 1;
    if (side.tied) {
      const int source = last / 2;
      for (int p = source; p < last; ++p) walk.place.push_back(p);
      for (int p = source - 1; p >= 0; --p) walk.place.push_back(p);
      walk.place.push_back(last);
      walk.other_next = source > 0 ? source - 1 : last;
    } else {
      const bool back = a == 0 && !side.positive;
      for (int p = 0; p <= last; ++p) walk.place.push_back(back ? last - p : p);
    }
    walk.next.assign(walk.place.begin() + 1, walk.place.end());
    if (side.tied && last > 1) walk.next[static_cast<std::size_t>(last / 2)] = last;
    stride *= side.places;
  }
}

/// Routers in the order in which flows reach them, the first axis fastest.
void EcmpTable::fill() {
  std::fill(turns_.begin(), turns_.end(), 0);
  enter_line()[walks_.front().place.front()] = 1;
  do fill_line(enter_line());
  while (next_line());
}

double* EcmpTable::enter_line() {
  double* line = shares_.data();
  onwards_.clear();
  for (std::size_t a = 1; a < walks_.size(); ++a) {
    const Walk& walk = walks_[a];
    const std::size_t turn = turns_[a];
    line += walk.place[turn] * walk.stride;
    if (turn == walk.next.size()) continue;
    onwards_.push_back((walk.next[turn] - walk.place[turn]) * walk.stride);
    if (turn == 0 && walk.other_next >= 0)
      onwards_.push_back((walk.other_next - walk.place[turn]) * walk.stride);
  }
  return line;
}

bool EcmpTable::next_line() {
  for (std::size_t a = 1; a < walks_.size(); ++a) {
    if (turns_[a] < walks_[a].next.size()) {
      ++turns_[a];
      return true;
    }
    turns_[a] = 0;
  }
  return false;
}

void EcmpTable::fill_line(double* line) {
  const Walk& walk = walks_.front();
  for (std::size_t turn = 0; turn < walk.place.size(); ++turn) {
    double& here = line[walk.place[turn]];
    const bool moves = turn < walk.next.size(), both = turn == 0 && walk.other_next >= 0;
    const std::size_t choices = onwards_.size() + (moves ? 1 : 0) + (both ? 1 : 0);
    here /= static_cast<double>(choices);  // of the destination nobody reads it
    if (moves) line[walk.next[turn]] += here;
    if (both) line[walk.other_next] += here;
    for (const std::ptrdiff_t step : onwards_) *(&here + step) += here;
  }
}

}  // namespace vtopo::detail
