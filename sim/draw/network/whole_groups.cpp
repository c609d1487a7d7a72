#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "sim/draw/network/layouts.hpp"
#include "topology/base/counted.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_whole_groups = 128;
constexpr int max_described_groups = 40;  // the words of more would lie on each other
constexpr double described_gap = 130, numbered_gap = 40, least_circle = 260;
constexpr double words_away = 54;  // from a group to its words
constexpr double circle_margin = 120;
constexpr double line_of_words = 16;

/// Groups as vertices, what joins two of them as one stroke.
class WholeGroups {
 public:
  WholeGroups(const Network& network, const GroupLayout& layout)
      : network_(network),
        layout_(layout),
        drawn_(std::min(layout.groups.size, max_whole_groups)),
        is_described_(drawn_ <= max_described_groups) {
    const double apart = is_described_ ? described_gap : numbered_gap;
    radius_ = std::max(least_circle, apart * drawn_ / (2 * std::numbers::pi));
  }

  NetworkPicture picture() {
    picture_.width = picture_.height = 2 * (radius_ + circle_margin);
    count_hosts();
    for (int g = 0; g < drawn_; ++g) place(g);
    draw_bundles();
    write_caption();
    return std::move(picture_);
  }

 private:
  /// At `away` from the centre, in the direction of a group.
  Point at(int group, double away) const {
    const double angle = 2 * std::numbers::pi * group / drawn_ - std::numbers::pi / 2;
    const double centre = picture_.width / 2;
    return {centre + away * std::cos(angle), centre + away * std::sin(angle)};
  }

  /// Nothing where the network has no parts of the name of the groups.
  void count_hosts() {
    for (const HostParts& parts : network_.parts())
      if (parts.name == layout_.groups.name && !parts.by_dimension) {
        const HostPartition& partition = parts.partitions.front();
        if (partition.count != layout_.groups.size) continue;
        hosts_.assign(static_cast<std::size_t>(partition.count), 0);
        for (const int part : partition.part_of) ++hosts_[index(part)];
      }
  }

  std::string hosts_of(int group) const {
    return hosts_.empty() ? "" : grouped_digits(hosts_[index(group)]) + " hosts";
  }

  void place(int group) {
    const std::string switches = counted(layout_.start(group + 1) - layout_.start(group), "switch");
    const std::string name = layout_.groups.label(group), hosts = hosts_of(group);
    picture_.vertices.push_back(
        {group, false, at(group, radius_),
         fmt::format("{}: {}{}{}", name, switches, hosts.empty() ? "" : ", ", hosts)});
    Point words = at(group, radius_ + (is_described_ ? words_away : words_away / 2));
    if (!is_described_) {
      picture_.texts.push_back({{words.x, words.y + 4}, std::to_string(group)});
      return;
    }
    words.y -= 0.5 * line_of_words;
    for (const std::string& line : {name, switches, hosts}) {
      picture_.texts.push_back({words, line});
      words.y += line_of_words;
    }
  }

  /// Group of a router that is drawn; nothing for hosts and their interfaces.
  std::optional<int> drawn_group(int vertex) const {
    if (vertex < layout_.first_router) return std::nullopt;
    const int group = layout_.group_of(vertex - layout_.first_router);
    return group < drawn_ ? std::optional(group) : std::nullopt;
  }

  void draw_bundles() {
    std::map<std::pair<int, int>, std::size_t> known;
    for (int l = 0; l < network_.num_links(); ++l) {
      const auto ends = network_.link_ends(LinkId{l});
      if (!ends) continue;
      const auto from = drawn_group(ends->from), to = drawn_group(ends->to);
      if (!from || !to || *from == *to) continue;
      const auto [entry, is_new] = known.emplace(std::minmax(*from, *to), picture_.cables.size());
      if (is_new) {
        picture_.cables.push_back({LinkId{l}, std::nullopt, network_.link_class(LinkId{l}),
                                   line_path(at(*from, radius_), at(*to, radius_))});
        start_.push_back(*from);
        continue;
      }
      DrawnCable& bundle = picture_.cables[entry->second];
      if (start_[entry->second] == *from)
        ++bundle.cables;
      else if (!bundle.back)
        bundle.back = LinkId{l};
    }
  }

  void write_caption() {
    const LayoutAxis& groups = layout_.groups;
    if (drawn_ < groups.size)
      picture_.caption.push_back(fmt::format("Drawn: the first {} of {} {}", drawn_,
                                             grouped_digits(groups.size), layout_.plural));
    int fewest = 0, most = 0;
    for (const DrawnCable& bundle : picture_.cables) {
      fewest = most == 0 ? bundle.cables : std::min(fewest, bundle.cables);
      most = std::max(most, bundle.cables);
    }
    const std::string cables =
        fewest == most ? counted(most, "cable") : fmt::format("{} to {} cables", fewest, most);
    picture_.caption.push_back(
        fmt::format("A circle is a {} with all its switches, a line {}", groups.name, cables));
    picture_.caption.push_back(fmt::format("Not drawn: {} routers, {}",
                                           grouped_digits(layout_.start(groups.size)),
                                           layout_.inner_cables));
    picture_.caption.push_back(fmt::format("{} hosts, {}, are not drawn",
                                           grouped_digits(network_.num_hosts()), layout_.hosts));
  }

  const Network& network_;
  const GroupLayout& layout_;
  NetworkPicture picture_;
  int drawn_;
  bool is_described_;  ///< with numbers of switches and hosts
  double radius_ = 0;
  std::vector<int> hosts_;  ///< of each group; empty if not known
  std::vector<int> start_;  ///< group from which the first link of each stroke leads
};

}  // namespace

NetworkPicture lay_out_whole_groups(const Network& network, const GroupLayout& layout) {
  return WholeGroups(network, layout).picture();
}

}  // namespace vtopo::detail
