#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "sim/draw/charts.hpp"
#include "sim/draw/markup.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/report/csv_cells.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

/// Where the inner part of a chart lies, in pixels.
struct Frame {
  static constexpr double left = 74, top = 16, width = 430, height = 190;
  static constexpr double bottom = top + height;
  static constexpr double whole_width = left + width + 20, whole_height = bottom + 52;
};

/// Axes, three values on the upright one, and words under the other.
void put_axes(SvgElement& svg, double most, PictureUnit unit, std::string_view words) {
  for (const double share : {0.0, 0.5, 1.0}) {
    if (most <= 0 && share > 0) continue;
    const double y = Frame::bottom - share * Frame::height;
    svg.put(R"~(<path class="axis" stroke-width="{}" d="M{:.0f} {:.1f}h{:.0f}"/>)~",
            share == 0 ? 1 : 0.4, Frame::left, y, Frame::width);
    svg.put_text(Frame::left - 6, y + 4, value_text(most * share, unit), R"~(text-anchor="end")~");
  }
  svg.put_text(Frame::left + Frame::width / 2, Frame::bottom + 42, words,
               R"~(text-anchor="middle")~");
}

std::string svg_of(const BarPicture& picture) {
  SvgElement svg(Frame::whole_width, Frame::whole_height, picture.title);
  put_axes(svg, picture.most, picture.unit, picture.axis);
  const double pitch = Frame::width / double(picture.values.size());
  const double width = pitch > 4 ? pitch * 0.8 : pitch;
  constexpr double room_for_name = 34;
  const auto every = static_cast<std::size_t>(std::max(1.0, room_for_name / pitch));
  for (std::size_t b = 0; b < picture.values.size(); ++b) {
    const double x = Frame::left + pitch * (double(b) + 0.5);
    if (picture.values[b] > 0) {
      // A pixel for the smallest of bars: it is there.
      const double height = std::max(1.0, picture.values[b] / picture.most * Frame::height);
      svg.put(R"~(<rect class="bar" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)~",
              x - width / 2, Frame::bottom - height, width, height);
    }
    if (b % every == 0)
      svg.put_text(x, Frame::bottom + 18, picture.names[b], R"~(text-anchor="middle")~");
  }
  return std::move(svg).text();
}

std::string_view unit_name(PictureUnit unit) {
  return unit == PictureUnit::bytes ? "bytes" : unit == PictureUnit::seconds ? "seconds" : "number";
}

std::string data_of(const BarPicture& picture) {
  const Json object = {{"unit", unit_name(picture.unit)},
                       {"axis", picture.axis},
                       {"left", Frame::left},
                       {"top", Frame::top},
                       {"width", Frame::width},
                       {"height", Frame::height},
                       {"most", picture.most},
                       {"per_bar", picture.per_bar},
                       {"values", picture.values},
                       {"names", picture.names}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_of(const BarPicture& picture) {
  std::string text = fmt::format("{},{}\n", csv_text(picture.axis), unit_name(picture.unit));
  for (std::size_t b = 0; b < picture.values.size(); ++b)
    text += fmt::format("{},{}\n", csv_text(picture.names[b]), picture.values[b]);
  return text;
}

/// `7`, or `4-7` for a bar of several.
std::string range_text(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}\xE2\x80\x93{}", first, last);
}

constexpr std::size_t max_points = 257;

/// Steps: a point stands for the links around it.
std::string path_of(const std::vector<double>& quantiles, double most) {
  const double pitch = Frame::width / double(quantiles.size());
  std::string path;
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    const double y = Frame::bottom - (most > 0 ? quantiles[i] / most : 0) * Frame::height;
    path += fmt::format("{}{:.1f} {:.1f}H{:.1f}", i == 0 ? "M" : "L",
                        Frame::left + pitch * double(i), y, Frame::left + pitch * double(i + 1));
  }
  return path;
}

