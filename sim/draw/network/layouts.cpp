#include "sim/draw/network/layouts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {
namespace {

constexpr double cell = 34;       // between routers
constexpr double wide_cell = 58;  // between routers with hosts around them
constexpr double gap = 46;        // between planes
constexpr double plane_margin = 40;
constexpr std::int64_t max_plane_routers = 4096;
constexpr double whisker = 11;  // of cables that leave the plane
constexpr double planes_max_width = 1400, planes_max_height = 2500;

/// The used vertices that `position` puts somewhere, as marks at these positions.
template <class Position>
std::vector<bool> marked(const JobPart& part, int count, const Position& position) {
  std::vector<bool> marks(index(count), part.is_all());
  if (part.is_all()) return marks;
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    if (part.vertices[v])
      if (const int at = position(narrow<int>(v)); at >= 0) marks[index(at)] = true;
  return marks;
}

/// Planes of the first two dimensions, as many as fit; of a part of the network those with some of
/// it, and the other rows and columns narrow.
class PlanePicture {
 public:
  PlanePicture(const Network& network, const PlaneLayout& layout, const JobPart& part)
      : network_(network), layout_(layout), part_(part) {
    auto size = [&](std::size_t d) { return d < layout.axes.size() ? layout.axes[d].size : 1; };
    columns_ = size(0);
    rows_ = size(1);
    for (std::size_t d = 2; d < layout.axes.size(); ++d) planes_ *= size(d);
    const auto router = [&](int vertex) { return layout.router_of(vertex); };
    const double pitch = layout.first_router > 0 && !part.is_all()
                             ? starred_pitch(network, part, layout.first_router, wide_cell)
                             : cell;
    xs_ = Places(marked(part, columns_, [&](int v) { return router(v) % columns_; }), pitch);
    ys_ = Places(marked(part, rows_, [&](int v) { return router(v) / columns_ % rows_; }), pitch);
    const auto planes = marked(part, planes_, [&](int v) { return plane_of(router(v)); });
    const std::int64_t plane = std::int64_t{columns_} * rows_;
    const auto most = index(narrow<int>(std::max<std::int64_t>(max_plane_routers / plane, 1)));
    for (int p = 0; p < planes_ && drawn_.size() < most; ++p)
      if (planes[index(p)]) drawn_.push_back(p);
    used_planes_ = narrow<int>(std::count(planes.begin(), planes.end(), true));
    const double plane_width = xs_.length() + gap;
    const int drawn = std::max(int_size(drawn_), 1);
    across_ = std::clamp(narrow<int>(std::int64_t(planes_max_width / plane_width)), 1, drawn);
    const int down = (drawn + across_ - 1) / across_;
    const bool is_too_high = down * (ys_.length() + gap) > planes_max_height;
    if (is_too_high || std::int64_t{across_} * across_ > drawn)
      across_ = narrow<int>(std::llround(std::ceil(std::sqrt(drawn))));
  }

  NetworkPicture picture() {
    place_routers();
    attach_hosts(network_, part_, picture_);
    draw_cables(
        network_, part_, [this](const auto& from, const auto& to) { return path(from, to); },
        picture_);
    const int down = (int_size(drawn_) + across_ - 1) / across_;
    picture_.width = 2 * plane_margin + across_ * (xs_.length() + gap) - gap;
    picture_.height = 2 * plane_margin + down * (ys_.length() + gap) - gap;
    write_caption();
    return std::move(picture_);
  }

 private:
  int plane_of(int router) const { return router / (columns_ * rows_); }

  /// Of the plane at a place among those that are drawn.
  Point corner(int place) const {
    return {plane_margin + place % across_ * (xs_.length() + gap),
            plane_margin + place / across_ * (ys_.length() + gap)};
  }

