#include "netmodels/fat_tree.hpp"

#include "netmodels/modelled_network.hpp"
#include "topology/error.hpp"
#include "topology/narrow.hpp"

namespace vtopo {

namespace {

/// A level of nodes with the cables that lead up from it. A node of level l has one digit per
/// level: below l the parent taken on the way up (radix w), from l on the subtree it stands in
/// (radix m); its position counts with digit 0 fastest: position = low + low_radix * (subtree
/// digits).
struct Level {
  FatTreeLevel shape;
  int low_radix;  ///< product of `parents` of the levels below: distinct low parts
  int leaves;     ///< product of `children` of the levels below: hosts under one subtree digit
  int first_vertex;
  int first_cable;

  int ports() const { return shape.parents * shape.cables; }
  int position(int low, int host) const { return low + low_radix * (host / leaves); }
  int cable(int below, int port) const { return first_cable + below * ports() + port; }
};

/// The choice between parallel cables on the way down. SimGrid looks for the child among the ports
/// of a switch (child digit + cable * children), from the cable source modulo cables on; having
/// found it, it goes on in the switch below from the next port, and starts afresh there only if the
/// child is not among the ports that are left.
class DownPort {
 public:
  explicit DownPort(int source) : source_(source) {}

  int cable(const FatTreeLevel& shape, int digit) {
    int port = next_at_least(next_, digit, shape.children);
    if (next_ == 0 || port >= shape.children * shape.cables)
      port = source_ % shape.cables * shape.children + digit;
    next_ = port + 1;
    return port / shape.children;
  }

 private:
  /// Smallest number >= `least` that is `digit` modulo `children`.
  static int next_at_least(int least, int digit, int children) {
    if (digit >= least) return digit;
    return digit + (least - digit + children - 1) / children * children;
  }

  int source_;
  int next_ = 0;  ///< port to go on from; 0 at the peak
};

class FatTree final : public ModelledNetwork {
 public:
  explicit FatTree(const FatTreeSpec& spec) : ModelledNetwork(spec.defaults) {
    if (spec.levels.empty()) throw UsageError("a fat tree needs at least one level");
    num_hosts_ = count_hosts(spec);
    std::int64_t low_radix = 1, leaves = 1, vertices = 0, cables = 0;
    for (const auto& shape : spec.levels) {
      levels_.push_back({shape, narrow<int>(low_radix), narrow<int>(leaves), narrow<int>(vertices),
                         narrow<int>(cables)});
      const std::int64_t here = checked(low_radix * (num_hosts_ / leaves));
      vertices = checked(vertices + here);
      const std::int64_t ports = checked(std::int64_t{shape.parents} * shape.cables);
      cables = checked(cables + checked(here * ports));
      checked(2 * cables);
      low_radix = checked(low_radix * shape.parents);
      leaves *= shape.children;
      if (shape.children > 1) top_ = int_size(levels_);
    }
    first_root_ = narrow<int>(vertices);
    num_cables_ = narrow<int>(cables);
  }

  int num_hosts() const override { return num_hosts_; }
  int num_links() const override { return 2 * num_cables_; }
  LinkProperties link(LinkId) const override { return {defaults().bandwidth, defaults().latency}; }

  std::string link_name(LinkId link) const override {
    const auto [from, to] = *link_ends(link);
    const Level& level = level_of(link);
    const int port = (number(link) / 2 - level.first_cable) % level.ports();
    const std::string suffix =
        level.shape.cables > 1 ? fmt::format("#{}", port / level.shape.parents) : "";
    return vertex_name(from) + "->" + vertex_name(to) + suffix;
  }

