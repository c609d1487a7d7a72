#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "netmodels/platform/platform_zones.hpp"
#include "sim/draw/network/layouts.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

constexpr double title_height = 24, zone_pad = 14, zone_gap = 18, router_pitch = 60, row = 34;
constexpr double host_row = 24, bus_height = 26, letter = 7;
constexpr double cable_room = 34;  // above zones, for cables that pass some of them
constexpr std::size_t max_buses = 8, max_labelled_hosts = 48, max_line_labels = 40;
constexpr std::size_t many_hosts = 4096, few_of_many = 64;
constexpr double plane_gap = 26, stroke = 8;  // of tori: between planes, of what leads around

struct Extent {
  double width = 0, height = 0;
};

/// Hosts of a torus: planes of its first two dimensions, side by side.
struct GridPlanes {
  std::size_t columns = 1, rows = 1, planes = 1, across = 1;
  double pitch = 1, row = 1;  ///< between hosts

  GridPlanes(const std::vector<int>& sizes, double host_pitch, double row_pitch)
      : pitch(std::max(host_pitch, 20.0)), row(std::max(row_pitch, 20.0)) {
    columns = index(sizes[0]);
    if (sizes.size() > 1) rows = index(sizes[1]);
    for (std::size_t d = 2; d < sizes.size(); ++d) planes *= index(sizes[d]);
    constexpr double shape = 1.8;  // wider than high
    across = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(std::sqrt(
                                         shape * double(planes) * plane_height() / plane_width()))),
                                     1, planes);
    const std::size_t down = (planes + across - 1) / across;
    across = (planes + down - 1) / down;  // as many in each row
  }
  double plane_width() const { return pitch * double(columns) + plane_gap; }
  double plane_height() const { return row * double(rows) + plane_gap; }
  Extent extent() const {
    return {plane_width() * double(across),
            plane_height() * double((planes + across - 1) / across)};
  }
  /// Of a host, from the upper left corner.
  Point place(std::size_t host) const {
    const std::size_t plane = host / (columns * rows), in_plane = host % (columns * rows);
    return {plane_width() * double(plane % across) + plane_gap / 2 +
                pitch * (double(in_plane % columns) + 0.5),
            plane_height() * double(plane / across) + plane_gap / 2 +
                row * (double(in_plane / columns) + 0.5)};
  }
  /// Of a cable between two hosts of the torus: a line between neighbours, strokes at both ends of
  /// what leads around, slanted ones of what leads to another plane.
  std::string path(Point from, Point to, std::size_t a, std::size_t b) const {
    const std::size_t plane = columns * rows;
    const auto apart = [](std::size_t x, std::size_t y) { return x > y ? x - y : y - x; };
    const std::size_t over = apart(a % columns, b % columns);
    const std::size_t down = apart(a % plane / columns, b % plane / columns);
    if (a / plane == b / plane && over + down == 1) return line_path(from, to);
    Point out{stroke * 0.8, -stroke * 0.8};
    if (a / plane == b / plane)
      out = over > 0 ? Point{std::copysign(stroke, from.x - to.x), 0}
                     : Point{0, std::copysign(stroke, from.y - to.y)};
    else if (a > b)
      out = {-out.x, -out.y};
    return line_path(from, {from.x + out.x, from.y + out.y}) +
           line_path(to, {to.x - out.x, to.y - out.y});
  }
};

