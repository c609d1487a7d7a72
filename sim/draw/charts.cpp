#include "sim/draw/charts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/report/csv_cells.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

using Json = nlohmann::ordered_json;

/// Where the inner part of a chart lies, in pixels.
struct Frame {
  static constexpr double left = 84, top = 16, width = 420, height = 190;
  static constexpr double bottom = top + height;
  static constexpr double whole_width = left + width + 20, whole_height = bottom + 52;
};

/// The upright axis with round values, lines at them, and words at both axes. A page that enlarges
/// the scale finds the values in the group `upright`.
void put_axes(SvgElement& svg, double most, PictureUnit unit, std::string_view words,
              std::string_view upright) {
  svg.put(R"~(<g class="upright" text-anchor="end" font-size="12">)~");
  for (const double tick : round_ticks(most, unit, 5)) {
    const double y = Frame::bottom - (most > 0 ? tick / most : 0) * Frame::height;
    svg.put(R"~(<path class="{}" d="M{:.0f} {:.1f}h{:.0f}"/>)~", tick == 0 ? "axis" : "grid",
            Frame::left, y, Frame::width);
    svg.put_text(Frame::left - 6, y + 4, value_text(tick, unit));
  }
  svg.put("</g>");
  svg.put_text(Frame::left + Frame::width / 2, Frame::bottom + 42, words,
               R"~(text-anchor="middle")~");
  svg.put_text(-Frame::top - Frame::height / 2, 13, upright,
               R"~(transform="rotate(-90)" text-anchor="middle")~");
}

/// Round times below a timeline.
void put_time_axis(SvgElement& svg, double end, double left, double width, double bottom,
                   int count) {
  svg.put(R"~(<g text-anchor="middle" font-size="12">)~");
  for (const double tick : round_ticks(end, PictureUnit::seconds, count)) {
    const double x = left + (end > 0 ? tick / end : 0) * width;
    svg.put(R"~(<path class="axis" d="M{:.1f} {:.1f}v5"/>)~", x, bottom);
    svg.put_text(x, bottom + 18, value_text(tick, PictureUnit::seconds));
  }
  svg.put("</g>");
  svg.put_text(left + width / 2, bottom + 38, "time", R"~(text-anchor="middle")~");
}

std::string svg_of(const BarPicture& picture) {
  SvgElement svg(Frame::whole_width, Frame::whole_height, picture.title);
  put_axes(svg, picture.most, picture.unit, picture.axis,
           picture.unit == PictureUnit::number ? "edges" : "finish");
  const double pitch = Frame::width / double(picture.values.size());
  const double width = pitch > 4 ? pitch * 0.8 : pitch;
  svg.put(R"~(<g class="marks">)~");
  for (std::size_t b = 0; b < picture.values.size(); ++b) {
    if (picture.values[b] <= 0) continue;
    // A pixel for the smallest of bars: it is there.
    const double height = std::max(1.0, picture.values[b] / picture.most * Frame::height);
    svg.put(R"~(<rect class="bar" x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/>)~",
            Frame::left + pitch * (double(b) + 0.5) - width / 2, Frame::bottom - height, width,
            height);
  }
  svg.put("</g>");
  // Names at numbers that are a power of two apart: so are the sizes of grids.
  constexpr double room_for_name = 40;
  std::size_t every = 1;
  while (double(every) * pitch < room_for_name && every < picture.values.size()) every *= 2;
  for (std::size_t b = 0; b < picture.values.size(); b += every)
    svg.put_text(Frame::left + pitch * (double(b) + 0.5), Frame::bottom + 18, picture.names[b],
                 R"~(text-anchor="middle" font-size="12")~");
  return std::move(svg).text();
}

Json frame_data(PictureUnit unit, double most) {
  return {{"unit", unit_name(unit)}, {"left", Frame::left},     {"top", Frame::top},
          {"width", Frame::width},   {"height", Frame::height}, {"most", most}};
}

