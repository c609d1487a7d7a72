#include "sim/draw/topology_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/draw/markup.hpp"
#include "sim/draw/network/layouts.hpp"
#include "sim/draw/page/page.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr double pitch_x = 92, pitch_y = 74, box_width = 58, box_height = 40, pad = 40;
constexpr double plane_gap = 60, line = 20, rounding = 8;
constexpr double head = 30;   // room for the title
constexpr double stub = 18;   // of a line to what is not beside a box
constexpr double letter = 7;  // of the legend
constexpr std::size_t num_colours = 12;
constexpr std::string_view arrow_colours[] = {"#0072b2", "#c24e00", "#008060", "#a3428a"};

/// Draws one picture.
class TopologyDrawing {
 public:
  explicit TopologyDrawing(const TopologyPicture& picture) : picture_(picture) {
    const int ranks = picture.graph.num_ranks();
    if (ranks > max_drawn_ranks)
      throw UsageError(fmt::format("a picture of a topology has room for {} ranks, {} has {}",
                                   grouped_digits(max_drawn_ranks), picture.title,
                                   grouped_digits(ranks)));
    if (picture.dimensions.empty())
      place_on_circle(ranks);
    else
      place_in_grid();
    for (std::size_t c = 0; c < picture.communicators.size(); ++c)
      for (const Rank rank : picture.communicators[c]) colour_[index(rank)] = narrow<int>(c);
  }

  std::string text() {
    const double foot = line * double(legend().size()) + line;
    const std::string title = title_of_picture();
    double width = std::max(width_, 20 + 9 * double(title.size()));
    for (const auto& [words, attributes] : legend())
      width = std::max(width, pad + 34 + letter * double(words.size()));
    SvgElement svg(width, height_ + foot, title);
    svg.put_text(pad / 2, 24, title, R"~(font-weight="bold" font-size="16")~");
    put_markers(svg);
    put_plane_names(svg);
    put_edges(svg);
    put_boxes(svg);
    put_arrows(svg);
    double y = height_ + line / 2;
    for (const auto& [words, attributes] : legend()) {
      svg.put(R"~(<path {} d="M{} {:.1f}h26"/>)~", attributes, pad / 2, y - 4);
      svg.put_text(pad / 2 + 34, y, words);
      y += line;
    }
    return std::move(svg).text();
  }

 private:
  int size(std::size_t from_last) const {
    const auto& dimensions = picture_.dimensions;
    return from_last < dimensions.size() ? dimensions[dimensions.size() - 1 - from_last].size : 1;
  }

  void place_in_grid() {
    const int columns = size(0), rows = size(1), ranks = picture_.graph.num_ranks();
    const int planes = ranks / (columns * rows);
    const double wide = columns * pitch_x + plane_gap, high = rows * pitch_y + plane_gap;
    const int across =
        std::clamp(narrow<int>(std::lround(std::ceil(std::sqrt(planes * high / wide)))), 1, planes);
    for (int r = 0; r < ranks; ++r) {
      const int plane = r / (columns * rows);
      at_.push_back({pad + plane % across * wide + (r % columns + 0.5) * pitch_x,
                     head + pad + plane / across * high + (r / columns % rows + 0.5) * pitch_y});
    }
    planes_ = planes;
    width_ = 2 * pad + across * wide - plane_gap;
    height_ = head + 2 * pad + (planes + across - 1) / across * high - plane_gap;
    colour_.assign(at_.size(), -1);
  }

  void place_on_circle(int ranks) {
    const double radius = std::max(130.0, ranks * 70 / (2 * std::numbers::pi));
    const double middle = radius + pad + box_width / 2;
    for (int r = 0; r < ranks; ++r) {
      const double angle = 2 * std::numbers::pi * r / std::max(ranks, 1);
      at_.push_back({middle + radius * std::sin(angle), head + middle - radius * std::cos(angle)});
    }
    width_ = 2 * middle;
    height_ = head + width_;
    colour_.assign(at_.size(), -1);
  }

  std::vector<int> coordinates(int rank) const {
    std::vector<int> coordinates(picture_.dimensions.size());
    for (std::size_t d = coordinates.size(); d-- > 0; rank /= picture_.dimensions[d].size)
      coordinates[d] = rank % picture_.dimensions[d].size;
    return coordinates;
  }