/// Zones as boxes in each other, their names at the bottom, cables above: backbones and links of
/// which only the zone is known on top, then routers, hosts as a grid, and the zones inside.
class ZonePicture {
 public:
  ZonePicture(const Network& network, const std::vector<PlatformZone>& zones, const JobPart& part)
      : network_(network), zones_(zones), part_(part), content_(zones.size()) {
    for (std::size_t z = 0; z < zones.size(); ++z) {
      for (const std::string& host : zones[z].hosts) zone_of_name_.emplace(host, narrow<int>(z));
      for (const std::string& link : zones[z].links) zone_of_link_.emplace(link, narrow<int>(z));
      if (zones[z].parent >= 0) content_[index(zones[z].parent)].children.push_back(narrow<int>(z));
    }
    const auto hosts = index(network.num_hosts());
    for (std::size_t h = 0; h < hosts; ++h) {
      const auto zone = zone_of_name_.find(network.host_name(id_at<HostId>(h)));
      zone_of_vertex_.push_back(zone == zone_of_name_.end() ? 0 : zone->second);
      content_[index(zone_of_vertex_.back())].hosts.push_back(narrow<int>(h));
    }
    find_routers_and_buses();
    is_labelled_ = hosts <= max_labelled_hosts;
    std::size_t longest = 2;
    for (std::size_t h = 0; is_labelled_ && h < hosts; ++h)
      longest = std::max(longest, network.host_name(id_at<HostId>(h)).size());
    host_pitch_ = is_labelled_    ? std::clamp(letter * double(longest) + 16, 34.0, 220.0)
                  : part.is_all() ? 16
                                  : 22;
  }

  NetworkPicture picture() {
    double x = zone_pad, high = 0;
    for (std::size_t z = 0; z < zones_.size(); ++z)
      if (zones_[z].parent < 0) {
        const Extent size = extent_of(narrow<int>(z));
        place(narrow<int>(z), {x, zone_pad}, size);
        x += size.width + zone_gap;
        high = std::max(high, size.height);
      }
    picture_.width = x - zone_gap + zone_pad;
    picture_.height = high + 2 * zone_pad;
    draw_cables(
        network_, part_, [this](const auto& from, const auto& to) { return path(from, to); },
        picture_);
    label_cables();
    picture_.caption.push_back(
        "A box is a zone; full marks are hosts, empty ones routers and switches");
    if (!grids_.empty())
      picture_.caption.push_back(
          "Tori as planes; strokes lead around, slanted ones to other planes");
    if (unused_ > 0)
      picture_.caption.push_back(fmt::format("Not drawn, as no route uses them: {} of tori",
                                             counted(index(unused_), "directed link")));
    if (left_out_ > 0)
      picture_.caption.push_back(
          fmt::format("{} hosts and routers are not drawn", grouped_digits(left_out_)));
    if (hidden_names_ > 0)
      picture_.caption.push_back(
          fmt::format("Without room for their names: {}", counted(index(hidden_names_), "link")));
    if (hidden_buses_ > 0)
      picture_.caption.push_back(
          fmt::format("{} more links of which no ends are known", grouped_digits(hidden_buses_)));
    // Lines of links without ends come last, so that they lie on top.
    for (DrawnCable& bus : buses_) picture_.cables.push_back(std::move(bus));
    return std::move(picture_);
  }

 private:
  struct Content {
    std::vector<int> hosts, routers, children;
    std::vector<LinkId> buses;  ///< links without ends
  };

  int zone_of_link(const std::string& name) const {
    for (const std::string_view end : {"", "_UP", "_DOWN"}) {
      if (!name.ends_with(end)) continue;
      const auto zone = zone_of_link_.find(name.substr(0, name.size() - end.size()));
      if (zone != zone_of_link_.end()) return zone->second;
    }
    return -1;
  }

  /// By the names that SimGrid gives. Routes report no ends of the second cable of a ring of two.
  bool is_of_grid(const std::string& link) const {
    return std::any_of(zones_.begin(), zones_.end(), [&](const PlatformZone& zone) {
      return !zone.grid.empty() && link.starts_with(zone.name + "_link_from_");
    });
  }

