#include "sim/draw/cell_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr double margin = 14;
constexpr double axis_room = 24;
constexpr double title_room = 22;
constexpr double name_room = 76;
constexpr double gap = 14;
constexpr double wished_width = 460;
constexpr double least_width = 340;  // of the legend

/// Where the panels of a picture lie, in pixels.
struct PanelGrid {
  double cell = 1;  ///< side of a cell
  double left = 0, top = 0;
  double pitch_x = 0, pitch_y = 0;  ///< from panel to panel
  int across = 1, down = 1;

  explicit PanelGrid(const CellPicture& picture) {
    const CellPanel& panel = picture.panels.front();
    const double count = double(picture.panels.size());
    const double shape = double(panel.rows) / panel.columns;
    across = static_cast<int>(std::clamp(std::ceil(std::sqrt(count * shape)), 1.0, count));
    down = static_cast<int>(std::ceil(count / across));
    const double inner = wished_width - gap * (across - 1);
    cell = std::clamp(inner / (panel.columns * across), 1.0, 28.0);
    const bool titled = !panel.title.empty();
    // A single panel has the names of its rows at its side.
    const double names = picture.panels.size() == 1 && !picture.row_names.empty() ? name_room : 0;
    constexpr double short_name_room = 8;
    const bool has_side = std::any_of(picture.panels.begin(), picture.panels.end(),
                                      [](const CellPanel& one) { return !one.row_names.empty(); });
    left = margin + axis_room + names + (has_side ? short_name_room : 0);
    top = margin + axis_room + (titled || names > 0 ? title_room : 0);
    pitch_x = panel.columns * cell + gap;
    pitch_y = panel.rows * cell + gap + (titled ? title_room : 0);
  }

  double x(std::size_t panel) const {
    const std::size_t column = panel % static_cast<std::size_t>(across);
    return left + pitch_x * double(column);
  }
  double y(std::size_t panel) const {
    const std::size_t row = panel / static_cast<std::size_t>(across);
    return top + pitch_y * double(row);
  }
};

/// Path data of all cells of each level; neighbours of one level in a row are one rectangle.
std::vector<std::string> paths_of(const CellPanel& panel, const ValueScale& scale) {
  std::vector<std::string> paths(colour_levels + 1);
  for (int row = 0; row < panel.rows; ++row)
    for (int column = 0, next = 0; column < panel.columns; column = next) {
      const auto level_at = [&](int c) {
        return scale.level(panel.values[index(row * panel.columns + c)]);
      };
      const int level = level_at(column);
      for (next = column + 1; next < panel.columns && level_at(next) == level;) ++next;
      if (level > 0)
        paths[static_cast<std::size_t>(level)] +=
            fmt::format("M{} {}h{}v1h-{}z", column, row, next - column, next - column);
    }
  return paths;
}

void put_panel(SvgElement& svg, const CellPanel& panel, const ValueScale& scale, double x, double y,
               double cell) {
  if (!panel.title.empty()) svg.put_text(x, y - 6, panel.title);
  for (std::size_t r = 0; r < panel.row_names.size(); ++r)
    svg.put_text(x - 5, y + (double(r) + 0.5) * cell + 3.5, panel.row_names[r],
                 R"~(text-anchor="end" font-size="10")~");
  svg.put(R"~(<g class="cells" shape-rendering="crispEdges" transform="translate({:.1f} {:.1f}) )~"
          R"~(scale({:.4f})">)~",
          x, y, cell);
  svg.put(R"~(<rect class="ground" width="{}" height="{}"/>)~", panel.columns, panel.rows);
  const auto paths = paths_of(panel, scale);
  for (std::size_t level = 1; level < paths.size(); ++level)
    if (!paths[level].empty()) svg.put(R"~(<path class="l{}" d="{}"/>)~", level, paths[level]);
  svg.put("</g>");
}

/// Panel and cell of the largest value; nothing where all are 0.
std::optional<std::pair<std::size_t, std::size_t>> largest_cell(const CellPicture& picture) {
  std::optional<std::pair<std::size_t, std::size_t>> largest;
  double most = 0;
  for (std::size_t p = 0; p < picture.panels.size(); ++p)
    for (std::size_t c = 0; c < picture.panels[p].values.size(); ++c)
      if (picture.panels[p].values[c] > most) {
        most = picture.panels[p].values[c];
        largest = {p, c};
      }
  return largest;
}

std::string cell_name(const CellPicture& picture, std::size_t p, std::size_t c) {
  const CellPanel& panel = picture.panels[p];
  if (!panel.names.empty()) return panel.names[c];
  const auto columns = static_cast<std::size_t>(panel.columns);
  return fmt::format("{}{}, {}", panel.title.empty() ? "" : panel.title + ", ",
                     picture.row_names[c / columns], picture.column_names[c % columns]);
}

