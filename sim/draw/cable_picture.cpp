#include "sim/draw/cable_picture.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/draw/value_scale.hpp"
#include "sim/report/csv_cells.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_cables = 2048;
constexpr int max_links = 3 * static_cast<int>(max_cables);  // not all of them are drawn

/// Cables by load, the heaviest last.
std::vector<std::size_t> drawing_order(const std::vector<CableLoad>& loads) {
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return loads[a].seconds() < loads[b].seconds();
  });
  return order;
}

void put_cables(SvgElement& svg, const NetworkPicture& layout, const std::vector<CableLoad>& loads,
                const ValueScale& scale, double width) {
  svg.put(R"~(<g class="cables" fill="none" stroke-linecap="round" stroke-width="{:.1f}">)~",
          width);
  for (const std::size_t c : drawing_order(loads))
    svg.put(R"~(<path class="l{}" data-i="{}" d="{}"/>)~", scale.level(loads[c].seconds()), c,
            layout.cables[c].path);
  svg.put("</g>");
}

std::string svg_of(const NetworkPicture& layout, const std::vector<CableLoad>& loads,
                   const ValueScale& scale) {
  constexpr double least_width = 380, letters_across = 46, left = 8;
  const double size = std::clamp(layout.width / letters_across, 13.0, 30.0);
  const double width = std::max(layout.width, least_width);
  SvgElement svg(width, layout.height + 4 * size, "Load of links");
  put_cables(svg, layout, loads, scale, layout.cables.size() > 800 ? 3 : 4);
  const double radius = layout.cables.size() > 800 ? 2 : 3.5;
  for (const DrawnVertex& vertex : layout.vertices)
    svg.put(R"~(<circle class="vertex" cx="{:.1f}" cy="{:.1f}" r="{}"/>)~", vertex.at.x,
            vertex.at.y, radius);
  for (const DrawnText& text : layout.texts)
    svg.put_text(text.centred ? text.at.x : left, text.at.y - (text.centred ? 4 : 0), text.text,
                 fmt::format(R"~(font-size="{:.1f}"{})~", size,
                             text.centred ? R"~( text-anchor="middle")~" : ""));
  put_legend(svg, scale, 40, layout.height, size);
  return std::move(svg).text();
}

Json direction(const Network& network, LinkId link, const LinkLoad& load) {
  return {network.link_name(link), load.traffic.value, load.flows, load.congestion.value};
}

/// Per cable one or two directions: name, bytes, flows, seconds.
std::string data_of(const NetworkPicture& layout, const Network& network,
                    const std::vector<CableLoad>& loads) {
  Json cables = Json::array();
  for (std::size_t c = 0; c < loads.size(); ++c) {
    Json cable = Json::array({direction(network, layout.cables[c].forth, loads[c].forth)});
    if (layout.cables[c].back)
      cable.push_back(direction(network, *layout.cables[c].back, loads[c].back));
    cables.push_back(std::move(cable));
  }
  const Json object = {{"cables", std::move(cables)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

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

}  // namespace

std::optional<NetworkPicture> drawable_layout(const Network& network) {
  if (network.num_links() > max_links || !network.layout()) return std::nullopt;
  NetworkPicture layout = lay_out(network);
  if (layout.cables.size() > max_cables || layout.cables.empty()) return std::nullopt;
  // The load of one of several cables would pass for that of all.
  const bool is_grouped = std::any_of(layout.cables.begin(), layout.cables.end(),
                                      [](const DrawnCable& cable) { return cable.cables > 1; });
  if (is_grouped) return std::nullopt;
  return layout;
}

std::vector<CableLoad> cable_loads(const NetworkPicture& layout, const Metrics& metrics) {
  std::vector<CableLoad> loads;
  for (const DrawnCable& cable : layout.cables)
    loads.push_back({metrics.links[index(cable.forth)],
                     cable.back ? metrics.links[index(*cable.back)] : LinkLoad{}});
  return loads;
}

Figure draw_cable_loads(const NetworkPicture& layout, const Network& network,
                        const std::vector<CableLoad>& loads, const ValueScale& scale) {
  std::string caption = "A stroke is a cable in the colour of its busier direction.";
  for (const std::string& line : layout.caption) caption += fmt::format(" {}.", line);
  return {"links",
          "Load of links: time to carry their bytes",
          caption,
          "cables",
          svg_of(layout, loads, scale),
          data_of(layout, network, loads),
          csv_of(layout, network, loads)};
}

}  // namespace vtopo::detail
