#include "sim/draw/page/page_timeline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "topology/base/units.hpp"

namespace vtopo::detail {

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