  void place_routers() {
    const int per_plane = columns_ * rows_, first = layout_.first_router;
    for (int place = 0; place < int_size(drawn_); ++place) {
      const int plane = drawn_[index(place)];
      const Point at = corner(place);
      for (int r = 0; r < per_plane; ++r) {
        const int vertex = first + plane * per_plane + r;
        picture_.vertices.push_back({vertex,
                                     first == 0,
                                     {at.x + xs_[r % columns_], at.y + ys_[r / columns_]},
                                     network_.vertex_name(vertex)});
      }
      if (planes_ > 1)
        picture_.texts.push_back(
            {{at.x + xs_.length() / 2, at.y - 12}, plane_title(layout_, plane)});
    }
  }

  /// A line between neighbours and to a host, strokes at both ends of what wraps around, else an
  /// arc.
  std::optional<std::string> path(const DrawnVertex& from, const DrawnVertex& to) const {
    const int first = layout_.first_router;
    if (from.vertex < first || to.vertex < first) return line_path(from.at, to.at);
    const int a = layout_.router_of(from.vertex), b = layout_.router_of(to.vertex);
    if (a == b) return std::nullopt;
    if (plane_of(a) != plane_of(b)) return between_planes(from.at, to.at, a, b);
    const int across = std::abs(a % columns_ - b % columns_);
    const int down = std::abs(a / columns_ % rows_ - b / columns_ % rows_);
    if (across <= 1 && down <= 1) return line_path(from.at, to.at);
    const double dx = to.at.x - from.at.x, dy = to.at.y - from.at.y;
    if ((across == 0 || down == 0) && across != columns_ - 1 && down != rows_ - 1)
      return arc_path(from.at, to.at, 0.22);
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
    const std::int64_t routers = std::int64_t{columns_} * rows_;
    if (planes_ > 1)
      picture_.caption.push_back(
          fmt::format("Planes of {} x {} (dimensions 0 and 1); short strokes lead to other planes",
                      columns_, rows_));
    if (used_planes_ < planes_)
      picture_.caption.push_back(
          fmt::format("{} of {} planes have links in use", used_planes_, planes_));
    if (int_size(drawn_) < used_planes_)
      picture_.caption.push_back(fmt::format(
          "Drawn: the first {} of {} planes, {} of {} routers", drawn_.size(), used_planes_,
          grouped_digits(int_size(drawn_) * routers), grouped_digits(used_planes_ * routers)));
    if (layout_.first_router > 0 && part_.is_all())
      picture_.caption.push_back(
          fmt::format("{} hosts per router are not drawn", layout_.hosts_per_router));
  }

  const Network& network_;
  const PlaneLayout& layout_;
  const JobPart& part_;
  NetworkPicture picture_;
  int columns_ = 1, rows_ = 1, planes_ = 1, across_ = 1, used_planes_ = 1;
  std::vector<int> drawn_;  ///< planes
  Places xs_{{}, 1}, ys_{{}, 1};
};

constexpr double level_margin = 40;
constexpr double level_height = 150;
constexpr double levels_max_width = 1280;  // with all that is around the rows
constexpr double max_spacing = 60;
constexpr int max_hosts = 256;       // more are drawn as a number
constexpr int max_switches = 1024;   // of one level
constexpr double label_letter = 15;  // left of the levels, in pictures on pages

/// Levels as rows, hosts at the bottom.
class LevelPicture {
 public:
  LevelPicture(const Network& network, const LevelLayout& layout, const JobPart& part)
      : network_(network), layout_(layout), part_(part) {
    int first = 0;
    for (const LayoutLevel& level : layout.levels) {
      rows_.push_back({first, level.vertices, {}});
      int used = 0;
      for (int i = 0; i < level.vertices; ++i) used += part.has(first + i) ? 1 : 0;
      rows_.back().shows_all = part.is_all() || level.vertices <= max_switches;
      rows_.back().drawn = rows_.back().shows_all ? level.vertices : used;
      first += level.vertices;
    }
    // What each host has one of, such as its interfaces, is left out with the hosts.
    while (lowest_ + 1 < rows_.size() && rows_[lowest_].drawn > max_hosts &&
           rows_[lowest_].drawn >= rows_[0].drawn)
      ++lowest_;
  }