std::string data_of(const BarPicture& picture) {
  Json object = frame_data(picture.unit, picture.most);
  const auto largest = std::max_element(picture.values.begin(), picture.values.end());
  object["axis"] = picture.axis;
  object["largest"] = largest == picture.values.end() ? 0 : *largest;
  object["per_bar"] = picture.per_bar;
  object["values"] = picture.values;
  object["names"] = picture.names;
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
  put_axes(svg, most, PictureUnit::seconds, "share of links, lightest to heaviest", "time");
  for (const int percent : {0, 25, 50, 75, 100})
    svg.put_text(Frame::left + Frame::width * percent / 100, Frame::bottom + 18,
                 fmt::format("{} %", percent), R"~(text-anchor="middle" font-size="12")~");
  svg.put(R"~(<g class="marks" stroke-width="2">)~");
  constexpr std::string_view line =
      R"~(<path class="{}"{} vector-effect="non-scaling-stroke" d="{}"/>)~";
  constexpr std::string_view dashes = R"~( stroke-dasharray="5 4")~";
  if (!other.empty()) svg.put(fmt::runtime(line), "other", dashes, path_of(other, most));
  svg.put(fmt::runtime(line), "line", "", path_of(quantiles, most));
  svg.put("</g>");
  if (!other.empty()) {
    svg.put(R"~(<path class="other" stroke-width="2"{} d="M{:.0f} 32h30"/>)~", dashes,
            Frame::left + 10);
    svg.put_text(Frame::left + 46, 36, other_name);
  }
  if (!quantiles.empty() && quantiles.back() > 0)
    svg.put_text(Frame::left + Frame::width, 12,
                 "worst: " + value_text(quantiles.back(), PictureUnit::seconds),
                 R"~(class="worst" text-anchor="end")~");
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
  Json data = frame_data(PictureUnit::seconds, most);
  data["axis"] = "share of links";
  data["largest"] =
      std::max(quantiles.empty() ? 0 : quantiles.back(), other.empty() ? 0 : other.back());
  data["values"] = quantiles;
  return {"loads",          "Load of links, lightest to heaviest",      "",
          "curve",          svg_of(quantiles, other, other_name, most), data.dump(),
          csv_of(quantiles)};
}

Figure draw_phases(const std::vector<PhaseRow>& phases, Seconds end) {
  constexpr std::size_t max_lanes = 40, longest_name = 26;
  constexpr double lane = 17, top = 14, letter = 7;
  std::vector<const PhaseRow*> shown;
  for (const PhaseRow& phase : phases)
    if (phase.simulation) shown.push_back(&phase);
  const auto length = [](const PhaseRow* phase) { return (phase->end - phase->start).value; };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](const auto* a, const auto* b) { return length(a) > length(b); });
  const std::size_t all = shown.size();
  shown.resize(std::min(all, max_lanes));
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto* a, const auto* b) { return a->start < b->start; });
  std::size_t longest = 4;
  for (const PhaseRow* phase : shown)
    longest = std::max(longest, std::min(phase->name.size(), longest_name));
  const double left = 14 + letter * double(longest);
  const double width = Frame::left + Frame::width - left;
  const double bottom = top + lane * double(shown.size());
  SvgElement svg(left + width + 30, bottom + 48, "Timeline of phases");
  Json data = {{"left", left}, {"top", top}, {"width", width}, {"lane", lane}};
  data["spans"] = Json::array();
  std::string csv = "phase,start_seconds,end_seconds\n";
  const double scale = end.value > 0 ? width / end.value : 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const PhaseRow& phase = *shown[i];
    const double y = top + lane * double(i);
    svg.put_text(left - 6, y + lane - 5,
                 phase.name.size() > longest_name ? phase.name.substr(0, longest_name - 3) + "..."
                                                  : phase.name,
                 R"~(text-anchor="end" font-size="12")~");
    svg.put(R"~(<rect class="bar" x="{:.2f}" y="{:.1f}" width="{:.2f}" height="{:.1f}"/>)~",
            left + phase.start.value * scale, y + 2, std::max(1.0, length(&phase) * scale),
            lane - 4);
    data["spans"].push_back({phase.name, phase.start.value, phase.end.value});
    csv += fmt::format("{},{},{}\n", csv_text(phase.name), phase.start.value, phase.end.value);
  }
  put_time_axis(svg, end.value, left, width, bottom, 5);
  std::string caption = "From the first rank that starts a phase to the last one that ends it.";
  if (shown.size() < all)
    caption += fmt::format(" The {} longest of {} phases.", shown.size(), all);
  return {
      "timeline", "Timeline of phases",  caption,
      "phases",   std::move(svg).text(), data.dump(-1, ' ', false, Json::error_handler_t::replace),
      csv};
}

