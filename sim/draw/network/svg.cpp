#include <algorithm>
#include <array>
#include <utility>

#include "netmodels/links.hpp"
#include "sim/draw/network/layouts.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

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

/// Attributes of strokes, one entry per kind.
std::vector<std::string> strokes_of(const std::vector<LinkRanges>& classes) {
  std::vector<std::string> strokes;
  std::size_t next = 0;
  for (const LinkRanges& kind : classes) {
    std::string_view colour;
    for (const auto& [name, value] : namesakes)
      if (kind.name.starts_with(name)) colour = value;
    if (is_failed(kind))
      colour = failed_colour;
    else if (colour.empty())
      colour = palette[next++ % palette.size()];
    strokes.push_back(fmt::format(R"(stroke="{}"{})", colour,
                                  is_failed(kind) ? R"( stroke-dasharray="5 4")" : ""));
  }
  return strokes;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  return result;
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
  SvgWriter(const NetworkPicture& picture, const Network& network)
      : picture_(picture),
        network_(network),
        classes_(link_ranges(network)),
        strokes_(strokes_of(classes_)),
        kinds_(kinds_in(picture, network)) {}

  std::string text() {
    const double title_room = 2 * line_height;
    const double foot = line_height * double(picture_.caption.size()) +
                        legend_entry * double(kinds_.size()) + line_height;
    constexpr double least_width = 520, letter_of_title = 11, max_title = 1600;
    const double title_width = letter_of_title * double(network_.description().size());
    const double width =
        std::max({picture_.width * picture_.scale, std::min(title_width, max_title), least_width});
    const double drawn_height = picture_.height * picture_.scale;
    const double height = title_room + drawn_height + foot;
    open(width, height);
    put(R"~(<text x="16" y="28" class="title">{}</text>)~", escaped(network_.description()));
    put(R"~(<g transform="translate(0 {:.0f}){}">)~", title_room,
        picture_.scale < 1 ? fmt::format(" scale({:.4f})", picture_.scale) : "");
    write_cables();
    write_vertices();
    write_texts();
    put("</g>");
    write_foot(title_room + drawn_height);
    put("</svg>");
    return std::move(text_);
  }

 private:
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
    put("<title>{}</title>", escaped(network_.description()));
    put("<style>:root{{color-scheme:light dark}}rect.ground{{fill:#fff}}text{{fill:#222}}"
        ".title{{font-size:17px;font-weight:bold}}.v{{fill:#fff;stroke:#444;stroke-width:1.2}}"
        ".h{{fill:#444}}path{{fill:none;stroke-opacity:.75}}"
        "path:hover{{stroke-width:4;stroke-opacity:1}}"
        "@media(prefers-color-scheme:dark){{rect.ground{{fill:#16181c}}text{{fill:#e6e6e6}}"
        ".v{{fill:#16181c;stroke:#bbb}}.h{{fill:#ccc}}}}</style>");
    put(R"(<rect class="ground" width="100%" height="100%"/>)");
  }

  void write_cables() {
    constexpr std::size_t many = 500, very_many = 2000;
    const std::size_t count = picture_.cables.size();
    put(R"(<g stroke-width="{}">)", count > very_many ? 0.3 : count > many ? 0.8 : 1.4);
    for (const DrawnCable& cable : picture_.cables) {
      std::string names = network_.link_name(cable.forth);
      if (cable.back) names += ", " + network_.link_name(*cable.back);
      if (cable.cables > 1)
        names += fmt::format(" and {} cables more", grouped_digits(cable.cables - 1));
      put(R"(<path d="{}" {}><title>{}: {}</title></path>)", cable.path,
          strokes_[static_cast<std::size_t>(cable.kind)], escaped(names),
          format_bandwidth(network_.link(cable.forth).bandwidth));
    }
    put("</g>");
  }

  void write_vertices() {
    for (const DrawnVertex& vertex : picture_.vertices)
      put(R"(<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="{}"><title>{}</title></circle>)",
          vertex.is_host ? "h" : "v", vertex.at.x, vertex.at.y, vertex.is_host ? 4 : 5,
          escaped(vertex.name));
  }

  void write_texts() {
    for (const DrawnText& text : picture_.texts)
      put(R"(<text x="{:.1f}" y="{:.1f}"{}>{}</text>)", text.at.x, text.at.y,
          text.centred ? R"( text-anchor="middle")" : "", escaped(text.text));
  }

  void write_foot(double top) {
    double y = top + line_height / 2;
    for (const int kind : kinds_) {
      const LinkRanges& links = classes_[static_cast<std::size_t>(kind)];
      put(R"(<path d="M16 {0:.1f}L56 {0:.1f}" {1} stroke-width="4"/>)", y - 4,
          strokes_[static_cast<std::size_t>(kind)]);
      put(R"(<text x="66" y="{:.1f}">{}: {} directed links, {}, {}</text>)", y, escaped(links.name),
          grouped_digits(links.links), bandwidth_range(links.least_bandwidth, links.max_bandwidth),
          latency_range(links.least_latency, links.max_latency));
      y += legend_entry;
    }
    for (const std::string& line : picture_.caption) {
      put(R"(<text x="16" y="{:.1f}">{}</text>)", y, escaped(line));
      y += line_height;
    }
  }

  const NetworkPicture& picture_;
  const Network& network_;
  std::vector<LinkRanges> classes_;
  std::vector<std::string> strokes_;  ///< one entry per kind
  std::vector<int> kinds_;            ///< that are in the picture
  std::string text_;
};

}  // namespace

std::string to_svg(const NetworkPicture& picture, const Network& network) {
  return SvgWriter(picture, network).text();
}

}  // namespace vtopo::detail