  NetworkPicture picture() {
    double widest = 1;
    for (std::size_t level = lowest_; level < rows_.size(); ++level) {
      choose(rows_[level]);
      widest = std::max(widest, Places(used_of(rows_[level]), 1).length());
      label_margin_ =
          std::max(label_margin_, label_letter * double(label_of(level).size()) - level_margin / 2);
    }
    const double room = levels_max_width - 2 * level_margin - label_margin_;
    spacing_ = std::min(max_spacing, room / widest);
    inner_width_ = spacing_ * widest;
    for (std::size_t level = lowest_; level < rows_.size(); ++level) place(level);
    draw_cables(
        network_, part_, [](const auto& from, const auto& to) { return line_path(from.at, to.at); },
        picture_);
    picture_.width = 2 * level_margin + label_margin_ + inner_width_;
    picture_.height = 2 * level_margin + level_height * double(rows_.size() - 1 - lowest_);
    if (lowest_ > 0)
      picture_.caption.push_back(fmt::format(
          "{} hosts, {} below each {}, are not drawn", grouped_digits(network_.num_hosts()),
          lowest_ == 1 ? layout_.hosts_per_switch : rows_[0].count / rows_[lowest_].count,
          name_of_lowest()));
    return std::move(picture_);
  }

 private:
  struct Row {
    int first = 0, count = 0;   ///< vertices
    std::vector<int> vertices;  ///< that are drawn
    bool shows_all = true;
    int drawn = 0;
  };

  std::string label_of(std::size_t level) const {
    return fmt::format("{}: {}", layout_.levels[level].name, grouped_digits(rows_[level].count));
  }

  /// `switch of level 1` or `of the 128 nodes (nvlink)`
  std::string name_of_lowest() const {
    const std::string& name = layout_.levels[lowest_].name;
    if (name.starts_with("level ")) return "switch of " + name;
    return fmt::format("of the {} {}", grouped_digits(rows_[lowest_].count), name);
  }

  void choose(Row& row) const {
    for (int v = row.first; v < row.first + row.count && int_size(row.vertices) < max_switches; ++v)
      if (row.shows_all || part_.has(v)) row.vertices.push_back(v);
  }

  std::vector<bool> used_of(const Row& row) const {
    std::vector<bool> used;
    for (const int v : row.vertices) used.push_back(part_.has(v));
    return used;
  }

  void place(std::size_t level) {
    const Row& row = rows_[level];
    const double y = level_margin + level_height * double(rows_.size() - 1 - level);
    const double unit = Places(used_of(row), 1).length();
    const Places xs(used_of(row), unit > 0 ? inner_width_ / unit : 1);
    for (int i = 0; i < int_size(row.vertices); ++i) {
      const int vertex = row.vertices[index(i)];
      picture_.vertices.push_back({vertex,
                                   level == 0,
                                   {level_margin + label_margin_ + xs[i], y},
                                   network_.vertex_name(vertex)});
    }
    picture_.texts.push_back({{level_margin, y + 4}, label_of(level), false});
    if (int_size(row.vertices) < row.count)
      picture_.caption.push_back(fmt::format(
          "Level {}: drawn are {} {} of {}", level, row.shows_all ? "the first" : "in use",
          grouped_digits(int_size(row.vertices)), grouped_digits(row.count)));
  }