  /// `Grid of 4 x 4 ranks, dimension 1 periodic (cart:4x4p)`
  std::string title_of_picture() const {
    const std::string name = title_words(picture_.title);
    const auto& dimensions = picture_.dimensions;
    if (dimensions.empty())
      return fmt::format("Graph of {} ({})", counted(at_.size(), "rank"), name);
    std::string sizes, periodic;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      sizes += fmt::format("{}{}", d == 0 ? "" : " x ", dimensions[d].size);
      if (dimensions[d].periodic())
        periodic += fmt::format("{}{}", periodic.empty() ? "" : ", ", d);
    }
    return fmt::format("Grid of {} ranks{} ({})", sizes,
                       periodic.empty() ? "" : fmt::format(", periodic in dimension {}", periodic),
                       name);
  }

  /// `(1, *, *)` above the ranks with this coordinate.
  void put_plane_names(SvgElement& svg) const {
    const std::size_t per_plane = at_.size() / index(planes_);
    for (std::size_t first = 0; planes_ > 1 && first < at_.size(); first += per_plane) {
      auto fixed = coordinates(narrow<int>(first));
      fixed.resize(fixed.size() - 2);
      const double x = (at_[first].x + at_[first + index(size(0)) - 1].x) / 2;
      svg.put_text(x, at_[first].y - box_height / 2 - 37,
                   fmt::format("({}, *, *)", fmt::join(fixed, ", ")),
                   R"~(text-anchor="middle" font-weight="bold")~");
    }
  }

  static void put_markers(SvgElement& svg) {
    svg.put("<defs>");
    for (std::size_t c = 0; c < std::size(arrow_colours); ++c)
      svg.put(R"~(<marker id="arrow{}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" )~"
              R"~(markerHeight="7" orient="auto"><path fill="{}" d="M0 0L8 4L0 8z"/></marker>)~",
              c, arrow_colours[c]);
    svg.put("</defs>");
  }

  /// Where a line from `from` leaves its box, or reaches it.
  static Point at_border(Point from, Point to) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double wide = (box_width / 2 + 3) / std::max(std::abs(dx), 1e-9);
    const double high = (box_height / 2 + 3) / std::max(std::abs(dy), 1e-9);
    const double share = std::min({wide, high, 0.5});
    return {from.x + share * dx, from.y + share * dy};
  }

  /// Straight between boxes that touch in the picture, along a row or column an arc around those
  /// between them, else a short stroke at both: no line crosses a box.
  std::string path(Rank a, Rank b, double bend) const {
    const Point from = at_[index(a)], to = at_[index(b)];
    if (a == b)
      return fmt::format("M{0:.1f} {1:.1f}c-16 -26 36 -26 20 0", from.x - 8,
                         from.y - box_height / 2);
    const Point start = at_border(from, to), end = at_border(to, from);
    if (picture_.dimensions.empty())
      return bend == 0 ? line_path(start, end) : arc_path(start, end, bend);
    const auto one = coordinates(number(a)), other = coordinates(number(b));
    for (std::size_t d = 0; d + 2 < one.size(); ++d)
      if (one[d] != other[d]) return between_planes(from, to, d, steps(one, other, d) > 0);
    const bool near =
        std::abs(from.x - to.x) < 1.5 * pitch_x && std::abs(from.y - to.y) < 1.5 * pitch_y;
    if (near) return bend == 0 ? line_path(start, end) : arc_path(start, end, bend);
    const bool level = std::abs(from.y - to.y) < 1, upright = std::abs(from.x - to.x) < 1;
    if (level || upright) return around(from, to, level, bend);
    const Point out{stub * double(std::clamp(steps(one, other, one.size() - 1), -1, 1)),
                    stub * double(std::clamp(steps(one, other, one.size() - 2), -1, 1))};
    return at_corners(from, to, out);
  }

  /// From one coordinate to the other: around a periodic dimension if that is shorter.
  int steps(const std::vector<int>& from, const std::vector<int>& to, std::size_t d) const {
    const Dimension& dimension = picture_.dimensions[d];
    const int steps = to[d] - from[d];
    const bool wraps = dimension.periodic() && 2 * std::abs(steps) > dimension.size;
    return wraps ? -steps : steps;
  }

  /// Above the boxes between two of a row, to the right of those of a column.
  static std::string around(Point from, Point to, bool level, double bend) {
    const double side = (level ? box_height : box_width) / 2 + 3;
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double rise = 2 * std::min({0.2 * length, 22 + 50 * bend, 29.0});  // of the control point
    const auto aside = [&](Point at, double by) {
      return level ? Point{at.x, at.y - by} : Point{at.x + by, at.y};
    };
    const Point start = aside(from, side), end = aside(to, side);
    const Point control = aside({(from.x + to.x) / 2, (from.y + to.y) / 2}, side + rise);
    return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", start.x, start.y, control.x,
                       control.y, end.x, end.y);
  }

  /// A stroke out of the corner of one box in that direction, and one into the other box.
  static std::string at_corners(Point from, Point to, Point out) {
    const Point corner{std::copysign(box_width / 2 - 2, out.x),
                       std::copysign(box_height / 2 - 2, out.y)};
    const Point leaves{from.x + corner.x, from.y + corner.y};
    const Point enters{to.x - corner.x, to.y - corner.y};
    return line_path(leaves, {leaves.x + out.x, leaves.y + out.y}) +
           line_path({enters.x - out.x, enters.y - out.y}, enters);
  }

  /// To the next plane by the upper right corner, its slope by the dimension.
  std::string between_planes(Point from, Point to, std::size_t d, bool upwards) const {
    const double angle = 0.25 + 1.1 * (double(d) + 0.5) / double(picture_.dimensions.size() - 2);
    const double way = upwards ? 1 : -1;
    return at_corners(from, to, {way * stub * std::cos(angle), -way * stub * std::sin(angle)});
  }

  void put_edges(SvgElement& svg) const {
    svg.put(R"~(<g class="axis" stroke-width="1" opacity=".6">)~");
    picture_.graph.for_each_edge([&](Rank from, const CommEdge& edge) {
      const bool is_second = edge.destination < from && has_edge(edge.destination, from);
      if (!is_second) svg.put(R"~(<path d="{}"/>)~", path(from, edge.destination, 0));
    });
    svg.put("</g>");
  }

  bool has_edge(Rank from, Rank to) const {
    const auto edges = picture_.graph.out_edges(from);
    return std::any_of(edges.begin(), edges.end(),
                       [&](const CommEdge& edge) { return edge.destination == to; });
  }

  void put_boxes(SvgElement& svg) const {
    for (std::size_t r = 0; r < at_.size(); ++r) {
      const Point at = at_[r];
      const Rank rank = id_at<Rank>(r);
      const bool is_asked =
          std::find(picture_.asked.begin(), picture_.asked.end(), rank) != picture_.asked.end();
      svg.put(R"~(<rect class="box{}{}" rx="{}" x="{:.1f}" y="{:.1f}" width="{}" height="{}"/>)~",
              colour_[r] < 0 ? "" : fmt::format(" c{}", index(colour_[r]) % num_colours),
              is_asked ? " asked" : "", rounding, at.x - box_width / 2, at.y - box_height / 2,
              box_width, box_height);
      std::string words;
      for (const RankLabel& label : picture_.labels)
        if (label.rank == rank) words += (words.empty() ? "" : " ") + label.text;
      std::vector<std::string> lines{std::to_string(r)};
      if (!picture_.dimensions.empty())
        lines.push_back(fmt::format("({})", fmt::join(coordinates(narrow<int>(r)), ",")));
      if (!words.empty()) lines.push_back(words);
      double y = at.y + (lines.size() == 1 ? 5 : lines.size() == 2 ? -3 : -6);
      for (std::size_t l = 0; l < lines.size(); ++l) {
        const bool is_label = l + 1 == lines.size() && !words.empty();
        svg.put_text(at.x, y, lines[l],
                     l == 0     ? R"~(text-anchor="middle" font-weight="bold" font-size="15")~"
                     : is_label ? R"~(class="worst" text-anchor="middle" font-size="11")~"
                                : R"~(text-anchor="middle" font-size="11")~");
        y += lines.size() == 3 ? 11.5 : 16;
      }
    }
  }

  void put_arrows(SvgElement& svg) const {
    for (std::size_t a = 0; a < picture_.arrows.size(); ++a) {
      const std::size_t colour = a % std::size(arrow_colours);
      svg.put(R"~(<g fill="none" stroke="{}" stroke-width="2">)~", arrow_colours[colour]);
      for (const auto& [from, to] : picture_.arrows[a].pairs)
        svg.put(R"~(<path marker-end="url(#arrow{})" d="{}"/>)~", colour,
                path(from, to, 0.12 * double(a)));
      svg.put("</g>");
    }
  }

  /// Words, and the attributes of the stroke before them.
  std::vector<std::pair<std::string, std::string>> legend() const {
    std::vector<std::pair<std::string, std::string>> lines;
    for (std::size_t a = 0; a < picture_.arrows.size(); ++a) {
      const RankArrows& arrows = picture_.arrows[a];
      lines.emplace_back(
          arrows.name + (arrows.missing == 0
                             ? ""
                             : fmt::format("; {} have no destination (MPI_PROC_NULL)",
                                           counted(index(arrows.missing), "rank"))),
          fmt::format(R"~(stroke-width="2" stroke="{}")~",
                      arrow_colours[a % std::size(arrow_colours)]));
    }
    if (planes_ > 1)
      lines.emplace_back("short strokes at corners lead to other planes",
                         R"~(class="axis" stroke-width="1")~");
    for (const Rank rank : picture_.asked)
      lines.emplace_back(fmt::format("rank {} and its neighbours", number(rank)),
                         R"~(class="worst" stroke-width="3")~");
    constexpr std::size_t max_lines = 12, max_listed = 16;
    for (std::size_t c = 0; c < picture_.communicators.size(); ++c) {
      if (c == max_lines) {
        lines.emplace_back(fmt::format("and {} more", picture_.communicators.size() - c), "");
        break;
      }
      std::string words = fmt::format("communicator {}: ranks", c);
      const auto& ranks = picture_.communicators[c];
      for (std::size_t i = 0; i < std::min(ranks.size(), max_listed); ++i)
        words += fmt::format(" {}", number(ranks[i]));
      if (ranks.size() > max_listed)
        words += fmt::format(" and {} more", ranks.size() - max_listed);
      lines.emplace_back(words, fmt::format(R"~(class="c{}" stroke-width="10")~", c % num_colours));
    }
    return lines;
  }

  const TopologyPicture& picture_;
  std::vector<Point> at_;    ///< of each rank
  std::vector<int> colour_;  ///< communicator of each rank; -1: none
  double width_ = 0, height_ = 0;
  int planes_ = 1;
};

