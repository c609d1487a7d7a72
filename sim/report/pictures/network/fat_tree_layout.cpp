#include <algorithm>

#include "sim/report/pictures/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

constexpr double fat_tree_margin = 40;
constexpr double level_height = 150;
constexpr double fat_tree_max_width = 1400;
constexpr double most_spacing = 60;
constexpr int most_hosts = 256;       // more are drawn as a number
constexpr int most_switches = 1024;   // of one level
constexpr double label_margin = 130;  // left of the levels

/// Levels as rows, hosts at the bottom.
class FatTreeLayout {
 public:
  FatTreeLayout(const Network& network, const FatTreeSpec& spec) : network_(network), spec_(spec) {
    std::int64_t parents = 1, hosts = network.num_hosts();
    counts_.push_back(network.num_hosts());
    for (const FatTreeLevel& level : spec.levels) {
      parents *= level.parents;
      hosts /= level.children;
      counts_.push_back(narrow<int>(parents * hosts));
    }
  }

  NetworkPicture picture() {
    const int busiest = std::min(widest_level(), most_switches);
    const double spacing = std::min(most_spacing, fat_tree_max_width / busiest);
    inner_width_ = spacing * busiest;
    for (std::size_t level = 0, first = 0; level < counts_.size(); ++level) {
      if (level > 0 || draws_hosts()) place(level, narrow<int>(first));
      first += static_cast<std::size_t>(counts_[level]);
    }
    draw_cables(
        network_, [](const auto& from, const auto& to) { return line_path(from.at, to.at); },
        picture_);
    picture_.width = 2 * fat_tree_margin + label_margin + inner_width_;
    picture_.height = 2 * fat_tree_margin + level_height * double(counts_.size() - (draws_hosts() ? 1 : 2));
    if (!draws_hosts())
      picture_.caption.push_back(
          fmt::format("{} hosts, {} below each switch of level 1, are not drawn",
                      grouped_digits(network_.num_hosts()), spec_.levels.front().children));
    return std::move(picture_);
  }

 private:
  bool draws_hosts() const { return network_.num_hosts() <= most_hosts; }

  int widest_level() const {
    const auto first = counts_.begin() + (draws_hosts() ? 0 : 1);
    return *std::max_element(first, counts_.end());
  }

  void place(std::size_t level, int first_vertex) {
    const int count = counts_[level], drawn = std::min(count, most_switches);
    const double y = fat_tree_margin + level_height * double(counts_.size() - 1 - level);
    for (int i = 0; i < drawn; ++i) {
      const double x = fat_tree_margin + label_margin + (i + 0.5) * inner_width_ / drawn;
      picture_.vertices.push_back({first_vertex + i, level == 0, {x, y}, name(level, i)});
    }
    const std::string what = level == 0 ? "hosts" : fmt::format("level {}", level);
    picture_.texts.push_back(
        {{fat_tree_margin, y + 4}, fmt::format("{}: {}", what, grouped_digits(count)), false});
    if (drawn < count)
      picture_.caption.push_back(fmt::format("Level {}: drawn are the first {} of {} switches",
                                             level, grouped_digits(drawn), grouped_digits(count)));
  }

  std::string name(std::size_t level, int position) const {
    return level == 0 ? network_.host_name(HostId{position})
                      : fmt::format("s{}.{}", level, position);
  }

  const Network& network_;
  const FatTreeSpec& spec_;
  NetworkPicture picture_;
  std::vector<int> counts_;  ///< vertices of each level, hosts first
  double inner_width_ = 0;
};

}  // namespace

NetworkPicture lay_out_fat_tree(const Network& network, const FatTreeSpec& spec) {
  return FatTreeLayout(network, spec).picture();
}

}  // namespace vtopo
