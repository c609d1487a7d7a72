#include "sim/draw/link_picture.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>
#include <set>
#include <unordered_map>

#include "sim/draw/network/layouts.hpp"
#include "sim/report/csv_cells.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_cables = 2048;
constexpr int max_whole = 3 * static_cast<int>(max_cables);  // links: not all of them are drawn
constexpr std::size_t max_named_ranks = 64;
constexpr double largest_side = 2500;  // pixels: a large screen

/// Cables by load, the heaviest last.
std::vector<std::size_t> drawing_order(const std::vector<CableLoad>& loads) {
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return loads[a].seconds() < loads[b].seconds();
  });
  return order;
}

/// `0-3,7`
std::string ranges_text(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0, end = 0; i < ranks.size(); i = end) {
    for (end = i + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (end > i + 1)
      text += fmt::format("{}{}", end == i + 2 ? "," : "\xE2\x80\x93", ranks[end - 1]);
  }
  return text;
}

/// Ranks of each host, of few ranks.
std::map<int, std::vector<int>> ranks_of_hosts(const RowPictures& row) {
  std::map<int, std::vector<int>> ranks;
  const auto& hosts = row.flows.host_of_rank;
  if (hosts.size() > max_named_ranks) return ranks;
  for (std::size_t r = 0; r < hosts.size(); ++r)
    ranks[number(hosts[r])].push_back(static_cast<int>(r));
  return ranks;
}

/// Draws one picture: what is laid out, in letters that stay legible when it is made smaller.
class LinkPicture {
 public:
  LinkPicture(const NetworkPicture& layout, const Network& network, const RowPictures& row,
              const std::vector<CableLoad>& loads, const ValueScale& scale)
      : layout_(layout),
        network_(network),
        row_(row),
        loads_(loads),
        scale_(scale),
        size_(std::clamp(layout.width / letters_across, 13.0, 30.0)),
        svg_(std::max(layout.width, least_width), layout.height + 5.6 * size_, "Load of links") {}

  std::string text() && {
    for (const DrawnBox& box : layout_.boxes)
      svg_.put(
          R"~(<rect class="zone" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="6"/>)~",
          box.corner.x, box.corner.y, box.width, box.height);
    put_cables();
    put_vertices();
    put_texts();
    put_worst();
    put_legend(svg_, scale_, 40, layout_.height + 2 * size_, size_);
    return std::move(svg_).text();
  }

 private:
  static constexpr double least_width = 400, letters_across = 46;

  void put_cables() {
    svg_.put(R"~(<g class="cables" fill="none" stroke-linecap="round" stroke-width="{:.1f}">)~",
             stroke());
    for (const std::size_t c : drawing_order(loads_))
      svg_.put(R"~(<path class="l{}" data-i="{}" d="{}"/>)~", scale_.level(loads_[c].seconds()), c,
               layout_.cables[c].path);
    svg_.put("</g>");
  }

  double stroke() const {
    const double large = std::max(1.0, size_ / 13);
    return large * (layout_.cables.size() > 800 ? 2.2 : layout_.cables.size() > 250 ? 3 : 4);
  }

  void put_vertices() {
    const auto ranks = ranks_of_hosts(row_);
    std::set<int> used;
    for (const HostId host : row_.flows.host_of_rank) used.insert(number(host));
    const double radius = layout_.cables.size() > 800 ? 2 : 3.5;
    svg_.put(R"~(<g class="vertices">)~");
    for (const DrawnVertex& vertex : layout_.vertices)
      svg_.put(R"~(<circle class="vertex{}" data-v="{}" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)~",
               used.contains(vertex.vertex) ? " host" : "", vertex.vertex, vertex.at.x, vertex.at.y,
               used.contains(vertex.vertex) ? radius : 0.6 * radius);
    svg_.put("</g>");
    if (ranks.empty()) return;
    svg_.put(R"~(<g class="ranks" font-size="{:.1f}" font-weight="bold">)~", 0.75 * size_);
    for (const DrawnVertex& vertex : layout_.vertices) {
      const auto at = ranks.find(vertex.vertex);
      if (at == ranks.end()) continue;
      const std::string words = ranges_text(at->second);
      const Point below{vertex.at.x - 0.25 * size_, vertex.at.y + 0.4 * size_};
      if (vertex.outwards) {
        const bool is_left = std::cos(*vertex.outwards * std::numbers::pi / 180) < 0;
        svg_.put_text(vertex.at.x + (is_left ? -6 : 6), vertex.at.y + 0.27 * size_, words,
                      fmt::format(R"~(class="name" transform="rotate({:.0f} {:.1f} {:.1f})"{})~",
                                  *vertex.outwards + (is_left ? 180 : 0), vertex.at.x, vertex.at.y,
                                  is_left ? R"~( text-anchor="end")~" : ""));
      } else if (has_room(vertex, 0.5 * size_ * double(words.size()) + 8))
        svg_.put_text(vertex.at.x + 4, vertex.at.y - 4, words, R"~(class="name")~");
      else  // downwards
        svg_.put_text(below.x, below.y, words,
                      fmt::format(R"~(class="name" transform="rotate(90 {:.1f} {:.1f})")~", below.x,
                                  below.y));
    }
    svg_.put("</g>");
  }

