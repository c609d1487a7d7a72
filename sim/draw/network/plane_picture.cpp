#include <algorithm>
#include <cmath>

#include "sim/draw/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr double cell = 34;  // between routers
constexpr double gap = 46;   // between planes
constexpr double plane_margin = 40;
constexpr std::int64_t max_plane_routers = 4096;
constexpr double whisker = 11;  // of cables that leave the plane
constexpr double planes_max_width = 1400, planes_max_height = 2500;

/// Planes of the first two dimensions, as many as fit.
class PlanePicture {
 public:
  PlanePicture(const Network& network, const PlaneLayout& layout)
      : network_(network), layout_(layout) {
    auto size = [&](std::size_t d) { return d < layout.axes.size() ? layout.axes[d].size : 1; };
    columns_ = size(0);
    rows_ = size(1);
    for (std::size_t d = 2; d < layout.axes.size(); ++d) planes_ *= size(d);
    const std::int64_t plane = std::int64_t{columns_} * rows_;
    drawn_planes_ = narrow<int>(std::clamp<std::int64_t>(max_plane_routers / plane, 1, planes_));
    const double plane_width = columns_ * cell + gap;
    across_ =
        std::clamp(narrow<int>(std::int64_t(planes_max_width / plane_width)), 1, drawn_planes_);
    const int down = (drawn_planes_ + across_ - 1) / across_;
    const bool is_too_high = down * (rows_ * cell + gap) > planes_max_height;
    if (is_too_high || std::int64_t{across_} * across_ > drawn_planes_)
      across_ = narrow<int>(std::llround(std::ceil(std::sqrt(drawn_planes_))));
  }

  NetworkPicture picture() {
    place_routers();
    draw_cables(
        network_, [this](const auto& from, const auto& to) { return path(from, to); }, picture_);
    const int down = (drawn_planes_ + across_ - 1) / across_;
    picture_.width = 2 * plane_margin + across_ * (columns_ * cell + gap) - gap;
    picture_.height = 2 * plane_margin + down * (rows_ * cell + gap) - gap;
    write_caption();
    return std::move(picture_);
  }

 private:
  int plane_of(int router) const { return router / (columns_ * rows_); }

  Point corner(int plane) const {
    return {plane_margin + plane % across_ * (columns_ * cell + gap),
            plane_margin + plane / across_ * (rows_ * cell + gap)};
  }

  Point position(int router) const {
    const Point at = corner(plane_of(router));
    return {at.x + (router % columns_ + 0.5) * cell,
            at.y + (router / columns_ % rows_ + 0.5) * cell};
  }

  void place_routers() {
    const int per_plane = columns_ * rows_;
    const int first = layout_.first_router;
    for (int r = 0; r < drawn_planes_ * per_plane; ++r)
      picture_.vertices.push_back(
          {first + r, first == 0, position(r), network_.vertex_name(first + r)});
    for (int plane = 0; plane < drawn_planes_ && planes_ > 1; ++plane) {
      const Point at = corner(plane);
      picture_.texts.push_back(
          {{at.x + columns_ * cell / 2, at.y - 12}, plane_title(layout_, plane)});
    }
  }

  std::optional<std::string> path(const DrawnVertex& from, const DrawnVertex& to) const {
    const int a = layout_.router_of(from.vertex), b = layout_.router_of(to.vertex);
    if (a == b) return std::nullopt;
    if (plane_of(a) != plane_of(b)) return between_planes(from.at, to.at, a, b);
    const double dx = to.at.x - from.at.x, dy = to.at.y - from.at.y;
    if (std::abs(dx) <= 1.5 * cell && std::abs(dy) <= 1.5 * cell) return line_path(from.at, to.at);
    const Point out{dx == 0 ? 0 : std::copysign(0.75 * cell, -dx),
                    dy == 0 ? 0 : std::copysign(0.75 * cell, -dy)};
    return line_path(from.at, {from.at.x + out.x, from.at.y + out.y}) +
           line_path(to.at, {to.at.x - out.x, to.at.y - out.y});
  }

  /// A whisker at both ends, its slope by the dimension.
  std::string between_planes(Point from, Point to, int a, int b) const {
    int stride = columns_ * rows_;
    std::size_t dimension = 2;
    const auto& axes = layout_.axes;
    while (dimension + 1 < axes.size() &&
           a / stride % axes[dimension].size == b / stride % axes[dimension].size)
      stride *= axes[dimension++].size;
    const double angle = 0.35 + 0.4 * static_cast<double>(dimension - 2);
    const Point out{std::cos(angle) * whisker, std::sin(angle) * whisker};
    return line_path(from, {from.x + out.x, from.y - out.y}) +
           line_path(to, {to.x - out.x, to.y + out.y});
  }

  void write_caption() {
    const int routers = columns_ * rows_;
    if (planes_ > 1)
      picture_.caption.push_back(
          fmt::format("Planes of {} x {} (dimensions 0 and 1); short strokes lead to other planes",
                      columns_, rows_));
    if (drawn_planes_ < planes_)
      picture_.caption.push_back(fmt::format("Drawn: the first {} of {} planes, {} of {} routers",
                                             drawn_planes_, planes_,
                                             grouped_digits(std::int64_t{drawn_planes_} * routers),
                                             grouped_digits(std::int64_t{planes_} * routers)));
    if (layout_.first_router > 0)
      picture_.caption.push_back(
          fmt::format("{} hosts per router are not drawn", layout_.hosts_per_router));
  }

  const Network& network_;
  const PlaneLayout& layout_;
  NetworkPicture picture_;
  int columns_ = 1, rows_ = 1, planes_ = 1, drawn_planes_ = 1, across_ = 1;
};

}  // namespace

NetworkPicture lay_out(const Network& network, const PlaneLayout& layout) {
  return PlanePicture(network, layout).picture();
}

}  // namespace vtopo::detail
