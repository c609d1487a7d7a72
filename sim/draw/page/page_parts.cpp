#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

#include "sim/draw/markup.hpp"
#include "sim/draw/network/layouts.hpp"
#include "sim/draw/page/page_parts.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_page_vertices = 600;
constexpr std::size_t max_page_cables = 2048;

/// Vertices and cables; those without positions are placed by the page.
struct DrawnPart {
  NetworkPicture picture;
  bool placed = true;
  bool is_whole = true;
};

/// Part of the network, group or level, that the page keeps together.
int part_of(const Network& network, int vertex) {
  const auto layout = network.layout();
  if (!layout) return -1;
  if (const auto* groups = std::get_if<GroupLayout>(&*layout))
    return vertex < groups->first_router ? -1 : groups->group_of(vertex - groups->first_router);
  if (const auto* levels = std::get_if<LevelLayout>(&*layout)) {
    int end = 0;
    for (std::size_t level = 0; level < levels->levels.size(); ++level)
      if (vertex < (end += levels->levels[level].vertices)) return static_cast<int>(level);
  }
  return -1;
}

/// The links that carry something in one of the rows; nothing if a row does not say.
std::set<LinkId> used_in(const PictureSource& source, const std::vector<std::size_t>& rows) {
  std::set<LinkId> used;
  for (const std::size_t r : rows) {
    if (source.rows()[r].used.empty()) return {};
    for (const auto& [link, load] : source.rows()[r].used) used.insert(link);
  }
  return used;
}

std::set<LinkId> all_links(const Network& network) {
  std::set<LinkId> links;
  for (int l = 0; l < network.num_links(); ++l) links.insert(LinkId{l});
  return links;
}

/// Cables of these links, both directions in one, and the vertices at their ends; nothing if there
/// are too many, or ends are not known.
std::optional<NetworkPicture> part_with(const Network& network, const std::set<LinkId>& links) {
  NetworkPicture picture;
  std::set<int> vertices;
  std::map<std::tuple<int, int, int>, std::size_t> cables;  // ends, and which of parallel ones
  std::map<std::pair<int, int>, int> seen;
  for (const LinkId link : links) {
    const auto ends = network.link_sides(link);
    if (!ends) return std::nullopt;
    const auto [low, high] = std::minmax(ends->from, ends->to);
    const int parallel = seen[{ends->from, ends->to}]++;
    vertices.insert({low, high});
    const auto [entry, is_new] = cables.emplace(std::tuple{low, high, parallel}, cables.size());
    if (is_new)
      picture.cables.push_back({link, std::nullopt, network.link_class(link), ""});
    else
      picture.cables[entry->second].back = link;
    if (vertices.size() > max_page_vertices || cables.size() > max_page_cables) return std::nullopt;
  }
  for (const int vertex : vertices)
    picture.vertices.push_back(
        {vertex, vertex < network.num_hosts(), {}, network.vertex_name(vertex)});
  return picture;
}

std::optional<DrawnPart> choose_network(const PictureSource& source,
                                        const std::vector<std::size_t>& rows) {
  if (source.layout()) return DrawnPart{*source.layout()};
  const Network& network = source.network();
  if (network.num_links() <= static_cast<int>(2 * max_page_cables))
    if (auto whole = part_with(network, all_links(network)); whole && !whole->cables.empty())
      return DrawnPart{std::move(*whole), false};
  auto part = part_with(network, used_in(source, rows));
  if (!part || part->cables.empty()) return std::nullopt;
  return DrawnPart{std::move(*part), false, false};
}

double rounded(double value) {
  return std::round(value * 10) / 10;
}

Json vertices_of(const Network& network, const DrawnPart& drawn) {
  Json vertices = Json::array();
  for (const DrawnVertex& vertex : drawn.picture.vertices) {
    Json object = {{"id", vertex.vertex}, {"name", vertex.name}};
    if (vertex.is_host || vertex.vertex < network.num_hosts()) object["host"] = true;
    if (drawn.placed) {
      object["x"] = rounded(vertex.at.x);
      object["y"] = rounded(vertex.at.y);
    } else if (const int part = part_of(network, vertex.vertex); part >= 0) {
      object["part"] = part;
    }
    vertices.push_back(std::move(object));
  }
  return vertices;
}

/// Per cable the ids of its vertices, its path where it has one, and the names of its directions.
Json cables_of(const Network& network, const DrawnPart& drawn) {
  Json cables = Json::array();
  for (const DrawnCable& cable : drawn.picture.cables) {
    const auto ends = network.link_sides(cable.forth);
    Json names = Json::array({network.link_name(cable.forth)});
    if (cable.back) names.push_back(network.link_name(*cable.back));
    Json object = {{"from", ends->from}, {"to", ends->to}, {"names", std::move(names)}};
    if (drawn.placed) object["path"] = cable.path;
    cables.push_back(std::move(object));
  }
  return cables;
}

/// Where the groups of a network stand among its parts: their names; of levels their kinds.
Json part_names(const Network& network) {
  const auto layout = network.layout();
  Json names = Json::array();
  if (layout)
    if (const auto* groups = std::get_if<GroupLayout>(&*layout))
      for (int g = 0; g < groups->groups.size; ++g) names.push_back(groups->groups.label(g));
  return names;
}