  /// Whether no vertex of its row is so near.
  bool has_room(const DrawnVertex& vertex, double width) const {
    return std::none_of(layout_.vertices.begin(), layout_.vertices.end(), [&](auto& other) {
      return other.vertex != vertex.vertex && std::abs(other.at.y - vertex.at.y) < 1 &&
             other.at.x > vertex.at.x && other.at.x - vertex.at.x < width;
    });
  }

  /// Words of a row that would lie one over the other, or be cut, are left out; the pointer has
  /// their names.
  void put_texts() {
    std::vector<std::pair<Point, double>> taken;
    for (const DrawnText& text : layout_.texts) {
      const Point at{text.centred ? text.at.x : 8, text.at.y - (text.centred ? 4 : 0)};
      const double half = 0.29 * size_ * double(text.text.size());
      const bool covers = text.centred && std::any_of(taken.begin(), taken.end(), [&](auto& other) {
                            return std::abs(other.first.y - at.y) < size_ &&
                                   std::abs(other.first.x - at.x) < half + other.second;
                          });
      const bool is_cut = text.centred && (at.x < half || at.x + half > layout_.width);
      if (covers || is_cut) continue;
      taken.emplace_back(at, half);
      svg_.put_text(at.x, at.y, text.text,
                    fmt::format(R"~(class="name" font-size="{:.1f}"{})~", size_,
                                text.centred ? R"~( text-anchor="middle")~" : ""));
    }
  }

  /// The link that takes longest, framed and named; it may be one that is not drawn.
  void put_worst() {
    const auto worst = std::max_element(
        row_.used.begin(), row_.used.end(),
        [](const auto& a, const auto& b) { return a.second.congestion < b.second.congestion; });
    if (worst == row_.used.end()) return;
    bool is_drawn = false;
    for (const DrawnCable& cable : layout_.cables)
      if (!is_drawn && (cable.forth == worst->first || cable.back == worst->first)) {
        is_drawn = true;
        svg_.put(R"~(<path class="worst" stroke-width="{:.1f}" stroke-dasharray="3 2" d="{}"/>)~",
                 0.4 * stroke(), cable.path);
        double x = 0, y = 0;
        if (std::sscanf(cable.path.c_str(), "M%lf %lf", &x, &y) == 2)
          svg_.put(
              R"~(<circle class="worst" stroke-width="2" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)~", x,
              y, 0.7 * size_);
      }
    svg_.put_text(
        8, layout_.height + size_,
        fmt::format("worst: {}, {}{}", network_.link_name(worst->first),
                    format_seconds(worst->second.congestion), is_drawn ? "" : " (not drawn)"),
        fmt::format(R"~(class="worst" font-size="{:.1f}")~", size_));
  }

  const NetworkPicture& layout_;
  const Network& network_;
  const RowPictures& row_;
  const std::vector<CableLoad>& loads_;
  const ValueScale& scale_;
  double size_;  ///< of letters
  SvgElement svg_;
};

std::string csv_of(const NetworkPicture& layout, const Network& network,
                   const std::vector<CableLoad>& loads) {
  std::string text = "link,bytes,flows,seconds\n";
  const auto line = [&](LinkId link, const LinkLoad& load) {
    text += fmt::format("{},{},{},{}\n", csv_text(network.link_name(link)), load.traffic.value,
                        load.flows, load.congestion.value);
  };
  for (std::size_t c = 0; c < loads.size(); ++c) {
    line(layout.cables[c].forth, loads[c].forth);
    if (layout.cables[c].back) line(*layout.cables[c].back, loads[c].back);
  }
  return text;
}

/// The links that carry something in one of the rows; nothing where a row does not say.
std::optional<std::vector<bool>> used_in(const PictureSource& source,
                                         const std::vector<std::size_t>& rows) {
  std::vector<bool> used(index(source.network().num_links()), false);
  bool any = false;
  for (const std::size_t r : rows) {
    for (const auto& [link, load] : source.rows()[r].used) used[index(link)] = any = true;
    if (source.rows()[r].used.empty() && source.network().num_links() > max_whole) return {};
  }
  if (!any) return {};
  return used;
}