/// Twelve light colours for boxes, darker ones on dark ground, and strokes of the legend.
std::string box_css() {
  std::string text =
      ".box{fill:var(--cell);stroke:var(--quiet)}.box.asked{stroke:var(--worst);stroke-width:3}";
  std::string dark;
  for (std::size_t c = 0; c < num_colours; ++c) {
    const std::size_t hue = c * 150 % 360;
    text +=
        fmt::format(".box.c{0}{{fill:hsl({1} 65% 84%)}}.c{0}{{stroke:hsl({1} 65% 74%)}}", c, hue);
    dark +=
        fmt::format(".box.c{0}{{fill:hsl({1} 45% 28%)}}.c{0}{{stroke:hsl({1} 45% 45%)}}", c, hue);
  }
  return text + "@media screen and (prefers-color-scheme:dark){" + dark + "}";
}

}  // namespace

std::string draw_topology(const TopologyPicture& picture) {
  const std::string svg = TopologyDrawing(picture).text();
  const std::size_t start = svg.find('\n') + 1;
  return svg.substr(0, start) + "<style>" + box_css() + "</style>\n" + svg.substr(start);
}

std::string render_topology_page(const TopologyPicture& picture, std::string_view answers) {
  std::string text = page_head(picture.title);
  text += fmt::format(
      "<header>\n<h1>{}</h1>\n<p>{}</p>\n</header>\n<main>\n", markup_text(picture.title),
      picture.dimensions.empty()
          ? "A box is a rank; a line joins two that communicate."
          : "A box is a rank with its coordinates: the last dimension runs from left "
            "to right and varies fastest, as in MPI_Cart_create.");
  text += "<figure><div class=\"picture\">\n" + draw_topology(picture) + "</div></figure>\n";
  text += fmt::format("<h2>What MPI's inquiry functions return</h2>\n<pre>{}</pre>\n</main>\n",
                      markup_text(answers));
  return text + "</body>\n</html>\n";
}

}  // namespace vtopo::detail