  void find_routers_and_buses() {
    std::map<int, std::map<int, int>> votes;  // of each router: zones of what it is joined to
    const int hosts = network_.num_hosts();
    for (int l = 0; l < network_.num_links(); ++l) {
      const auto sides = network_.link_sides(LinkId{l});
      const int declared = zone_of_link(network_.link_name(LinkId{l}));
      if (!sides && declared < 0 && is_of_grid(network_.link_name(LinkId{l}))) {
        ++unused_;
        continue;
      }
      if (!sides || sides->from == sides->to) {
        content_[index(std::max(declared, 0))].buses.push_back(LinkId{l});
        continue;
      }
      for (const auto& [one, other] :
           {std::pair(sides->from, sides->to), {sides->to, sides->from}}) {
        if (one < hosts) continue;
        auto& own = votes[one];
        if (other < hosts) own[zone_of_vertex_[index(other)]] += 2;
        if (declared >= 0) ++own[declared];
      }
    }
    for (const auto& [vertex, zones] : votes) {
      const auto most = std::max_element(zones.begin(), zones.end(),
                                         [](auto& a, auto& b) { return a.second < b.second; });
      content_[most == zones.end() ? 0 : index(most->first)].routers.push_back(vertex);
    }
  }

  /// Whether the job has anything in the zone or in one inside it.
  bool is_used(int zone) const {
    const Content& content = content_[index(zone)];
    const auto has = [&](int vertex) { return part_.has(vertex); };
    return std::any_of(content.hosts.begin(), content.hosts.end(), has) ||
           std::any_of(content.routers.begin(), content.routers.end(), has) ||
           std::any_of(content.children.begin(), content.children.end(),
                       [&](int child) { return is_used(child); });
  }

  std::size_t hosts_inside(int zone) const {
    std::size_t hosts = content_[index(zone)].hosts.size();
    for (const int child : content_[index(zone)].children) hosts += hosts_inside(child);
    return hosts;
  }

  std::string title(int zone) const {
    const std::size_t hosts = hosts_inside(zone);
    return zones_[index(zone)].name + (hosts > 0 ? ": " + counted(hosts, "host") : "");
  }

  std::size_t drawn_hosts(int zone) const {
    const std::size_t count = content_[index(zone)].hosts.size();
    return index(network_.num_hosts()) > many_hosts ? std::min(count, few_of_many) : count;
  }

  std::optional<GridPlanes> grid_of_hosts(int zone) const {
    const auto& sizes = zones_[index(zone)].grid;
    const std::size_t hosts = content_[index(zone)].hosts.size();
    if (sizes.empty() || drawn_hosts(zone) < zones_[index(zone)].hosts.size() ||
        hosts != zones_[index(zone)].hosts.size())
      return std::nullopt;
    return GridPlanes(sizes, host_pitch_, row_of_hosts());
  }

  void place_grid(int zone, const GridPlanes& grid, Point corner) {
    const auto& hosts = content_[index(zone)].hosts;
    for (std::size_t h = 0; h < hosts.size(); ++h) {
      const Point inside = grid.place(h), at{corner.x + inside.x, corner.y + inside.y};
      add_vertex(hosts[h], at);
      place_in_grid_.emplace(hosts[h], std::pair(zone, h));
      if (is_labelled_ && part_.is_all())
        picture_.texts.push_back({{at.x + 5, at.y + 13}, network_.vertex_name(hosts[h]), false});
    }
    if (!hosts.empty() && !grids_.contains(zone)) grids_.emplace(zone, grid);
  }

