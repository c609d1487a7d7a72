#include "sim/draw/network/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

#include "netmodels/links.hpp"
#include "sim/draw/markup.hpp"
#include "sim/draw/network/layouts.hpp"
#include "sim/draw/network/sketch.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {
namespace {

/// Names of the ends of a cable, the smaller vertex first, and which of several between them.
struct CableKey {
  int low, high, duplicate;
  auto operator<=>(const CableKey&) const = default;
};

/// Ends of a cable that lies `aside` of the first of parallel ones; the same for both directions.
std::pair<DrawnVertex, DrawnVertex> shifted(DrawnVertex from, DrawnVertex to, double aside) {
  const bool upwards = from.vertex < to.vertex;
  const double dx = upwards ? to.at.x - from.at.x : from.at.x - to.at.x;
  const double dy = upwards ? to.at.y - from.at.y : from.at.y - to.at.y;
  const double length = std::hypot(dx, dy);
  if (aside > 0 && length > 0)
    for (Point* at : {&from.at, &to.at}) {
      at->x -= aside * dy / length;
      at->y += aside * dx / length;
    }
  return {from, to};
}

constexpr int max_links = 2000;
constexpr std::size_t max_attached = 256;

/// Of the ring on which so many hosts stand around their router.
double ring_radius(std::size_t hosts) {
  constexpr double least = 17, apart = 11, share_of_circle = 0.85;
  return std::max(least, apart * double(hosts) / (2 * std::numbers::pi * share_of_circle));
}

std::string dot_quoted(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// Two vertices, the smaller one first, and the bandwidth of a link between them.
using Connection = std::tuple<int, int, double>;

constexpr double line_height = 20;
constexpr double legend_entry = 26;

/// Colours that colour-blind people tell apart (Okabe and Ito, 2008), for kinds of links.
constexpr std::array<std::string_view, 6> palette{"#0072B2", "#E69F00", "#009E73",
                                                  "#CC79A7", "#56B4E9", "#8C8C8C"};
constexpr std::string_view failed_colour = "#D55E00";

/// Kinds that are called by a colour.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> namesakes{
    {{"green", "#009E73"}, {"black", "#777777"}, {"blue", "#0072B2"}}};

bool is_failed(const LinkRanges& kind) {
  return kind.name.ends_with(", failed");
}

/// Colours of rails, which then no kind of links has; from the ninth on they come again.
constexpr std::array<std::string_view, 8> rail_palette{"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                       "#56B4E9", "#7B3294", "#C8B400", "#8C510A"};
constexpr std::array<std::string_view, 2> greys{"#777777", "#AAAAAA"};

/// Attributes of strokes, one entry per kind.
std::vector<std::string> strokes_of(const std::vector<LinkRanges>& classes, bool has_rails) {
  std::vector<std::string> strokes;
  std::size_t next = 0;
  for (const LinkRanges& kind : classes) {
    std::string_view colour;
    for (const auto& [name, value] : namesakes)
      if (kind.name.starts_with(name)) colour = value;
    if (is_failed(kind))
      colour = failed_colour;
    else if (has_rails)
      colour = greys[next++ % greys.size()];
    else if (colour.empty())
      colour = palette[next++ % palette.size()];
    strokes.push_back(fmt::format(R"(stroke="{}"{})", colour,
                                  is_failed(kind) ? R"( stroke-dasharray="5 4")" : ""));
  }
  return strokes;
}

/// Kinds of links that are in the picture, ascending.
std::vector<int> kinds_in(const NetworkPicture& picture, const Network& network) {
  std::vector<bool> present(network.link_classes().size(), false);
  for (const DrawnCable& cable : picture.cables)
    present[static_cast<std::size_t>(cable.kind)] = true;
  std::vector<int> kinds;
  for (std::size_t k = 0; k < present.size(); ++k)
    if (present[k]) kinds.push_back(static_cast<int>(k));
  return kinds;
}

class SvgWriter {
 public:
  SvgWriter(const NetworkPicture& picture, const Network& network, std::string title)
      : picture_(picture),
        network_(network),
        title_(title.empty() ? network.description() : std::move(title)),
        classes_(link_ranges(network)),
        planes_(network.facts().planes),
        strokes_(strokes_of(classes_, has_rails())),
        kinds_(kinds_in(picture, network)) {
    for (const DrawnCable& cable : picture.cables)
      if (rail_of(cable)) rail_kinds_.insert(cable.kind);
  }

  std::string text() {
    const double title_room = 2 * line_height;
    const double foot = line_height * double(picture_.caption.size()) +
                        legend_entry * double(kinds_.size()) + line_height;
    constexpr double least_width = 520, letter_of_title = 11, max_title = 1600;
    const double title_width = letter_of_title * double(title_.size());
    const double width =
        std::max({picture_.width * picture_.scale, std::min(title_width, max_title), least_width});
    const double drawn_height = picture_.height * picture_.scale;
    const double height = title_room + drawn_height + foot;
    open(width, height);
    put(R"~(<text x="16" y="28" class="title">{}</text>)~", markup_text(title_));
    put(R"~(<g transform="translate(0 {:.0f}){}">)~", title_room,
        picture_.scale < 1 ? fmt::format(" scale({:.4f})", picture_.scale) : "");
    for (const DrawnBox& box : picture_.boxes)
      put(R"(<rect class="z" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="6"/>)",
          box.corner.x, box.corner.y, box.width, box.height);
    write_cables();
    write_vertices();
    write_texts();
    put("</g>");
    write_foot(title_room + drawn_height);
    put("</svg>");
    return std::move(text_);
  }

 private:
  bool has_rails() const { return planes_.count > 1 && planes_.plane_of; }

  /// Nothing where it belongs to none, or is down.
  std::optional<int> rail_of(const DrawnCable& cable) const {
    if (!has_rails() || is_failed(classes_[index(cable.kind)])) return std::nullopt;
    const int rail = planes_.plane_of(cable.forth);
    return rail >= 0 && rail < planes_.count ? std::optional(rail) : std::nullopt;
  }

  static std::string rail_stroke(int rail) {
    return fmt::format(R"(stroke="{}")", rail_palette[index(rail) % rail_palette.size()]);
  }

  std::string stroke_of(const DrawnCable& cable) const {
    const auto rail = rail_of(cable);
    return rail ? rail_stroke(*rail) : strokes_[index(cable.kind)];
  }

  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    append_format(text_, format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void open(double width, double height) {
    put(R"~(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )~"
        R"~(viewBox="0 0 {0:.0f} {1:.0f}" style="max-width:100%;height:auto" role="img" )~"
        R"~(font-family="sans-serif" font-size="12">)~",
        width, height);
    put("<title>{}</title>", markup_text(title_));
    put("<style>:root{{color-scheme:light dark}}rect.ground{{fill:#fff}}text{{fill:#222;"
        "paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}}"
        ".title{{font-size:17px;font-weight:bold}}.v{{fill:#fff;stroke:#444;stroke-width:1.2}}"
        ".z{{fill:#888;fill-opacity:.07;stroke:#999}}.h{{fill:#444}}path{{fill:none;stroke-opacity:"
        ".75}}path:hover{{stroke-width:4;stroke-opacity:1}}"
        "@media(prefers-color-scheme:dark){{rect.ground{{fill:#16181c}}text{{fill:#e6e6e6;stroke:"
        "#16181c}}.v{{fill:#16181c;stroke:#bbb}}.h{{fill:#ccc}}.z{{stroke:#777}}}}</style>");
    put(R"(<rect class="ground" width="100%" height="100%"/>)");
  }

  void write_cables() {
    constexpr std::size_t many = 500, very_many = 2000;
    const std::size_t count = picture_.cables.size();
    const double width = count > very_many ? 0.3 : count > many ? 0.8 : 1.4;
    put(R"(<g stroke-width="{}">)", width);
    double least = std::numeric_limits<double>::infinity();
    for (const DrawnCable& cable : picture_.cables)
      least = std::min(least, network_.link(cable.forth).bandwidth.value);
    for (const DrawnCable& cable : picture_.cables) {
      std::string names = network_.link_name(cable.forth);
      if (cable.back) names += ", " + network_.link_name(*cable.back);
      if (const auto rail = rail_of(cable)) names = fmt::format("rail {}, {}", *rail, names);
      if (cable.cables > 1)
        names += fmt::format(" and {} cables more", grouped_digits(cable.cables - 1));
      // A line grows by half of its width when the bandwidth doubles.
      const double times = network_.link(cable.forth).bandwidth.value / least;
      const double wider = std::isfinite(times) ? std::min(1 + 0.5 * std::log2(times), 5.0) : 5;
      put(R"(<path d="{}" {}{}><title>{}: {}</title></path>)", cable.path, stroke_of(cable),
          wider > 1 ? fmt::format(R"( stroke-width="{:.2g}")", width * wider) : "",
          markup_text(names), format_bandwidth(network_.link(cable.forth).bandwidth));
    }
    put("</g>");
  }

  /// Smaller in rows where they would lie on each other.
  void write_vertices() {
    std::map<double, std::vector<double>> rows;
    for (const DrawnVertex& vertex : picture_.vertices)
      rows[std::round(vertex.at.y)].push_back(vertex.at.x);
    std::map<double, double> room;
    for (auto& [y, xs] : rows) {
      std::sort(xs.begin(), xs.end());
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 1; i < xs.size(); ++i) least = std::min(least, xs[i] - xs[i - 1]);
      room[y] = std::max(0.4 * least, 0.5);
    }
    for (const DrawnVertex& vertex : picture_.vertices)
      put(R"(<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{:.3g}"><title>{}</title></circle>)",
          vertex.is_host ? "h" : "v", vertex.at.x, vertex.at.y,
          std::min(vertex.is_host ? 4.0 : 5.0, room[std::round(vertex.at.y)]),
          markup_text(vertex.name));
  }

  void write_texts() {
    for (const DrawnText& text : picture_.texts)
      put(R"(<text x="{:.1f}" y="{:.1f}"{}>{}</text>)", text.at.x, text.at.y,
          text.centred ? R"( text-anchor="middle")" : "", markup_text(text.text));
  }

  void write_foot(double top) {
    double y = top + line_height / 2;
    for (const int kind : kinds_) {
      const LinkRanges& links = classes_[static_cast<std::size_t>(kind)];
      const bool by_rail = rail_kinds_.contains(kind);
      const int colours = by_rail ? std::min(planes_.count, narrow<int>(rail_palette.size())) : 1;
      constexpr double left = 16, long_sample = 40;
      for (int c = 0; c < colours; ++c)
        put(R"(<path d="M{0:.4g} {2:.1f}L{1:.4g} {2:.1f}" {3} stroke-width="4"/>)",
            left + long_sample * c / colours, left + long_sample * (c + 1) / colours, y - 4,
            by_rail ? rail_stroke(c) : strokes_[index(kind)]);
      put(R"(<text x="66" y="{:.1f}">{}: {} directed link{}, {}, {}{}</text>)", y,
          markup_text(links.name), grouped_digits(links.links), links.links == 1 ? "" : "s",
          bandwidth_range(links.least_bandwidth, links.max_bandwidth),
          latency_range(links.least_latency, links.max_latency),
          !by_rail ? ""
                   : fmt::format("; colours are rails 0 to {}{}", planes_.count - 1,
                                 planes_.count > colours ? ", again from the ninth on" : ""));
      y += legend_entry;
    }
    for (const std::string& line : picture_.caption) {
      put(R"(<text x="16" y="{:.1f}">{}</text>)", y, markup_text(line));
      y += line_height;
    }
  }

  const NetworkPicture& picture_;
  const Network& network_;
  std::string title_;
  std::vector<LinkRanges> classes_;
  NetworkPlanes planes_;
  std::vector<std::string> strokes_;  ///< one entry per kind
  std::set<int> rail_kinds_;          ///< whose links belong to rails
  std::vector<int> kinds_;            ///< that are in the picture
  std::string text_;
};

}  // namespace

