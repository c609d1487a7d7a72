#include "sim/draw/network/layouts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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

constexpr double level_margin = 40;
constexpr double level_height = 150;
constexpr double levels_max_width = 1400;
constexpr double max_spacing = 60;
constexpr int max_hosts = 256;        // more are drawn as a number
constexpr int max_switches = 1024;    // of one level
constexpr double label_margin = 130;  // left of the levels

/// Levels as rows, hosts at the bottom.
class LevelPicture {
 public:
  LevelPicture(const Network& network, const LevelLayout& layout)
      : network_(network), layout_(layout) {
    for (const LayoutLevel& level : layout.levels) counts_.push_back(level.vertices);
    const std::size_t top = counts_.size() - 1;
    // What each host has one of, such as its interfaces, is left out with the hosts.
    while (lowest_ < top && counts_[lowest_] > max_hosts && counts_[lowest_] >= counts_[0])
      ++lowest_;
  }

  NetworkPicture picture() {
    const int busiest = std::min(widest_level(), max_switches);
    const double spacing = std::min(max_spacing, levels_max_width / busiest);
    inner_width_ = spacing * busiest;
    for (std::size_t level = 0, first = 0; level < counts_.size(); ++level) {
      if (level >= lowest_) place(level, narrow<int>(first));
      first += static_cast<std::size_t>(counts_[level]);
    }
    draw_cables(
        network_, [](const auto& from, const auto& to) { return line_path(from.at, to.at); },
        picture_);
    picture_.width = 2 * level_margin + label_margin + inner_width_;
    picture_.height = 2 * level_margin + level_height * double(counts_.size() - 1 - lowest_);
    if (lowest_ > 0)
      picture_.caption.push_back(
          fmt::format("{} hosts, {} below each switch of level 1, are not drawn",
                      grouped_digits(network_.num_hosts()),
                      lowest_ == 1 ? layout_.hosts_per_switch : counts_[0] / counts_[lowest_]));
    return std::move(picture_);
  }

 private:
  int widest_level() const {
    const auto first = counts_.begin() + narrow<std::ptrdiff_t>(lowest_);
    return *std::max_element(first, counts_.end());
  }

  void place(std::size_t level, int first_vertex) {
    const int count = counts_[level], drawn = std::min(count, max_switches);
    const double y = level_margin + level_height * double(counts_.size() - 1 - level);
    for (int i = 0; i < drawn; ++i) {
      const double x = level_margin + label_margin + (i + 0.5) * inner_width_ / drawn;
      picture_.vertices.push_back(
          {first_vertex + i, level == 0, {x, y}, network_.vertex_name(first_vertex + i)});
    }
    picture_.texts.push_back(
        {{level_margin, y + 4},
         fmt::format("{}: {}", layout_.levels[level].name, grouped_digits(count)),
         false});
    if (drawn < count)
      picture_.caption.push_back(fmt::format("Level {}: drawn are the first {} of {} switches",
                                             level, grouped_digits(drawn), grouped_digits(count)));
  }

  const Network& network_;
  const LevelLayout& layout_;
  NetworkPicture picture_;
  std::vector<int> counts_;  ///< vertices of each level, hosts first
  std::size_t lowest_ = 0;   ///< level that is drawn
  double inner_width_ = 0;
};

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

NetworkPicture lay_out(const Network& network, const PlaneLayout& layout) {
  return PlanePicture(network, layout).picture();
}

NetworkPicture lay_out(const Network& network, const LevelLayout& layout) {
  return LevelPicture(network, layout).picture();
}

NetworkPicture lay_out(const Network& network, const GroupLayout& layout) {
  constexpr std::size_t max_cables = 1500;
  NetworkPicture picture = GroupPicture(network, layout).picture();
  return layout.groups.size > 1 && picture.cables.size() > max_cables
             ? lay_out_whole_groups(network, layout)
             : picture;
}

}  // namespace vtopo::detail
