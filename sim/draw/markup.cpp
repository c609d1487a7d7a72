#include "sim/draw/markup.hpp"

#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Bytes of the UTF-8 sequence at the start of `text`; 0 if there is none (RFC 3629, section 4).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool too_long = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool no_character = (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90);
  return too_long || no_character ? 0 : length;
}

std::string_view entity(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

}  // namespace

std::string markup_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (const auto name = entity(text.front()); !name.empty())
      result += name;
    else if (length == 0 || is_control(text.front()))
      result += replacement;
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string script_json(std::string_view json) {
  std::string result;
  for (const char c : json) {
    if (c == '<')
      result += "\\u003c";
    else if (c == '>')
      result += "\\u003e";
    else if (c == '&')
      result += "\\u0026";
    else
      result += c;
  }
  return result;
}

SvgElement::SvgElement(double width, double height, std::string_view label) {
  put(R"~(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" )~"
      R"~(viewBox="0 0 {0:.0f} {1:.0f}" role="img" aria-label="{2}" font-family="sans-serif" )~"
      R"~(font-size="13">)~",
      width, height, markup_text(label));
}

void SvgElement::put_text(double x, double y, std::string_view words, std::string_view attributes) {
  put(R"~(<text x="{:.1f}" y="{:.1f}"{}{}>{}</text>)~", x, y, attributes.empty() ? "" : " ",
      attributes, markup_text(words));
}

std::string SvgElement::text() && {
  text_ += "</svg>\n";
  return std::move(text_);
}

std::string_view picture_css() {
  return R"~(:root {
  --ground: #fff; --text: #1d1f23; --quiet: #5b6068; --zero: #c4c4c4; --cell: #eceef1;
  --bar: #0072b2; --other: #c24e00; --worst: #d4007a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #16181c; --text: #e6e7ea; --quiet: #a2a8b2; --zero: #4a4d52; --cell: #24272c;
    --bar: #56b4e9; --other: #e69f00; --worst: #ff6fc0;
  }
}
svg text { fill: var(--text); }
.cables path { fill: none; }
.cables .l0 { stroke: var(--zero); stroke-width: 1.2; }
.ground { fill: var(--cell); }
.zone { fill: var(--quiet); fill-opacity: .07; stroke: var(--quiet); stroke-opacity: .6; }
.axis { stroke: var(--quiet); fill: none; }
.grid { stroke: var(--quiet); stroke-width: .4; fill: none; }
.bar, .computing { fill: var(--bar); }
.line { stroke: var(--bar); fill: none; }
.other { stroke: var(--other); fill: none; }
.transferring { fill: var(--other); }
.waiting { fill: var(--zero); }
.vertex { fill: var(--quiet); }
.vertex.host { fill: var(--text); }
.worst { stroke: var(--worst); fill: none; }
svg text.worst { fill: var(--worst); stroke: none; font-weight: bold; }
.name { paint-order: stroke; stroke: var(--ground); stroke-width: .3em; stroke-linejoin: round; }
)~";
}

std::string svg_file(const std::string& element) {
  const std::string style =
      fmt::format("<style>{}:root{{color-scheme:light dark;background:var(--ground)}}{}</style>\n",
                  picture_css(), ramp_css());
  const std::size_t start = element.find('\n') + 1;  // behind the opening tag
  return element.substr(0, start) + style + element.substr(start);
}

}  // namespace vtopo::detail