JobPart job_part(const Network& network, std::vector<bool> links) {
  JobPart part{std::move(links), std::vector<bool>(index(network.num_hosts()), false)};
  for (std::size_t l = 0; l < part.links.size(); ++l) {
    const auto sides = part.links[l] ? network.link_sides(id_at<LinkId>(l)) : std::nullopt;
    if (!sides) continue;
    for (const int vertex : {sides->from, sides->to}) {
      if (part.vertices.size() <= index(vertex)) part.vertices.resize(index(vertex) + 1, false);
      part.vertices[index(vertex)] = true;
    }
  }
  return part;
}

void draw_cables(const Network& network, const JobPart& part, const CablePath& path,
                 NetworkPicture& picture) {
  constexpr int max_links_apart = 5000, max_whole = 6144;
  const bool only_part = !part.is_all() && network.num_links() > max_whole;
  const double apart = only_part || network.num_links() <= max_links_apart ? 4 : 0;
  std::unordered_map<int, const DrawnVertex*> drawn;
  for (const DrawnVertex& vertex : picture.vertices) drawn.emplace(vertex.vertex, &vertex);
  std::map<CableKey, std::size_t> cables;
  std::map<std::pair<int, int>, int> duplicates;  // directed links seen between two vertices
  for (int l = 0; l < network.num_links(); ++l) {
    if (only_part && !part.links[index(l)]) continue;
    const auto ends = network.link_sides(LinkId{l});
    if (!ends) continue;
    const auto from = drawn.find(ends->from), to = drawn.find(ends->to);
    if (from == drawn.end() || to == drawn.end()) continue;
    const int duplicate = duplicates[{ends->from, ends->to}]++;
    const auto [low, high] = std::minmax(ends->from, ends->to);
    const auto [entry, is_new] =
        cables.emplace(CableKey{low, high, duplicate}, picture.cables.size());
    if (!is_new) {
      if (entry->second < picture.cables.size()) picture.cables[entry->second].back = LinkId{l};
      continue;
    }
    const auto [start, end] = shifted(*from->second, *to->second, apart * duplicate);
    auto data = path(start, end);
    if (data)
      picture.cables.push_back(
          {LinkId{l}, std::nullopt, network.link_class(LinkId{l}), std::move(*data)});
    else
      entry->second = static_cast<std::size_t>(-1);
  }
}