  std::optional<LinkEnds> link_ends(LinkId link) const override {
    const Level& level = level_of(link);
    const int cable = number(link) / 2 - level.first_cable;
    const int position = cable / level.ports();
    const int digit = cable % level.ports() % level.shape.parents;
    const int parent =
        position % level.low_radix + level.low_radix * digit +
        level.low_radix * level.shape.parents * (position / level.low_radix / level.shape.children);
    const int below = level.first_vertex + position;
    const int above = first_vertex_above(level) + parent;
    return number(link) % 2 == 0 ? LinkEnds{below, above} : LinkEnds{above, below};
  }

  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    const int peak = peak_level(source, destination);
    const int from = number(source), to = number(destination);
    int low = 0;
    for (int l = 0; l < peak; ++l) {
      const Level& level = levels_[static_cast<std::size_t>(l)];
      const int port = to / level.low_radix % level.ports();
      links.push_back(LinkId{2 * level.cable(level.position(low, from), port)});
      low += level.low_radix * (port % level.shape.parents);
    }
    DownPort down(from);
    for (int l = peak - 1; l >= 0; --l) {
      const Level& level = levels_[static_cast<std::size_t>(l)];
      const int parent_digit = low / level.low_radix;
      low %= level.low_radix;
      const int cable = down.cable(level.shape, to / level.leaves % level.shape.children);
      const int port = parent_digit + cable * level.shape.parents;
      links.push_back(LinkId{2 * level.cable(level.position(low, to), port) + 1});
    }
  }

  int hops(HostId source, HostId destination) const override {
    return 2 * peak_level(source, destination);
  }

  int diameter() const override { return 2 * top_; }

  BytesPerSecond injection_bandwidth(HostId) const override {
    return defaults().bandwidth * levels_.front().ports();
  }

  std::string description() const override {
    std::string children, parents, cables;
    for (const auto& [shape, low_radix, leaves, vertex, cable] : levels_) {
      const char* comma = children.empty() ? "" : ",";
      children += fmt::format("{}{}", comma, shape.children);
      parents += fmt::format("{}{}", comma, shape.parents);
      cables += fmt::format("{}{}", comma, shape.cables);
    }
    return fmt::format("fat-tree:{};{};{};{}", levels_.size(), children, parents, cables);
  }

 private:
  static std::int64_t checked(std::int64_t count) {
    if (count > max_id)
      throw UsageError("fat tree with more than 2147483647 directed links or switches");
    return count;
  }

  static int count_hosts(const FatTreeSpec& spec) {
    std::int64_t hosts = 1;
    for (const auto& [children, parents, cables, rates] : spec.levels) {
      for (const int count : {children, parents, cables})
        if (count < 1)
          throw UsageError(fmt::format("fat-tree number {}: each must be >= 1", count));
      hosts *= children;
      if (hosts > max_id) throw UsageError("fat tree with more than 2147483647 hosts");
    }
    return narrow<int>(hosts);
  }

  /// Level of the lowest common switch: one above the highest digit in which the hosts differ.
  int peak_level(HostId source, HostId destination) const {
    int l = top_;
    while (l > 0) {
      const int leaves = levels_[static_cast<std::size_t>(l) - 1].leaves;
      if (number(source) / leaves != number(destination) / leaves) break;
      --l;
    }
    return l;
  }

  const Level& level_of(LinkId link) const {
    std::size_t l = levels_.size() - 1;
    while (levels_[l].first_cable > number(link) / 2) --l;
    return levels_[l];
  }

  int first_vertex_above(const Level& level) const {
    const auto above = static_cast<std::size_t>(&level - levels_.data()) + 1;
    return above < levels_.size() ? levels_[above].first_vertex : first_root_;
  }

  std::string vertex_name(int vertex) const {
    if (vertex < num_hosts_) return host_name(HostId{vertex});
    if (vertex >= first_root_) return fmt::format("s{}.{}", levels_.size(), vertex - first_root_);
    std::size_t l = levels_.size() - 1;
    while (levels_[l].first_vertex > vertex) --l;
    return fmt::format("s{}.{}", l, vertex - levels_[l].first_vertex);
  }

  std::vector<Level> levels_;
  int num_hosts_ = 0;
  int num_cables_ = 0;
  int first_root_ = 0;
  int top_ = 0;  ///< highest level at which hosts can differ, plus one
};

}  // namespace

std::shared_ptr<const Network> make_fat_tree(const FatTreeSpec& spec) {
  return std::make_shared<FatTree>(spec);
}

}  // namespace vtopo