Json direction_load(const LinkLoad& load) {
  return {load.traffic.value, load.flows, load.congestion.value};
}

Json row_data(const std::optional<NetworkPicture>& layout, const RowPictures& row) {
  Json object = {{"loads", Json::array()}, {"hosts", Json::array()}, {"flows", Json::array()}};
  std::unordered_map<int, std::size_t> cable_of;  // of both directions
  if (layout) {
    const auto loads = cable_loads(*layout, row);
    for (std::size_t c = 0; c < loads.size(); ++c) {
      const DrawnCable& cable = layout->cables[c];
      cable_of[number(cable.forth)] = c;
      if (cable.back) cable_of[number(*cable.back)] = c;
      if (loads[c].forth.flows == 0 && loads[c].back.flows == 0) continue;
      Json entry = {c, direction_load(loads[c].forth)};
      if (cable.back) entry.push_back(direction_load(loads[c].back));
      object["loads"].push_back(std::move(entry));
    }
  }
  for (const HostId host : row.flows.host_of_rank) object["hosts"].push_back(number(host));
  for (const RoutedFlow& flow : row.flows.flows) {
    Json entry = {number(flow.source), number(flow.destination), flow.volume.value};
    for (const LinkId link : flow.links)
      if (const auto cable = cable_of.find(number(link)); cable != cable_of.end())
        entry.push_back(cable->second);
    object["flows"].push_back(std::move(entry));
  }
  return object;
}

}  // namespace

std::optional<NetworkPicture> link_layout(const PictureSource& source,
                                          const std::vector<std::size_t>& rows) {
  const Network& network = source.network();
  auto used = used_in(source, rows);
  if (!used && network.num_links() > max_whole) return std::nullopt;
  const JobPart part = used ? job_part(network, std::move(*used)) : JobPart{};
  NetworkPicture layout = lay_out(network, part);
  if (layout.cables.size() > max_cables || layout.cables.empty()) return std::nullopt;
  if (std::max(layout.width, layout.height) > largest_side) return std::nullopt;
  // The load of one of several cables would pass for that of all.
  const bool is_grouped = std::any_of(layout.cables.begin(), layout.cables.end(),
                                      [](const DrawnCable& cable) { return cable.cables > 1; });
  if (is_grouped) return std::nullopt;
  return layout;
}

std::vector<CableLoad> cable_loads(const NetworkPicture& layout, const RowPictures& row) {
  std::unordered_map<int, LinkLoad> load_of;
  for (const auto& [link, load] : row.used) load_of[number(link)] = load;
  const auto load = [&](LinkId link) {
    const auto known = load_of.find(number(link));
    return known == load_of.end() ? LinkLoad{} : known->second;
  };
  std::vector<CableLoad> loads;
  for (const DrawnCable& cable : layout.cables)
    loads.push_back({load(cable.forth), cable.back ? load(*cable.back) : LinkLoad{}});
  return loads;
}

Figure draw_link_loads(const NetworkPicture& layout, const Network& network, const RowPictures& row,
                       const ValueScale& scale) {
  std::string caption = "A stroke is a cable in the colour of its busier direction.";
  if (!row.flows.host_of_rank.empty() && row.flows.host_of_rank.size() <= max_named_ranks)
    caption += " Numbers are ranks at their hosts.";
  for (const std::string& line : layout.caption) caption += fmt::format(" {}.", line);
  const auto loads = cable_loads(layout, row);
  double most = 0;
  for (const auto& load : loads) most = std::max(most, load.seconds());
  const Json data = {{"unit", "seconds"}, {"least", 0}, {"most", scale.most()}, {"largest", most}};
  return {"links",
          "Load of links: time to carry their bytes",
          caption,
          "links",
          LinkPicture(layout, network, row, loads, scale).text(),
          data.dump(),
          csv_of(layout, network, loads)};
}

std::string network_data(const std::optional<NetworkPicture>& layout, const PictureSource& source,
                         const std::vector<std::size_t>& rows) {
  const Network& network = source.network();
  Json object = {
      {"cables", Json::array()}, {"hostNames", Json::object()}, {"rows", Json::object()}};
  if (layout)
    for (const DrawnCable& cable : layout->cables) {
      Json names = Json::array({network.link_name(cable.forth)});
      if (cable.back) names.push_back(network.link_name(*cable.back));
      object["cables"].push_back(std::move(names));
    }
  for (const std::size_t r : rows) {
    const RowPictures& row = source.rows()[r];
    object["rows"][std::to_string(r)] = row_data(layout, row);
    for (const HostId host : row.flows.host_of_rank)
      object["hostNames"][std::to_string(number(host))] = network.host_name(host);
  }
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vtopo::detail