/// Frames the worst cell of a picture of links and names it below.
void put_worst(SvgElement& svg, const CellPicture& picture, const PanelGrid& grid, double y) {
  const auto worst = largest_cell(picture);
  if (!worst) return;
  const auto [p, c] = *worst;
  const auto columns = static_cast<std::size_t>(picture.panels[p].columns);
  const double side = std::max(grid.cell, 5.0), spare = (side - grid.cell) / 2;
  svg.put(R"~(<rect class="worst" stroke-width="2" x="{:.1f}" y="{:.1f}" width="{:.1f}" )~"
          R"~(height="{:.1f}"/>)~",
          grid.x(p) + double(c % columns) * grid.cell - spare,
          grid.y(p) + double(c / columns) * grid.cell - spare, side, side);
  svg.put_text(grid.left, y,
               fmt::format("worst: {}, {}", cell_name(picture, p, c),
                           value_text(picture.panels[p].values[c], PictureUnit::seconds)),
               R"~(class="worst")~");
}

/// Names of every so many rows and columns of a single panel, as many as there is room for.
void put_names(SvgElement& svg, const CellPicture& picture, const PanelGrid& grid) {
  const auto short_name = [](const std::string& name) {
    constexpr std::size_t longest = 16;
    const std::string first = name.substr(0, std::min(name.find(" ("), name.find("\xE2\x80")));
    const std::string plain = first.starts_with("rank ")    ? first.substr(5)
                              : first.starts_with("ranks ") ? first.substr(6)
                                                            : first;
    return plain.size() > longest ? plain.substr(0, longest - 1) + "\xE2\x80\xA6" : plain;
  };
  const auto every = [&](double room, std::size_t count) {
    double step = 1;  // a power of two, as grids have
    while (step * grid.cell < room && step < double(count)) step *= 2;
    return static_cast<std::size_t>(step);
  };
  std::size_t longest = 1;
  for (const std::string& name : picture.column_names)
    longest = std::max(longest, short_name(name).size());
  const auto rows = every(13, picture.row_names.size());
  const auto columns = every(7.0 * double(longest) + 8, picture.column_names.size());
  for (std::size_t r = 0; r < picture.row_names.size(); r += rows)
    svg.put_text(grid.left - 5, grid.top + (double(r) + 0.5) * grid.cell + 4,
                 short_name(picture.row_names[r]), R"~(text-anchor="end" font-size="11")~");
  for (std::size_t c = 0; c < picture.column_names.size(); c += columns)
    svg.put_text(grid.left + (double(c) + 0.5) * grid.cell, grid.top - 5,
                 short_name(picture.column_names[c]), R"~(text-anchor="middle" font-size="11")~");
}

std::string svg_of(const CellPicture& picture, const ValueScale& scale) {
  const PanelGrid grid(picture);
  const double right = grid.left + grid.pitch_x * grid.across - gap;
  const double bottom =
      grid.top + grid.pitch_y * (grid.down - 1) + picture.panels.front().rows * grid.cell;
  const double width = std::max(right, grid.left + least_width) + margin;
  const bool is_load = scale.unit() == PictureUnit::seconds;
  SvgElement svg(width, bottom + gap + legend_height + margin + (is_load ? title_room : 0),
                 picture.title);
  svg.put_text(grid.left, margin + 8, picture.column_axis + " \xE2\x86\x92");
  if (!picture.row_axis.empty())
    svg.put_text(-grid.top, margin + 10, "\xE2\x86\x90 " + picture.row_axis,
                 R"~(transform="rotate(-90)" text-anchor="end")~");
  for (std::size_t p = 0; p < picture.panels.size(); ++p)
    put_panel(svg, picture.panels[p], scale, grid.x(p), grid.y(p), grid.cell);
  if (picture.panels.size() == 1) put_names(svg, picture, grid);
  if (is_load) put_worst(svg, picture, grid, bottom + gap + legend_height + margin);
  put_legend(svg, scale, grid.left, bottom + gap);
  return std::move(svg).text();
}

/// Four digits are enough for a reader.
double rounded(double value) {
  return parse_number(fmt::format("{:.4g}", value)).value_or(value);
}

Json panel_object(const CellPanel& panel, double x, double y) {
  Json object = {{"x", x}, {"y", y}, {"columns", panel.columns}, {"rows", panel.rows}};
  object["title"] = panel.title;
  if (!panel.names.empty()) object["names"] = panel.names;
  Json cells = Json::array();  // index and value of what is not 0
  for (std::size_t c = 0; c < panel.values.size(); ++c)
    if (panel.values[c] > 0) {
      cells.push_back(c);
      cells.push_back(rounded(panel.values[c]));
    }
  object["cells"] = std::move(cells);
  return object;
}