Json direction_load(const LinkLoad& load) {
  return {load.traffic.value, load.flows, load.congestion.value};
}

/// One row: `loads` has per cable its index and those of one or two directions, idle ones left out.
Json row_of(const RowPictures& row, const DrawnPart& drawn) {
  const auto& cables = drawn.picture.cables;
  std::unordered_map<int, std::size_t> cable_of;  // of both directions
  for (std::size_t c = 0; c < cables.size(); ++c) {
    cable_of[number(cables[c].forth)] = c;
    if (cables[c].back) cable_of[number(*cables[c].back)] = c;
  }
  std::unordered_map<int, LinkLoad> load_of;
  for (const auto& [link, load] : row.used) load_of[number(link)] = load;
  Json loads = Json::array();
  for (std::size_t c = 0; c < cables.size(); ++c) {
    const LinkLoad forth = load_of[number(cables[c].forth)];
    const LinkLoad back = cables[c].back ? load_of[number(*cables[c].back)] : LinkLoad{};
    if (forth.flows == 0 && back.flows == 0) continue;
    Json entry = {c, direction_load(forth)};
    if (cables[c].back) entry.push_back(direction_load(back));
    loads.push_back(std::move(entry));
  }
  Json object = {{"loads", std::move(loads)}};
  object["hosts"] = Json::array();
  for (const HostId host : row.flows.host_of_rank) object["hosts"].push_back(number(host));
  Json flows = Json::array();
  for (const RoutedFlow& flow : row.flows.flows) {
    Json entry = {number(flow.source), number(flow.destination), flow.volume.value};
    for (const LinkId link : flow.links)
      if (const auto cable = cable_of.find(number(link)); cable != cable_of.end())
        entry.push_back(cable->second);
    flows.push_back(std::move(entry));
  }
  object["flows"] = std::move(flows);
  return object;
}

Json host_names(const PictureSource& source, const std::vector<std::size_t>& rows) {
  std::set<HostId> hosts;
  for (const std::size_t r : rows)
    for (const HostId host : source.rows()[r].flows.host_of_rank) hosts.insert(host);
  Json names = Json::object();
  for (const HostId host : hosts)
    names[std::to_string(number(host))] = source.network().host_name(host);
  return names;
}

}  // namespace

PageNetwork page_network(const PictureSource& source, const std::vector<std::size_t>& rows) {
  const auto chosen = choose_network(source, rows);
  const DrawnPart drawn = chosen.value_or(DrawnPart{});
  const Network& network = source.network();
  Json object = {{"hostNames", host_names(source, rows)}};
  object["placed"] = drawn.placed;
  object["width"] = drawn.picture.width;
  object["height"] = drawn.picture.height;
  object["parts"] = part_names(network);
  object["vertices"] = vertices_of(network, drawn);
  object["cables"] = cables_of(network, drawn);
  object["texts"] = Json::array();
  for (const DrawnText& text : drawn.picture.texts)
    object["texts"].push_back({rounded(text.at.x), rounded(text.at.y), text.text, text.centred});
  object["rows"] = Json::object();
  for (const std::size_t r : rows)
    object["rows"][std::to_string(r)] = row_of(source.rows()[r], drawn);
  PageNetwork result{script_json(object.dump(-1, ' ', false, Json::error_handler_t::replace)),
                     drawn.picture.cables.size(), drawn.picture.caption};
  if (!drawn.is_whole)
    result.caption.push_back(
        fmt::format("Drawn is what carries something under one of the mappers: {} cables and {} "
                    "vertices of a network of {} links and {} hosts",
                    drawn.picture.cables.size(), drawn.picture.vertices.size(),
                    grouped_digits(network.num_links()), grouped_digits(network.num_hosts())));
  return result;
}

std::string timeline_data(const DrawnTimeline& drawn, Seconds end) {
  constexpr double num_ticks = 1e8;  // finer than the largest zoom shows, and short in the page
  const double tick = end.value > 0 ? end.value / num_ticks : 1;
  nlohmann::ordered_json data = {{"most", end.value},
                                 {"tick", tick},
                                 {"ranks", nlohmann::ordered_json::array()},
                                 {"spans", nlohmann::ordered_json::array()}};
  for (const Rank rank : drawn.ranks) data["ranks"].push_back(number(rank));
  std::size_t lane = 0;
  for (const RankSpan& span : drawn.spans) {
    while (drawn.ranks[lane] != span.rank) ++lane;
    data["spans"].push_back({lane, static_cast<int>(span.kind),
                             std::llround(span.begin.value / tick),
                             std::llround(span.end.value / tick)});
  }
  return data.dump();
}

std::string timeline_caption(const DrawnTimeline& drawn) {
  std::string text =
      "A line is a rank. Messages: it waits for one that is on its way; waiting: for "
      "another rank to come.";
  if (drawn.ranks.size() < index(drawn.num_ranks))
    text += fmt::format(" Drawn are {} of {} ranks, evenly.", drawn.ranks.size(), drawn.num_ranks);
  if (drawn.merged.value > 0)
    text += fmt::format(" What is shorter than {} is drawn as what most of its time goes into.",
                        format_seconds(drawn.merged));
  return text;
}

}  // namespace vtopo::detail
