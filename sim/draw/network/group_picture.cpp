#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/draw/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr double group_margin = 50;
constexpr double router_spacing = 22;
constexpr double least_radius = 120;
constexpr std::int64_t max_group_routers = 4096;
constexpr int max_joined = 32;  // routers of a group whose cables among each other are drawn

/// Groups on a circle, each a block of routers.
class GroupPicture {
 public:
  GroupPicture(const Network& network, const GroupLayout& layout)
      : network_(network),
        layout_(layout),
        per_group_(layout.rows * layout.columns),
        drawn_groups_(narrow<int>(
            std::clamp<std::int64_t>(max_group_routers / per_group_, 1, layout.groups.size))) {
    const double width = layout.columns * router_spacing + 40;
    const double height = layout.rows * router_spacing + 60;
    radius_ =
        std::max(least_radius, std::hypot(width, height) * drawn_groups_ / (2 * std::numbers::pi));
    if (drawn_groups_ == 1) radius_ = 0;
  }

  NetworkPicture picture() {
    for (int g = 0; g < drawn_groups_; ++g) place_group(g);
    move_to_corner();
    draw_cables(
        network_, [this](const auto& from, const auto& to) { return path(from, to); }, picture_);
    write_caption();
    return std::move(picture_);
  }

 private:
  int group_of(const DrawnVertex& vertex) const {
    return layout_.group_of(vertex.vertex - layout_.first_router);
  }

  Point centre(int group) const {
    const double angle = 2 * std::numbers::pi * group / drawn_groups_ - std::numbers::pi / 2;
    return {radius_ * std::cos(angle), radius_ * std::sin(angle)};
  }

  /// Puts the routers and their captions into the upper left corner and measures the picture.
  void move_to_corner() {
    Point low = picture_.vertices.front().at, high = low;
    for (const DrawnVertex& vertex : picture_.vertices) {
      low = {std::min(low.x, vertex.at.x), std::min(low.y, vertex.at.y)};
      high = {std::max(high.x, vertex.at.x), std::max(high.y, vertex.at.y)};
    }
    for (DrawnVertex& vertex : picture_.vertices)
      vertex.at = {vertex.at.x - low.x + group_margin, vertex.at.y - low.y + group_margin};
    for (DrawnText& text : picture_.texts)
      text.at = {text.at.x - low.x + group_margin, text.at.y - low.y + group_margin};
    picture_.width = high.x - low.x + 2 * group_margin;
    picture_.height = high.y - low.y + 2 * group_margin;
  }

  void place_group(int group) {
    const Point at = centre(group);
    const int first = layout_.start(group), end = layout_.start(group + 1);
    for (int r = 0; r < end - first; ++r) {
      const int row = r / layout_.columns, column = r % layout_.columns;
      const int vertex = layout_.first_router + first + r;
      picture_.vertices.push_back({vertex,
                                   false,
                                   {at.x + (column - (layout_.columns - 1) / 2.0) * router_spacing,
                                    at.y + (row - (layout_.rows - 1) / 2.0) * router_spacing},
                                   network_.vertex_name(vertex)});
    }
    picture_.texts.push_back({name_place(at), layout_.groups.label(group)});
  }

  /// Of a group around that point: on the side that few cables to other groups cross.
  Point name_place(Point at) const {
    constexpr double room = 6, letters = 10;
    const double high = layout_.rows / 2.0 * router_spacing;
    return {at.x, at.y > 0.1 * radius_ ? at.y + high + room + letters : at.y - high - room};
  }

  /// Straight between groups; an arc between routers of a group that are not neighbours in the
  /// picture.
  std::optional<std::string> path(const DrawnVertex& from, const DrawnVertex& to) const {
    const bool same_group = group_of(from) == group_of(to);
    const double dx = to.at.x - from.at.x, dy = to.at.y - from.at.y;
    const double length = std::hypot(dx, dy);
    if (same_group && per_group_ > max_joined) return std::nullopt;
    if (!same_group || length < 1.5 * router_spacing) return line_path(from.at, to.at);
    const double bend = 0.18;
    const Point middle{(from.at.x + to.at.x) / 2 - dy * bend,
                       (from.at.y + to.at.y) / 2 + dx * bend};
    return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", from.at.x, from.at.y, middle.x,
                       middle.y, to.at.x, to.at.y);
  }

  void write_caption() {
    const LayoutAxis& groups = layout_.groups;
    if (drawn_groups_ < groups.size)
      picture_.caption.push_back(fmt::format("Drawn: the first {} of {} {}", drawn_groups_,
                                             grouped_digits(groups.size), layout_.plural));
    if (per_group_ > max_joined)
      picture_.caption.push_back(
          fmt::format("Not drawn: within a {}, {}", groups.name, layout_.inner_cables));
    picture_.caption.push_back(fmt::format("{} hosts, {}, are not drawn",
                                           grouped_digits(network_.num_hosts()), layout_.hosts));
  }

  const Network& network_;
  const GroupLayout& layout_;
  NetworkPicture picture_;
  int per_group_;  ///< routers of the largest group
  int drawn_groups_;
  double radius_ = 0;
};

}  // namespace

NetworkPicture lay_out(const Network& network, const GroupLayout& layout) {
  constexpr std::size_t max_cables = 1500;
  NetworkPicture picture = GroupPicture(network, layout).picture();
  return layout.groups.size > 1 && picture.cables.size() > max_cables
             ? lay_out_whole_groups(network, layout)
             : picture;
}

}  // namespace vtopo::detail