  const Network& network_;
  const LevelLayout& layout_;
  const JobPart& part_;
  NetworkPicture picture_;
  std::vector<Row> rows_;   ///< of each level, hosts first
  std::size_t lowest_ = 0;  ///< level that is drawn
  double inner_width_ = 0, spacing_ = 0, label_margin_ = 0;
};

constexpr double group_margin = 50;
constexpr double router_spacing = 22, wide_router_spacing = 52;
constexpr double least_radius = 120;
constexpr std::int64_t max_group_routers = 4096;
constexpr int max_joined = 32;  // routers of a group whose cables among each other are drawn

/// Groups on a circle, each a block of routers; of a part of the network the other groups are
/// points, and routers outside of it small.
class GroupPicture {
 public:
  GroupPicture(const Network& network, const GroupLayout& layout, const JobPart& part)
      : network_(network),
        layout_(layout),
        part_(part),
        per_group_(layout.rows * layout.columns),
        drawn_groups_(narrow<int>(
            std::clamp<std::int64_t>(max_group_routers / per_group_, 1, layout.groups.size))),
        used_(marked(part, layout.groups.size, [&](int v) { return group(v); })) {
    if (!part.is_all()) drawn_groups_ = layout.groups.size;
    pitch_ = part.is_all() ? router_spacing
                           : starred_pitch(network, part, layout.first_router, wide_router_spacing);
    columns_ = layout.columns;
    rows_ = layout.rows;
    if (!part.is_all()) {
      int most = 1;
      for (int g = 0; g < layout.groups.size; ++g) most = std::max(most, int_size(routers_of(g)));
      columns_ = std::min(columns_, narrow<int>(std::lround(std::ceil(std::sqrt(2.0 * most)))));
      rows_ = (most + columns_ - 1) / columns_;
    }
    const std::vector<bool> drawn(used_.begin(), used_.begin() + drawn_groups_);
    angles_ = Places(drawn, 1);
    const double full = double(std::count(drawn.begin(), drawn.end(), true));
    const double around =
        std::hypot(columns_ * pitch_ + 40, rows_ * pitch_ + 60) * angles_.length();
    radius_ = full == 1 && drawn_groups_ == 1 ? 0
              : full == 1                     ? std::hypot(columns_, rows_) * pitch_ / 2 + 60
                          : std::max(least_radius, around / (2 * std::numbers::pi));
  }

  NetworkPicture picture() {
    for (int g = 0; g < drawn_groups_; ++g) place_group(g);
    attach_hosts(network_, part_, picture_);
    move_to_corner();
    draw_cables(
        network_, part_, [this](const auto& from, const auto& to) { return path(from, to); },
        picture_);
    write_caption();
    return std::move(picture_);
  }

 private:
  /// -1 for hosts.
  int group(int vertex) const {
    return vertex < layout_.first_router ? -1 : layout_.group_of(vertex - layout_.first_router);
  }
  /// Those that are drawn: of a part of the network its own.
  std::vector<int> routers_of(int group) const {
    std::vector<int> routers;
    for (int r = layout_.start(group); r < layout_.start(group + 1); ++r)
      if (part_.has(layout_.first_router + r)) routers.push_back(layout_.first_router + r);
    return routers;
  }

  Point centre(int group) const {
    const double full = double(std::count(used_.begin(), used_.end(), true));
    if (full == 1 && used_[index(group)]) return {0, 0};  // the others around it
    const double angle = 2 * std::numbers::pi * (angles_[group] - angles_[0]) / angles_.length() -
                         std::numbers::pi / 2;
    return {radius_ * std::cos(angle), radius_ * std::sin(angle)};
  }

