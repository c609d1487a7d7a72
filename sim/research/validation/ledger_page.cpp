#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/draw/document_tables.hpp"
#include "sim/draw/markup.hpp"
#include "sim/research/validation/ledger_report.hpp"

namespace vtopo::detail {

namespace {

constexpr std::array<std::string_view, 6> colours{"#1b6ca8", "#d1495b", "#2e933c",
                                                  "#b07d00", "#7b4fa3", "#6b6b6b"};

/// Square chart of two times, from 1 us to 10 s, a power of ten every 90 pixels.
class TimeChart {
 public:
  TimeChart() : svg_(left + side + 40, top + side + 56, "measured against predicted times") {
    for (int power = first; power <= last; ++power) {
      const double at = left + decade * (power - first),
                   down = top + side - decade * (power - first);
      svg_.put(
          "<path d=\"M{:.0f} {:.0f}V{:.0f}M{:.0f} {:.0f}H{:.0f}\" stroke=\"currentColor\" "
          "stroke-opacity=\"0.15\" fill=\"none\"/>",
          at, top, top + side, left, down, left + side);
      svg_.put_text(at, top + side + 20, power_text(power), "text-anchor=\"middle\"");
      svg_.put_text(left - 8, down + 4, power_text(power), "text-anchor=\"end\"");
    }
    for (const double factor : {0.5, 1.0, 2.0}) {
      const double up = decade * std::log10(factor);
      svg_.put(
          "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"currentColor\" "
          "stroke-opacity=\"{}\" fill=\"none\"{}/>",
          left - std::min(up, 0.0), top + side - std::max(up, 0.0), left + side - std::max(up, 0.0),
          top - std::min(up, 0.0), factor == 1 ? 0.7 : 0.4,
          factor == 1 ? "" : " stroke-dasharray=\"5 4\"");
    }
    svg_.put_text(left + side / 2, top + side + 42, "measured time", "text-anchor=\"middle\"");
    svg_.put_text(-(top + side / 2), 16, "predicted time",
                  "text-anchor=\"middle\" transform=\"rotate(-90)\"");
  }

  void add(const LedgerRow& row, std::string_view colour) {
    const MeasuredPoint& point = row.point;
    const double x = place(point.time.value), y = place(row.prediction.time->value);
    svg_.put(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.55\"><title>{}"
        "</title></circle>",
        left + x, top + side - y, colour,
        markup_text(fmt::format("{} {} nodes, {} {}, {:.0f} B: measured {:.3g} s, predicted "
                                "{:.3g} s",
                                point.machine, point.nodes, point.collective, point.algorithm,
                                point.bytes.value, point.time.value, row.prediction.time->value)));
  }

  void add_name(const std::string& name, std::string_view colour, int line) {
    const double y = top + 18 + 20 * line;
    svg_.put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>", left + 16, y - 4, colour);
    svg_.put_text(left + 28, y, markup_text(name));
  }

  std::string text() && { return std::move(svg_).text(); }

 private:
  static constexpr int first = -6, last = 1;
  static constexpr double left = 84, top = 16, decade = 90, side = decade * (last - first);

  static double place(double seconds) {
    return decade * (std::clamp(std::log10(seconds), double{first}, double{last}) - first);
  }

  static std::string power_text(int power) {
    constexpr std::array<std::string_view, 8> texts{"1 us",  "10 us",  "100 us", "1 ms",
                                                    "10 ms", "100 ms", "1 s",    "10 s"};
    return std::string(texts[static_cast<std::size_t>(power - first)]);
  }

  SvgElement svg_;
};

std::string chart(const Ledgers& ledgers) {
  TimeChart chart;
  for (std::size_t m = 0; m < ledgers.size(); ++m) {
    const std::string_view colour = colours[m % colours.size()];
    for (const LedgerRow* row : counted_rows(ledgers[m]))
      if (row->prediction.time) chart.add(*row, colour);
    chart.add_name(ledgers[m].machine, colour, static_cast<int>(m));
  }
  return std::move(chart).text();
}

std::string html(const LedgerTable& table) {
  return fmt::format("<h2>{}</h2>{}", table.title, html_table(columns_of(table)));
}

}  // namespace

std::string ledger_page(const Ledgers& ledgers) {
  constexpr std::size_t most_shown = 15;
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>vtopo: predicted "
         "and measured times</title><meta name=\"viewport\" content=\"width=device-width\"><style>"
         "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
         "color:#1b1b1b;background:#fff}svg{max-width:100%;height:auto}table{border-collapse:"
         "collapse;display:block;overflow-x:auto}th,td{padding:.2rem .6rem;text-align:left;"
         "border-bottom:1px solid #8884}td{font-variant-numeric:tabular-nums}"
         "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#16181b}}"
         "text{fill:currentColor;font-size:13px}"
         "</style></head><body><h1>Predicted and measured times</h1>\n"
         "<p>Each point is a collective operation on a real machine, of at least 64 KiB. On the "
         "line both times are equal; the dashed lines are a factor of two.</p>\n" +
         chart(ledgers) + html(machine_table(ledgers)) +
         (smpi_table(ledgers).rows.empty() ? "" : html(smpi_table(ledgers))) +
         html(parameter_table(ledgers)) + html(collective_table(ledgers)) +
         html(worst_table(ledgers, most_shown)) + html(reason_table(ledgers)) + "</body></html>\n";
}

}  // namespace vtopo::detail