void attach_hosts(const Network& network, const JobPart& part, NetworkPicture& picture) {
  std::unordered_map<int, DrawnVertex> placed;
  for (const DrawnVertex& vertex : picture.vertices) placed.emplace(vertex.vertex, vertex);
  std::map<int, std::set<int>> around;  // of each vertex that is drawn
  std::set<int> taken;
  for (std::size_t l = 0; l < part.links.size(); ++l) {
    const auto sides = part.links[l] ? network.link_sides(id_at<LinkId>(l)) : std::nullopt;
    if (!sides) continue;
    for (const auto& [one, other] : {std::pair(sides->from, sides->to), {sides->to, sides->from}})
      if (placed.contains(one) && !placed.contains(other) && taken.insert(other).second)
        around[one].insert(other);
  }
  if (taken.size() > max_attached) {
    picture.caption.push_back(fmt::format("{} hosts and interfaces in use are not drawn",
                                          grouped_digits(narrow<std::int64_t>(taken.size()))));
    return;
  }
  for (const auto& [router, hosts] : around) {
    const DrawnVertex& centre = placed[router];
    double place = 0.5;
    for (const int host : hosts) {
      // Away from the router of an interface; else a ring with a gap above, where its name may be.
      const double share = place++ / double(hosts.size());
      const double turns =
          centre.outwards ? *centre.outwards / 180 + 0.8 * (share - 0.5) : -0.35 + 1.7 * share;
      const double angle = std::numbers::pi * turns;
      const double away = ring_radius(hosts.size());
      picture.vertices.push_back(
          {host,
           host < network.num_hosts(),
           {centre.at.x + away * std::cos(angle), centre.at.y + away * std::sin(angle)},
           network.vertex_name(host),
           180 * turns});
    }
  }
  if (!taken.empty()) attach_hosts(network, part, picture);  // what is at interfaces
}

