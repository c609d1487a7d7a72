#include <algorithm>

#include "sim/draw/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr double level_margin = 40;
constexpr double level_height = 150;
constexpr double levels_max_width = 1400;
constexpr double max_spacing = 60;
constexpr int max_hosts = 256;        // more are drawn as a number
constexpr int max_switches = 1024;    // of one level
constexpr double label_margin = 130;  // left of the levels

/// Levels as rows, hosts at the bottom.
class LevelPicture {
 public:
  LevelPicture(const Network& network, const LevelLayout& layout)
      : network_(network), layout_(layout) {
    for (const LayoutLevel& level : layout.levels) counts_.push_back(level.vertices);
    const std::size_t top = counts_.size() - 1;
    // What each host has one of, such as its interfaces, is left out with the hosts.
    while (lowest_ < top && counts_[lowest_] > max_hosts && counts_[lowest_] >= counts_[0])
      ++lowest_;
  }

  NetworkPicture picture() {
    const int busiest = std::min(widest_level(), max_switches);
    const double spacing = std::min(max_spacing, levels_max_width / busiest);
    inner_width_ = spacing * busiest;
    for (std::size_t level = 0, first = 0; level < counts_.size(); ++level) {
      if (level >= lowest_) place(level, narrow<int>(first));
      first += static_cast<std::size_t>(counts_[level]);
    }
    draw_cables(
        network_, [](const auto& from, const auto& to) { return line_path(from.at, to.at); },
        picture_);
    picture_.width = 2 * level_margin + label_margin + inner_width_;
    picture_.height = 2 * level_margin + level_height * double(counts_.size() - 1 - lowest_);
    if (lowest_ > 0)
      picture_.caption.push_back(
          fmt::format("{} hosts, {} below each switch of level 1, are not drawn",
                      grouped_digits(network_.num_hosts()),
                      lowest_ == 1 ? layout_.hosts_per_switch : counts_[0] / counts_[lowest_]));
    return std::move(picture_);
  }

 private:
  int widest_level() const {
    const auto first = counts_.begin() + narrow<std::ptrdiff_t>(lowest_);
    return *std::max_element(first, counts_.end());
  }

  void place(std::size_t level, int first_vertex) {
    const int count = counts_[level], drawn = std::min(count, max_switches);
    const double y = level_margin + level_height * double(counts_.size() - 1 - level);
    for (int i = 0; i < drawn; ++i) {
      const double x = level_margin + label_margin + (i + 0.5) * inner_width_ / drawn;
      picture_.vertices.push_back(
          {first_vertex + i, level == 0, {x, y}, network_.vertex_name(first_vertex + i)});
    }
    picture_.texts.push_back(
        {{level_margin, y + 4},
         fmt::format("{}: {}", layout_.levels[level].name, grouped_digits(count)),
         false});
    if (drawn < count)
      picture_.caption.push_back(fmt::format("Level {}: drawn are the first {} of {} switches",
                                             level, grouped_digits(drawn), grouped_digits(count)));
  }

  const Network& network_;
  const LevelLayout& layout_;
  NetworkPicture picture_;
  std::vector<int> counts_;  ///< vertices of each level, hosts first
  std::size_t lowest_ = 0;   ///< level that is drawn
  double inner_width_ = 0;
};

}  // namespace

NetworkPicture lay_out(const Network& network, const LevelLayout& layout) {
  return LevelPicture(network, layout).picture();
}

}  // namespace vtopo::detail