namespace {

constexpr std::string_view span_classes[] = {"computing", "transferring", "waiting"};
constexpr std::string_view span_words[] = {"local work", "message on its way",
                                           "waiting for others"};

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

/// Where the lanes of a timeline lie, in pixels.
struct LaneFrame {
  static constexpr double left = 56, top = 30;
  double lane, width, scale;

  double x(Seconds time) const { return left + time.value * scale; }
  double y(std::size_t number) const { return top + lane * double(number); }
};

/// One path for all spans of a kind: there are thousands of them.
void put_spans(SvgElement& svg, const DrawnTimeline& drawn, const LaneFrame& frame) {
  std::string paths[std::size(span_classes)];
  const double high = frame.lane - (frame.lane > 7 ? 1 : 0.4);
  std::size_t at = 0;
  for (const RankSpan& span : drawn.spans) {
    while (drawn.ranks[at] != span.rank) ++at;
    const double wide = std::max(frame.x(span.end) - frame.x(span.begin), 0.2);
    append_format(paths[static_cast<std::size_t>(span.kind)],
                  "M{:.2f} {:.1f}h{:.2f}v{:.1f}h-{:.2f}z", frame.x(span.begin), frame.y(at), wide,
                  high, wide);
  }
  for (std::size_t kind = 0; kind < std::size(paths); ++kind)
    svg.put(R"~(<path class="{}" d="{}"/>)~", span_classes[kind], paths[kind]);
}

}  // namespace

Figure draw_ranks(const DrawnTimeline& drawn, Seconds end, bool is_wide) {
  constexpr double num_ticks = 1e8;  // finer than the largest zoom shows, and short in the page
  const double lanes = std::max(double(drawn.ranks.size()), 1.0), width = is_wide ? 1040 : 430;
  const LaneFrame frame{std::clamp((is_wide ? 480 : 360) / lanes, 5.0, 16.0), width,
                        end.value > 0 ? width / end.value : 0};
  const double tick = end.value > 0 ? end.value / num_ticks : 1;
  const double bottom = LaneFrame::top + frame.lane * lanes;
  SvgElement svg(LaneFrame::left + width + 30, bottom + 48, "Timeline of ranks");
  double x = LaneFrame::left;
  for (std::size_t kind = 0; kind < std::size(span_words); ++kind) {
    svg.put(R"~(<rect class="{}" x="{:.0f}" y="5" width="14" height="12"/>)~", span_classes[kind],
            x);
    svg.put_text(x + 20, 15, span_words[kind], R"~(font-size="12")~");
    x += 40 + 7 * double(span_words[kind].size());
  }
  put_spans(svg, drawn, frame);
  Json data = {{"tick", tick},   {"left", LaneFrame::left}, {"top", LaneFrame::top},
               {"width", width}, {"lane", frame.lane},      {"end", end.value}};
  data["ranks"] = data["spans"] = Json::array();
  std::string csv = "rank,doing,begin_seconds,end_seconds\n";
  std::size_t at = 0, every = 1;
  for (const RankSpan& span : drawn.spans) {
    while (drawn.ranks[at] != span.rank) ++at;
    data["spans"].push_back({at, static_cast<int>(span.kind), std::llround(span.begin.value / tick),
                             std::llround(span.end.value / tick)});
    append_format(csv, "{},{},{},{}\n", number(span.rank),
                  span_classes[static_cast<std::size_t>(span.kind)], span.begin.value,
                  span.end.value);
  }
  while (double(every) * frame.lane < 14) every *= 2;
  for (std::size_t i = 0; i < drawn.ranks.size(); ++i) {
    data["ranks"].push_back(number(drawn.ranks[i]));
    if (i % every == 0)
      svg.put_text(LaneFrame::left - 7, frame.y(i) + frame.lane / 2 + 4,
                   std::to_string(number(drawn.ranks[i])), R"~(text-anchor="end" font-size="11")~");
  }
  svg.put_text(-(LaneFrame::top + bottom) / 2, 13, "rank",
               R"~(transform="rotate(-90)" text-anchor="middle")~");
  put_time_axis(svg, end.value, LaneFrame::left, width, bottom, is_wide ? 9 : 5);
  return {"timeline-of-ranks",
          "Timeline of ranks",
          timeline_caption(drawn),
          "ranks",
          std::move(svg).text(),
          data.dump(),
          csv};
}

}  // namespace vtopo::detail
