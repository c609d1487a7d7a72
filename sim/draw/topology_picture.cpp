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
constexpr double plane_gap = 60, line = 20, corner = 8;
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
    SvgElement svg(std::max(width_, 420.0), height_ + foot, picture_.title);
    put_markers(svg);
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
                     pad + plane / across * high + (r / columns % rows + 0.5) * pitch_y});
    }
    width_ = 2 * pad + across * wide - plane_gap;
    height_ = 2 * pad + (planes + across - 1) / across * high - plane_gap;
    colour_.assign(at_.size(), -1);
  }

  void place_on_circle(int ranks) {
    const double radius = std::max(130.0, ranks * 70 / (2 * std::numbers::pi));
    const double middle = radius + pad + box_width / 2;
    for (int r = 0; r < ranks; ++r) {
      const double angle = 2 * std::numbers::pi * r / std::max(ranks, 1);
      at_.push_back({middle + radius * std::sin(angle), middle - radius * std::cos(angle)});
    }
    width_ = height_ = 2 * middle;
    colour_.assign(at_.size(), -1);
  }

  std::vector<int> coordinates(int rank) const {
    std::vector<int> coordinates(picture_.dimensions.size());
    for (std::size_t d = coordinates.size(); d-- > 0; rank /= picture_.dimensions[d].size)
      coordinates[d] = rank % picture_.dimensions[d].size;
    return coordinates;
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

  /// Straight between boxes that touch in the picture, else an arc around those between them.
  std::string path(Rank a, Rank b, double bend) const {
    const Point from = at_[index(a)], to = at_[index(b)];
    if (a == b)
      return fmt::format("M{0:.1f} {1:.1f}c-16 -26 36 -26 20 0", from.x - 8,
                         from.y - box_height / 2);
    const bool near =
        std::abs(from.x - to.x) < 1.5 * pitch_x && std::abs(from.y - to.y) < 1.5 * pitch_y;
    const Point start = at_border(from, to), end = at_border(to, from);
    if (picture_.dimensions.empty() || near)
      return bend == 0 ? line_path(start, end) : arc_path(start, end, bend);
    // From the side of one box to the side of the other.
    const bool level = std::abs(from.y - to.y) < 1;
    const double half = (level ? box_height : box_width) / 2 + 3;
    const Point aside{level ? 0 : half, level ? -half : 0};
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double turn = (level ? to.x < from.x : to.y > from.y) ? -1 : 1;
    const double away = std::min(24 / length, 0.2) * (level ? turn : turn);
    return arc_path({from.x + aside.x, from.y + aside.y}, {to.x + aside.x, to.y + aside.y},
                    -2 * away);
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
              is_asked ? " asked" : "", corner, at.x - box_width / 2, at.y - box_height / 2,
              box_width, box_height);
      const bool has_coordinates = !picture_.dimensions.empty();
      svg.put_text(at.x, at.y + (has_coordinates ? -3 : 5), std::to_string(r),
                   R"~(text-anchor="middle" font-weight="bold" font-size="15")~");
      if (has_coordinates)
        svg.put_text(at.x, at.y + 13,
                     fmt::format("({})", fmt::join(coordinates(narrow<int>(r)), ",")),
                     R"~(text-anchor="middle" font-size="11")~");
      std::string words;
      for (const RankLabel& label : picture_.labels)
        if (label.rank == rank) words += (words.empty() ? "" : " ") + label.text;
      if (!words.empty())
        svg.put_text(at.x, at.y - box_height / 2 - 4, words,
                     R"~(class="name worst" text-anchor="middle" font-size="12")~");
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
