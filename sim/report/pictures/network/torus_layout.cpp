#include <algorithm>
#include <cmath>

#include "sim/report/pictures/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

constexpr double cell = 34;  // between routers
constexpr double gap = 46;   // between planes
constexpr double torus_margin = 40;
constexpr std::int64_t max_torus_routers = 4096;
constexpr double whisker = 11;  // of cables that leave the plane
constexpr double torus_max_width = 1400;

/// Planes of the first two dimensions, as many as fit.
class TorusLayout {
 public:
  TorusLayout(const Network& network, const TorusSpec& spec) : network_(network), spec_(spec) {
    auto size = [&](std::size_t d) {
      return d < spec.dimensions.size() ? spec.dimensions[d].size : 1;
    };
    columns_ = size(0);
    rows_ = size(1);
    for (std::size_t d = 2; d < spec.dimensions.size(); ++d) planes_ *= size(d);
    const std::int64_t plane = std::int64_t{columns_} * rows_;
    drawn_planes_ = narrow<int>(std::clamp<std::int64_t>(max_torus_routers / plane, 1, planes_));
    const double plane_width = columns_ * cell + gap;
    across_ = std::clamp(narrow<int>(std::int64_t(torus_max_width / plane_width)), 1, drawn_planes_);
    if (std::int64_t{across_} * across_ > drawn_planes_)
      across_ = narrow<int>(std::llround(std::ceil(std::sqrt(drawn_planes_))));
  }

  NetworkPicture picture() {
    place_routers();
    draw_cables(
        network_, [this](const auto& from, const auto& to) { return path(from, to); }, picture_);
    const int down = (drawn_planes_ + across_ - 1) / across_;
    picture_.width = 2 * torus_margin + across_ * (columns_ * cell + gap) - gap;
    picture_.height = 2 * torus_margin + down * (rows_ * cell + gap) - gap;
    write_caption();
    return std::move(picture_);
  }

 private:
  int router_of(int vertex) const {
    if (spec_.hosts_per_router == 1) return vertex;
    return vertex < network_.num_hosts() ? vertex / spec_.hosts_per_router
                                         : vertex - network_.num_hosts();
  }

  int plane_of(int router) const { return router / (columns_ * rows_); }

  Point corner(int plane) const {
    return {torus_margin + plane % across_ * (columns_ * cell + gap),
            torus_margin + plane / across_ * (rows_ * cell + gap)};
  }

  Point position(int router) const {
    const Point at = corner(plane_of(router));
    return {at.x + (router % columns_ + 0.5) * cell,
            at.y + (router / columns_ % rows_ + 0.5) * cell};
  }

  void place_routers() {
    const int per_plane = columns_ * rows_;
    const bool own_routers = spec_.hosts_per_router > 1;
    const int first = own_routers ? network_.num_hosts() : 0;
    for (int r = 0; r < drawn_planes_ * per_plane; ++r)
      picture_.vertices.push_back(
          {first + r, !own_routers, position(r),
           own_routers ? fmt::format("router {}", r) : network_.host_name(HostId{r})});
    for (int plane = 0; plane < drawn_planes_ && planes_ > 1; ++plane) {
      const Point at = corner(plane);
      picture_.texts.push_back({{at.x + columns_ * cell / 2, at.y - 12}, plane_name(plane)});
    }
  }

  /// `z = 3`, or `dimensions 2..4 = 1,0,2`.
  std::string plane_name(int plane) const {
    std::string name;
    int rest = plane;
    for (std::size_t d = 2; d < spec_.dimensions.size(); ++d) {
      name += fmt::format("{}d{} = {}", d == 2 ? "" : ", ", d, rest % spec_.dimensions[d].size);
      rest /= spec_.dimensions[d].size;
    }
    return name;
  }

  std::optional<std::string> path(const DrawnVertex& from, const DrawnVertex& to) const {
    const int a = router_of(from.vertex), b = router_of(to.vertex);
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
    while (dimension + 1 < spec_.dimensions.size() &&
           a / stride % spec_.dimensions[dimension].size ==
               b / stride % spec_.dimensions[dimension].size)
      stride *= spec_.dimensions[dimension++].size;
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
    if (spec_.hosts_per_router > 1)
      picture_.caption.push_back(
          fmt::format("{} hosts per router are not drawn", spec_.hosts_per_router));
  }

  const Network& network_;
  const TorusSpec& spec_;
  NetworkPicture picture_;
  int columns_ = 1, rows_ = 1, planes_ = 1, drawn_planes_ = 1, across_ = 1;
};

}  // namespace

NetworkPicture lay_out_torus(const Network& network, const TorusSpec& spec) {
  return TorusLayout(network, spec).picture();
}

}  // namespace vtopo