std::string svg_of(const std::vector<double>& quantiles, const std::vector<double>& other,
                   const std::string& other_name, double most) {
  SvgElement svg(Frame::whole_width, Frame::whole_height, "Load of links, lightest to heaviest");
  put_axes(svg, most, PictureUnit::seconds, "share of links");
  for (const int percent : {0, 25, 50, 75, 100})
    svg.put_text(Frame::left + Frame::width * percent / 100, Frame::bottom + 18,
                 fmt::format("{} %", percent), R"~(text-anchor="middle")~");
  if (!other.empty()) {
    svg.put(
        R"~(<path class="other" fill="none" stroke-width="1.5" stroke-dasharray="5 4" d="{}"/>)~",
        path_of(other, most));
    svg.put(
        R"~(<path class="other" stroke-width="1.5" stroke-dasharray="5 4" d="M{0:.0f} 30h30"/>)~",
        Frame::left + 10);
    svg.put_text(Frame::left + 46, 34, other_name);
  }
  svg.put(R"~(<path class="line" fill="none" stroke-width="2" d="{}"/>)~",
          path_of(quantiles, most));
  return std::move(svg).text();
}

std::string csv_of(const std::vector<double>& quantiles) {
  std::string text = "share_of_links,seconds\n";
  for (std::size_t i = 0; i < quantiles.size(); ++i)
    text += fmt::format("{},{}\n", double(i + 1) / double(quantiles.size()), quantiles[i]);
  return text;
}

}  // namespace

Figure draw_bars(const BarPicture& picture) {
  return {picture.name,    picture.title,    picture.caption, "bars",
          svg_of(picture), data_of(picture), csv_of(picture)};
}

BarPicture hop_bars(const std::vector<std::int64_t>& hop_histogram, double most, std::size_t bars) {
  constexpr std::size_t max_bars = 64;
  BarPicture picture{"hops", "Hops of edges", "", "hops", PictureUnit::number, {}, {}, most};
  const std::size_t count = std::max({hop_histogram.size(), bars, std::size_t{1}});
  const std::size_t width = (count + max_bars - 1) / max_bars;
  picture.per_bar = width;
  if (width > 1) picture.caption = fmt::format("A bar stands for {} hop counts.", width);
  for (std::size_t first = 0; first < count; first += width) {
    double edges = 0;
    for (std::size_t h = first; h < std::min(first + width, hop_histogram.size()); ++h)
      edges += static_cast<double>(hop_histogram[h]);
    picture.values.push_back(edges);
    picture.names.push_back(range_text(first, std::min(first + width, count) - 1));
  }
  picture.most = std::max(most, *std::max_element(picture.values.begin(), picture.values.end()));
  return picture;
}

BarPicture rank_bars(const std::vector<double>& finish_seconds, double most) {
  constexpr std::size_t max_bars = 256;
  BarPicture picture{"ranks", "Simulated finish of ranks", "", "rank", PictureUnit::seconds, {}, {},
                     most};
  const std::size_t count = finish_seconds.size();
  const std::size_t width = std::max<std::size_t>((count + max_bars - 1) / max_bars, 1);
  picture.per_bar = width;
  if (width > 1) picture.caption = fmt::format("A bar is the last of {} consecutive ranks.", width);
  for (std::size_t first = 0; first < count; first += width) {
    const std::size_t end = std::min(first + width, count);
    picture.values.push_back(
        *std::max_element(finish_seconds.begin() + static_cast<std::ptrdiff_t>(first),
                          finish_seconds.begin() + static_cast<std::ptrdiff_t>(end)));
    picture.names.push_back(range_text(first, end - 1));
  }
  return picture;
}

std::vector<double> load_quantiles(std::span<const LinkLoad> links) {
  std::vector<double> loads;
  loads.reserve(links.size());
  for (const LinkLoad& load : links) loads.push_back(load.congestion.value);
  std::sort(loads.begin(), loads.end());
  if (loads.size() <= max_points) return loads;
  std::vector<double> quantiles;
  for (std::size_t i = 0; i < max_points; ++i)
    quantiles.push_back(loads[i * (loads.size() - 1) / (max_points - 1)]);
  return quantiles;
}

Figure draw_load_curve(const std::vector<double>& quantiles, const std::vector<double>& other,
                       const std::string& other_name, double most) {
  const Json data = {{"unit", "seconds"},     {"left", Frame::left},     {"top", Frame::top},
                     {"width", Frame::width}, {"height", Frame::height}, {"most", most},
                     {"values", quantiles}};
  return {"loads",          "Load of links, lightest to heaviest",      "",
          "curve",          svg_of(quantiles, other, other_name, most), data.dump(),
          csv_of(quantiles)};
}

}  // namespace vtopo::detail
