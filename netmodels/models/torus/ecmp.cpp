#include "netmodels/models/torus/ecmp.hpp"

namespace vtopo::detail {

int EcmpShares::Side::coordinate() const {
  int steps = positive ? place : -place;
  if (tied) {
    const int half = places / 2;
    steps = place < half ? place : place + 1 == places ? half : half - 1 - place;
  }
  return (from + steps + axis->size) % axis->size;
}

int EcmpShares::lay_box(int source, int destination) {
  sides_.clear();
  int vertices = 1;
  grid_.for_each_stretch(
      source, destination, [&](const TorusAxis& axis, const TorusStretch& stretch) {
        const bool tied = axis.is_tie(stretch.from, stretch.to);
        const int places = tied ? axis.size : axis.distance(stretch.from, stretch.to) + 1;
        sides_.push_back({&axis, stretch.from,
                          axis.goes_positive(stretch.from, stretch.to, RingTies::positive), tied,
                          places, vertices});
        vertices *= places;
      });
  return vertices;
}

void EcmpShares::append(int source, int destination, std::vector<LinkShare>& shares) {
  const int vertices = lay_box(source, destination);
  arriving_.assign(static_cast<std::size_t>(vertices), 0);
  arriving_.front() = 1;
  for (int vertex = 0; vertex < vertices; ++vertex) {
    leave(vertex, shares);
    advance();
  }
}

void EcmpShares::leave(int vertex, std::vector<LinkShare>& shares) {
  int router = 0, choices = 0;
  for (const Side& side : sides_) {
    router += side.coordinate() * side.axis->stride;
    choices += side.choices();
  }
  const double share = arriving_[static_cast<std::size_t>(vertex)] / choices;
  for (const Side& side : sides_) {
    if (side.is_last()) continue;
    const int next = vertex + (side.next_place() - side.place) * side.stride;
    take(side, router, side.onwards_positive(), share, next, shares);
    if (side.choices() < 2) continue;
    const int other_way = vertex + side.places / 2 * side.stride;
    take(side, router, false, share, other_way, shares);
  }
}

void EcmpShares::take(const Side& side, int router, bool positive, double share, int next,
                      std::vector<LinkShare>& shares) {
  const TorusAxis& axis = *side.axis;
  const int here = side.coordinate();
  const int lower = positive ? here : here == 0 ? axis.size - 1 : here - 1;
  const int cable = axis.cable(router / axis.stride / axis.size, router % axis.stride, lower);
  shares.push_back({LinkId{2 * cable + (positive ? 0 : 1)}, share});
  arriving_[static_cast<std::size_t>(next)] += share;
}

void EcmpShares::advance() {
  for (Side& side : sides_) {
    if (!side.is_last()) {
      ++side.place;
      return;
    }
    side.place = 0;
  }
}

}  // namespace vtopo::detail