  /// Puts the routers and their captions into the upper left corner and measures the picture.
  void move_to_corner() {
    Point low = picture_.vertices.front().at, high = low;
    for (const DrawnVertex& vertex : picture_.vertices) {
      low = {std::min(low.x, vertex.at.x), std::min(low.y, vertex.at.y)};
      high = {std::max(high.x, vertex.at.x), std::max(high.y, vertex.at.y)};
    }
    for (const DrawnText& text : picture_.texts) {
      low.y = std::min(low.y, text.at.y);
      high.y = std::max(high.y, text.at.y);
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
    if (!used_[index(group)]) {
      constexpr int no_vertex = -1;
      picture_.vertices.push_back(
          {no_vertex, false, at, layout_.groups.label(group) + ", which the job does not use"});
      return;
    }
    const std::vector<int> routers = routers_of(group);
    for (int r = 0; r < int_size(routers); ++r)
      picture_.vertices.push_back({routers[index(r)],
                                   false,
                                   {at.x + (r % columns_ - (columns_ - 1) / 2.0) * pitch_,
                                    at.y + (r / columns_ - (rows_ - 1) / 2.0) * pitch_},
                                   network_.vertex_name(routers[index(r)])});
    left_out_ += layout_.start(group + 1) - layout_.start(group) - int_size(routers);
    picture_.texts.push_back({name_place(at), layout_.groups.label(group)});
  }

  /// Of a group around that point: on the side that few cables to other groups cross.
  Point name_place(Point at) const {
    constexpr double letters = 10;
    const double room = part_.is_all() ? 6 : 26;
    const double high = rows_ * pitch_ / 2;
    return {at.x, at.y > 0.1 * radius_ ? at.y + high + room + letters : at.y - high - room};
  }

  /// Straight between groups and to hosts; an arc between routers of a group that are not
  /// neighbours in the picture.
  std::optional<std::string> path(const DrawnVertex& from, const DrawnVertex& to) const {
    const int a = group(from.vertex), b = group(to.vertex);
    if (a < 0 || b < 0) return line_path(from.at, to.at);
    const bool same_group = a == b;
    const double length = std::hypot(to.at.x - from.at.x, to.at.y - from.at.y);
    if (same_group && per_group_ > max_joined && part_.is_all()) return std::nullopt;
    if (!same_group || length < 1.2 * pitch_) return line_path(from.at, to.at);
    return arc_path(from.at, to.at, 0.18);
  }

  void write_caption() {
    const LayoutAxis& groups = layout_.groups;
    const auto used = std::count(used_.begin(), used_.end(), true);
    if (used < groups.size)
      picture_.caption.push_back(fmt::format("{} of {} {} have links in use, the others are points",
                                             used, groups.size, layout_.plural));
    if (left_out_ > 0)
      picture_.caption.push_back(
          fmt::format("{} routers of these groups without a link in use are not drawn",
                      grouped_digits(left_out_)));
    if (drawn_groups_ < groups.size)
      picture_.caption.push_back(fmt::format("Drawn: the first {} of {} {}", drawn_groups_,
                                             grouped_digits(groups.size), layout_.plural));
    if (!part_.is_all()) return;
    if (per_group_ > max_joined)
      picture_.caption.push_back(
          fmt::format("Not drawn: within a {}, {}", groups.name, layout_.inner_cables));
    picture_.caption.push_back(fmt::format("{} hosts, {}, are not drawn",
                                           grouped_digits(network_.num_hosts()), layout_.hosts));
  }

  const Network& network_;
  const GroupLayout& layout_;
  const JobPart& part_;
  NetworkPicture picture_;
  int per_group_;  ///< routers of the largest group
  int drawn_groups_;
  std::vector<bool> used_;      ///< groups
  int columns_ = 1, rows_ = 1;  ///< of routers in a block
  double pitch_ = router_spacing;
  Places angles_{{}, 1};
  double radius_ = 0;
  int left_out_ = 0;  ///< routers of groups in use
};

}  // namespace

NetworkPicture lay_out(const Network& network, const PlaneLayout& layout, const JobPart& part) {
  return PlanePicture(network, layout, part).picture();
}

NetworkPicture lay_out(const Network& network, const LevelLayout& layout, const JobPart& part) {
  return LevelPicture(network, layout, part).picture();
}

NetworkPicture lay_out(const Network& network, const GroupLayout& layout, const JobPart& part) {
  constexpr std::size_t max_cables = 1500;
  NetworkPicture picture = GroupPicture(network, layout, part).picture();
  return part.is_all() && layout.groups.size > 1 && picture.cables.size() > max_cables
             ? lay_out_whole_groups(network, layout)
             : picture;
}

}  // namespace vtopo::detail