double starred_pitch(const Network& network, const JobPart& part, int first_router, double least) {
  std::map<int, std::set<int>> around;
  std::size_t most = 0, all = 0;
  double behind = 0;
  for (std::size_t l = 0; l < part.links.size(); ++l) {
    const auto sides = part.links[l] ? network.link_sides(id_at<LinkId>(l)) : std::nullopt;
    if (!sides) continue;
    const auto [host, router] = std::minmax(sides->from, sides->to);
    if (router < first_router) behind = ring_radius(1);  // interfaces are between
    if (host >= first_router || router < first_router) continue;
    auto& hosts = around[router];
    all += hosts.insert(host).second ? 1U : 0U;
    most = std::max(most, hosts.size());
  }
  constexpr double room_for_ranks = 28;
  return all > max_attached ? least
                            : std::max(least, 2 * (ring_radius(most) + behind) + room_for_ranks);
}

std::string arc_path(Point from, Point to, double bend) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  return fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y,
                     (from.x + to.x) / 2 - dy * bend, (from.y + to.y) / 2 + dx * bend, to.x, to.y);
}

std::string line_path(Point from, Point to) {
  return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
}

std::string grouped_digits(std::int64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

NetworkPicture lay_out(const Network& network, const JobPart& part) {
  const auto layout = network.layout();
  if (!layout) {
    if (auto zones = lay_out_zones(network, part)) return std::move(*zones);
    return lay_out(network, make_sketch(network, part), part);
  }
  NetworkPicture picture =
      std::visit([&](const auto& known) { return lay_out(network, known, part); }, *layout);
  constexpr double fits = 2500, max_shrinking = 3;
  const double larger = std::max(picture.width, picture.height);
  if (larger > fits * max_shrinking) return lay_out(network, make_sketch(network, part), part);
  picture.scale = std::min(1.0, fits / larger);
  return picture;
}

std::string to_dot(const Network& network) {
  if (network.num_links() > max_links)
    throw UsageError(fmt::format("{} has {} directed links: networks of up to {} are drawn as DOT",
                                 network.description(), network.num_links(), max_links));
  std::map<Connection, int> forth, back;
  std::set<int> vertices;
  int unknown = 0;
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) {
      ++unknown;
      continue;
    }
    vertices.insert({ends->from, ends->to});
    const auto [low, high] = std::minmax(ends->from, ends->to);
    ++(ends->from == low ? forth : back)[{low, high, network.link(LinkId{l}).bandwidth.value}];
  }
  if (forth.empty() && back.empty() && unknown > 0)
    throw UsageError(fmt::format("{} declares routes and not where its links lead: nothing to draw",
                                 network.description()));
  auto name = [&](int vertex) {
    return vertex < network.num_hosts() ? dot_quoted(network.host_name(HostId{vertex}))
                                        : fmt::format("s{}", vertex - network.num_hosts());
  };
  std::string text = fmt::format("graph {} {{\n  layout=neato; overlap=false; splines=true;\n",
                                 dot_quoted(network.description()));
  if (unknown > 0)
    text += fmt::format("  // left out as it is not known where they lead: {} {}\n", unknown,
                        unknown == 1 ? "link" : "links");
  for (const int vertex : vertices)
    text += fmt::format("  {} [shape={}];\n", name(vertex),
                        vertex < network.num_hosts() ? "box" : "ellipse");
  std::set<Connection> connections;
  for (const auto* links : {&forth, &back})
    for (const auto& [connection, count] : *links) connections.insert(connection);
  for (const Connection& connection : connections) {
    const auto [low, high, bandwidth] = connection;
    const int ways = forth[connection], returns = back[connection];
    const int cables = std::max(ways, returns);
    text +=
        fmt::format("  {} -- {} [label=\"{}{}\"{}];\n", name(low), name(high),
                    cables > 1 ? fmt::format("{} x ", cables) : "", format_bandwidth({bandwidth}),
                    returns == 0 ? " dir=forward" : (ways == 0 ? " dir=back" : ""));
  }
  return text + "}\n";
}

std::string to_svg(const NetworkPicture& picture, const Network& network, std::string title) {
  return SvgWriter(picture, network, std::move(title)).text();
}

}  // namespace vtopo::detail