  static std::size_t columns_of(std::size_t count, double shape) {
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(std::sqrt(double(count) * shape))));
  }
  std::size_t host_columns(int zone) const {
    return columns_of(drawn_hosts(zone), 3 * host_row / host_pitch_);
  }

  /// Sizes of the columns and rows of the zones inside.
  std::pair<std::vector<double>, std::vector<double>> grid_of_children(int zone) const {
    const auto& children = content_[index(zone)].children;
    if (children.empty()) return {};
    const std::size_t across = columns_of(children.size(), 1.4);
    std::vector<double> widths(std::min(across, children.size()), 0);
    std::vector<double> heights((children.size() + across - 1) / across, 0);
    for (std::size_t c = 0; c < children.size(); ++c) {
      const Extent size = extent_of(children[c]);
      widths[c % across] = std::max(widths[c % across], size.width);
      heights[c / across] = std::max(heights[c / across], size.height);
    }
    return {widths, heights};
  }

  static double sum(const std::vector<double>& sizes) {
    double total = 0;
    for (const double size : sizes) total += size + zone_gap;
    return total;
  }

  Extent extent_of(int zone) const {
    const Content& content = content_[index(zone)];
    Extent size{letter * double(title(zone).size()) + 2 * zone_pad, title_height + zone_pad};
    if (!is_used(zone) && !part_.is_all()) return {size.width, title_height + 4};
    const auto wider = [&](double width) {
      size.width = std::max(size.width, width + 2 * zone_pad);
    };
    size.height += room_above(zone);
    if (!content.buses.empty()) {
      wider(220);
      size.height += bus_height * double(std::min(content.buses.size(), max_buses));
    }
    if (!content.routers.empty()) {
      const std::size_t across = columns_of(content.routers.size(), 6);
      wider(router_pitch * double(std::min(across, content.routers.size())));
      size.height += row * double((content.routers.size() + across - 1) / across);
    }
    if (const auto grid = grid_of_hosts(zone)) {
      wider(grid->extent().width);
      size.height += grid->extent().height;
    } else if (const std::size_t hosts = drawn_hosts(zone); hosts > 0) {
      const std::size_t across = host_columns(zone);
      wider(host_pitch_ * double(std::min(across, hosts)));
      size.height += row_of_hosts() * double((hosts + across - 1) / across) + 10;
    }
    const auto [widths, heights] = grid_of_children(zone);
    if (!widths.empty()) {
      wider(sum(widths) - zone_gap);
      size.height += sum(heights);
    }
    return size;
  }

  double room_above(int zone) const {
    constexpr std::size_t fewest_passed = 3;
    const Content& content = content_[index(zone)];
    return std::max(content.children.size(), content.routers.size()) < fewest_passed ? 0
                                                                                     : cable_room;
  }

  double row_of_hosts() const { return is_labelled_ ? 1.5 * host_row : host_row * 0.75; }

  void add_vertex(int vertex, Point at) {
    picture_.vertices.push_back(
        {vertex, vertex < network_.num_hosts(), at, network_.vertex_name(vertex)});
  }

  void place(int zone, Point corner, Extent size) {
    const Content& content = content_[index(zone)];
    picture_.boxes.push_back({corner, size.width, size.height});
    picture_.texts.push_back(
        {{corner.x + size.width / 2, corner.y + size.height - 9}, title(zone), true});
    if (!is_used(zone) && !part_.is_all()) return;
    const double left = corner.x + zone_pad, wide = size.width - 2 * zone_pad;
    double y = corner.y + zone_pad + room_above(zone);
    for (std::size_t b = 0; b < std::min(content.buses.size(), max_buses); ++b) {
      const LinkId link = content.buses[b];
      buses_.push_back({link, std::nullopt, network_.link_class(link),
                        line_path({left, y + bus_height - 6}, {left + wide, y + bus_height - 6})});
      picture_.texts.push_back({{left + wide / 2, y + bus_height - 11}, link_label(link), true});
      y += bus_height;
    }
    hidden_buses_ += narrow<int>(content.buses.size() - std::min(content.buses.size(), max_buses));
    const auto put = [&](const std::vector<int>& vertices, std::size_t count, std::size_t across,
                         double step, double high, bool labelled, bool labelled_rows = false) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t in_row = std::min(across, count - i / across * across);
        const Point at{left + wide / 2 + step * (double(i % across) - (double(in_row) - 1) / 2),
                       y + high / 2 + high * double(i / across)};
        add_vertex(vertices[i], at);
        if (labelled_rows && i >= across)
          aisles_.emplace(vertices[i], Point{at.x - step / 2, y + high / 2 - 13});
        if (labelled)
          picture_.texts.push_back({{at.x, at.y + 17}, network_.vertex_name(vertices[i]), true});
      }
      left_out_ += narrow<int>(vertices.size() - count);
      y += count == 0 ? 0 : high * double((count + across - 1) / across);
    };
    const std::size_t routers = content.routers.size();
    put(content.routers, routers, columns_of(routers, 6), router_pitch, row, false);
    if (const auto grid = grid_of_hosts(zone)) {
      place_grid(zone, *grid, {left + (wide - grid->extent().width) / 2, y});
      y += grid->extent().height;
    } else {
      put(content.hosts, drawn_hosts(zone), host_columns(zone), host_pitch_, row_of_hosts(),
          is_labelled_ && part_.is_all(), is_labelled_);
    }
    y += content.hosts.empty() ? 0 : 10;
    const auto [widths, heights] = grid_of_children(zone);
    double x = left + (wide - sum(widths) + zone_gap) / 2, start = x;
    for (std::size_t c = 0; c < content.children.size(); ++c) {
      const std::size_t column = c % widths.size(), line = c / widths.size();
      const Extent inner = extent_of(content.children[c]);
      place(content.children[c], {x + (widths[column] - inner.width) / 2, y}, inner);
      x += widths[column] + zone_gap;
      if (column + 1 < widths.size()) continue;
      x = start;
      y += heights[line] + zone_gap;
    }
  }

  std::string link_label(LinkId link, bool both_ways = false) const {
    std::string name = network_.link_name(link);
    for (const std::string_view way : {"_UP", "_DOWN"})
      if (both_ways && name.ends_with(way)) name.resize(name.size() - way.size());
    return fmt::format("{}, {}", name, format_bandwidth(network_.link(link).bandwidth));
  }

  /// Straight; to a host below others down between them, so that it crosses no name; past a vertex
  /// an arc.
  std::string path(const DrawnVertex& from, const DrawnVertex& to) const {
    const auto one = place_in_grid_.find(from.vertex), other = place_in_grid_.find(to.vertex);
    if (one != place_in_grid_.end() && other != place_in_grid_.end() &&
        one->second.first == other->second.first)
      return grids_.at(one->second.first)
          .path(from.at, to.at, one->second.second, other->second.second);
    for (const auto& [host, router] : {std::pair(&from, &to), {&to, &from}}) {
      const auto aisle = aisles_.find(host->vertex);
      if (aisle == aisles_.end() || router->vertex < network_.num_hosts()) continue;
      if (router->at.y > aisle->second.y) continue;
      constexpr int lanes = 3;
      return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}V{:.1f}H{:.1f}", router->at.x, router->at.y,
                         aisle->second.x + 2.5 * (router->vertex % lanes - 1), aisle->second.y,
                         host->at.y, host->at.x);
    }
    const double bend = bend_of(from.at, to.at);
    return bend == 0 ? line_path(from.at, to.at) : arc_path(from.at, to.at, bend);
  }

  /// Of a cable with a vertex on its way: upwards, or to the right if it leads down.
  double bend_of(Point from, Point to) const {
    constexpr double near = 7, least_rise = 26, rise_of_length = 0.05, most_rise = 70;
    constexpr std::size_t many = 600;
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length == 0 || picture_.vertices.size() > many) return 0;
    const bool is_free =
        std::none_of(picture_.vertices.begin(), picture_.vertices.end(), [&](auto& vertex) {
          const double x = vertex.at.x - from.x, y = vertex.at.y - from.y;
          const double along = (x * dx + y * dy) / length, aside = (x * dy - y * dx) / length;
          return along > near && along < length - near && std::abs(aside) < near;
        });
    if (is_free) return 0;
    const double rise = std::min(least_rise + rise_of_length * length, most_rise);
    return -std::copysign(2 * rise / length, std::abs(dx) < 1 ? dy : dx);
  }

  /// Whether words around a point would lie on others, on a vertex, or outside of the picture.
  bool is_taken(Point at, const std::string& words, const std::vector<DrawnText>& labels) const {
    constexpr double high = 13, mark = 7;
    const auto half = [](const std::string& text) { return 0.47 * letter * double(text.size()); };
    const double wide = half(words) + 2;
    const auto covers = [&](const DrawnText& text) {
      return std::abs(text.at.y - at.y) < high &&
             std::abs(text.at.x - at.x) < wide + half(text.text);
    };
    return at.x < wide || at.x > picture_.width - wide ||
           std::any_of(labels.begin(), labels.end(), covers) ||
           std::any_of(picture_.texts.begin(), picture_.texts.end(), covers) ||
           std::any_of(picture_.vertices.begin(), picture_.vertices.end(), [&](auto& vertex) {
             return std::abs(vertex.at.y - at.y + 4) < mark + high / 2 - 2 &&
                    std::abs(vertex.at.x - at.x) < wide;
           });
  }

  /// Names of the links between routers, where they are few and there is room.
  void label_cables() {
    std::unordered_map<int, Point> at;
    for (const DrawnVertex& vertex : picture_.vertices) at.emplace(vertex.vertex, vertex.at);
    std::vector<DrawnText> labels;
    int hidden = 0;
    std::size_t count = 0;
    for (const DrawnCable& cable : picture_.cables) {
      const auto sides = network_.link_sides(cable.forth);
      if (sides->from < network_.num_hosts() || sides->to < network_.num_hosts()) continue;
      const Point from = at[sides->from], to = at[sides->to];
      const double bend = bend_of(from, to), dx = to.x - from.x, dy = to.y - from.y;
      const std::string words = link_label(cable.forth, cable.back.has_value());
      const std::size_t before = labels.size();
      for (const double share : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8}) {
        const double aside = 2 * share * (1 - share) * bend;  // on the arc
        for (const double above : {9.0, -15.0}) {
          const Point place{from.x + share * dx - aside * dy,
                            from.y + share * dy + aside * dx - above};
          if (labels.size() > before || is_taken(place, words, labels)) continue;
          labels.push_back({place, words, true});
        }
      }
      if (labels.size() == before) ++hidden;
      if (++count > max_line_labels) return;
    }
    hidden_names_ = hidden;
    picture_.texts.insert(picture_.texts.end(), labels.begin(), labels.end());
  }

  const Network& network_;
  const std::vector<PlatformZone>& zones_;
  const JobPart& part_;
  NetworkPicture picture_;
  std::vector<Content> content_;  ///< of each zone
  std::unordered_map<std::string, int> zone_of_name_, zone_of_link_;
  std::vector<int> zone_of_vertex_;  ///< of hosts
  std::vector<DrawnCable> buses_;
  std::map<int, GridPlanes> grids_;                                     ///< by zone
  std::unordered_map<int, std::pair<int, std::size_t>> place_in_grid_;  ///< zone and host of it
  std::unordered_map<int, Point> aisles_;  ///< upper ends of the ways down to hosts below others
  double host_pitch_ = host_row;
  bool is_labelled_ = false;
  int left_out_ = 0, unused_ = 0, hidden_buses_ = 0, hidden_names_ = 0;
};

}  // namespace

std::optional<NetworkPicture> lay_out_zones(const Network& network, const JobPart& part) {
  constexpr std::string_view extension = ".xml";  // what is edited says more behind it
  const std::string words = network.description();
  const std::size_t end = words.find(extension);
  const auto zones =
      platform_zones(end == words.npos ? words : words.substr(0, end + extension.size()));
  if (zones.empty()) return std::nullopt;
  return ZonePicture(network, zones, part).picture();
}

}  // namespace vtopo::detail