std::string data_of(const CellPicture& picture, const ValueScale& scale) {
  const PanelGrid grid(picture);
  Json object = {{"unit", unit_name(scale.unit())}, {"cell", grid.cell}};
  object["least"] = scale.least();
  object["most"] = scale.most();
  object["logarithmic"] = scale.is_logarithmic();
  object["column_axis"] = picture.column_axis;
  object["row_axis"] = picture.row_axis;
  object["columns"] = picture.column_names;
  object["rows"] = picture.row_names;
  object["panels"] = Json::array();
  for (std::size_t p = 0; p < picture.panels.size(); ++p)
    object["panels"].push_back(panel_object(picture.panels[p], grid.x(p), grid.y(p)));
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Cells that hold something.
std::string csv_of(const CellPicture& picture, PictureUnit unit) {
  std::string text = fmt::format("panel,row,column,{}\n", unit_name(unit));
  for (std::size_t p = 0; p < picture.panels.size(); ++p) {
    const CellPanel& panel = picture.panels[p];
    for (std::size_t c = 0; c < panel.values.size(); ++c)
      if (panel.values[c] > 0)
        text += fmt::format("{},{},{},{}\n", p, c / static_cast<std::size_t>(panel.columns),
                            c % static_cast<std::size_t>(panel.columns), panel.values[c]);
  }
  return text;
}

constexpr int finest = 256, coarser = 128;
constexpr std::ptrdiff_t many_cells = 8192;

/// Sums over squares of ranks, `side` x `side`.
/// @param positions of ranks along both axes.
std::vector<double> sums(const CommGraph& guest, const std::vector<int>& positions, int block,
                         int side) {
  std::vector<double> cells(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const int row = positions[index(source)] / block;
    const int column = positions[index(edge.destination)] / block;
    cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(side) +
          static_cast<std::size_t>(column)] += edge.volume.value;
  });
  return cells;
}

/// What the ranks at positions [first, last] are called.
using Label = std::function<std::string(int first, int last)>;

CellPicture matrix(const CommGraph& guest, const std::vector<int>& positions, const Label& label) {
  CellPicture picture;
  const int ranks = guest.num_ranks();
  int block = 1, side = 1;
  std::vector<double> cells;
  for (const int most : {finest, coarser}) {
    block = std::max((ranks + most - 1) / most, 1);
    side = std::max((ranks + block - 1) / block, 1);
    cells = sums(guest, positions, block, side);
    if (std::count_if(cells.begin(), cells.end(), [](double x) { return x > 0; }) <= many_cells)
      break;
  }
  for (int i = 0; i < side; ++i)
    picture.row_names.push_back(label(i * block, std::min((i + 1) * block, ranks) - 1));
  picture.column_names = picture.row_names;
  if (block > 1) picture.caption = fmt::format("A cell is the sum over {0} x {0} ranks.", block);
  picture.panels.push_back({"", side, side, std::move(cells), {}});
  picture.row_axis = "sender";
  picture.column_axis = "receiver";
  return picture;
}

std::string range_text(const std::string& first, const std::string& last) {
  return first == last ? first : fmt::format("{} \xE2\x80\xA6 {}", first, last);
}

}  // namespace

std::vector<double> values_of(const CellPicture& picture) {
  std::vector<double> values;
  for (const CellPanel& panel : picture.panels)
    values.insert(values.end(), panel.values.begin(), panel.values.end());
  return values;
}

Figure draw_cells(const CellPicture& picture, const ValueScale& scale) {
  std::string caption = picture.caption;
  if (scale.is_logarithmic())
    caption += caption.empty() ? "Logarithmic scale." : " Logarithmic scale.";
  return {picture.name,
          picture.title,
          caption,
          "cells",
          svg_of(picture, scale),
          data_of(picture, scale),
          csv_of(picture, scale.unit())};
}

CellPicture traffic_by_rank(const CommGraph& guest) {
  std::vector<int> positions(static_cast<std::size_t>(guest.num_ranks()));
  std::iota(positions.begin(), positions.end(), 0);
  CellPicture picture = matrix(guest, positions, [](int first, int last) {
    return first == last ? fmt::format("rank {}", first)
                         : fmt::format("ranks {}\xE2\x80\x93{}", first, last);
  });
  picture.name = "traffic-by-rank";
  picture.title = "Traffic in the order of ranks";
  return picture;
}

CellPicture traffic_by_host(const CommGraph& guest, const Network& network,
                            const Embedding& embedding) {
  std::vector<Rank> order = all_ranks(guest.num_ranks());
  std::stable_sort(order.begin(), order.end(),
                   [&](Rank a, Rank b) { return embedding.host_of(a) < embedding.host_of(b); });
  std::vector<int> positions(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) positions[index(order[p])] = narrow<int>(p);
  CellPicture picture = matrix(guest, positions, [&](int first, int last) {
    const auto name = [&](int position) {
      const Rank rank = order[static_cast<std::size_t>(position)];
      return fmt::format("{} (rank {})", network.host_name(embedding.host_of(rank)), number(rank));
    };
    return range_text(name(first), name(last));
  });
  picture.name = "traffic-by-host";
  picture.title = "Traffic in the order of hosts";
  return picture;
}

}  // namespace vtopo::detail
