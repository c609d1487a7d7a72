#pragma once

#include <optional>

#include "netmodels/models/fat_tree/levels.hpp"

namespace vtopo::detail {

/// The choice between parallel cables on the way down. SimGrid looks for the child among the ports
/// of a switch (child digit + cable * children), from the cable source modulo cables on; having
/// found it, it goes on in the switch below from the next port, and starts afresh there only if the
/// child is not among the ports that are left.
class SimgridDownPort {
 public:
  explicit SimgridDownPort(int source) : source_(source) {}

  /// Cable to the child `digit` of a switch above the cables `below`.
  int cable(const FatTreeCables& below, int digit) {
    const auto& [children, parents, cables, rates] = below.shape;
    int port = next_at_least(next_, digit, below);
    if (next_ == 0 || port >= children * cables)
      port = below.by_cables.remainder(source_) * children + digit;
    next_ = port + 1;
    return below.by_children.quotient(port);
  }

 private:
  /// Smallest number >= `least` that is `digit` modulo the children.
  static int next_at_least(int least, int digit, const FatTreeCables& below) {
    if (digit >= least) return digit;
    const int children = below.shape.children;
    return digit + below.by_children.quotient(least - digit + children - 1) * children;
  }

  int source_;
  int next_ = 0;  ///< port to go on from; 0 at the peak
};

/// Routes of a fat tree: up by D-mod-k (port = destination / parents below, modulo parents *
/// cables), down the only way there is, over cables by D-mod-k or as SimGrid. In a plane as in a
/// tree of its own, in which hosts have one parent.
class FatTreeRoutes {
 public:
  FatTreeRoutes(const FatTreeLevels& levels, DownCables down, std::optional<FlowPlanes> planes)
      : levels_(levels), planes_(planes) {
    bool parallel = false;
    for (const FatTreeCables& level : levels.all()) parallel = parallel || level.shape.cables > 1;
    simgrid_down_ = parallel && down == DownCables::simgrid;
  }

  /// Calls `up(level, link)` and `down(level, link)` for the two links of each level of the route,
  /// in no particular order, and returns its peak: it goes up levels 0..peak-1 and down
  /// peak-1..0. Divides nothing, for it is what sums of traffic spend their time in.
  template <class Up, class Down>
  int visit(HostId source, HostId destination, const Up& up, const Down& down) const {
    const int from = number(source), to = number(destination);
    if (planes_) return visit_in_planes(from, to, up, down);
    int level = 0, low = 0;
    for (; level < levels_.size(); ++level) {
      const FatTreeCables& here = levels_[level];
      const int source_tree = here.by_leaves.quotient(from);
      const int tree = here.by_leaves.quotient(to);
      if (source_tree == tree) break;
      const int port = here.by_ports.remainder(here.by_low_radix.quotient(to));
      up(level, LinkId{2 * here.cable(low + here.low_radix * source_tree, port)});
      // D-mod-k leads down over the cable by which it would lead up from the destination.
      if (!simgrid_down_)
        down(level, LinkId{2 * here.cable(low + here.low_radix * tree, port) + 1});
      low += here.low_radix * here.by_parents.remainder(port);
    }
    if (simgrid_down_) visit_simgrid_down(from, to, level, low, down);
    return level;
  }

  /// Level of the switches at which the route of two hosts turns.
  int peak(int from, int to) const {
    const bool changes_plane = planes_ && planes_->out != planes_->in && from != to;
    return changes_plane ? levels_.size() : levels_.peak(from, to);
  }

 private:
  template <class Up, class Down>
  int visit_in_planes(int from, int to, const Up& up, const Down& down) const {
    const auto [out, in, joined] = *planes_;
    const int planes = levels_.planes(), top = peak(from, to);
    int low_out = 0, low_in = 0;
    for (int level = 0; level < top; ++level) {
      const FatTreeCables& here = levels_[level];
      const bool at_host = level == 0;
      const int parents = at_host ? 1 : here.shape.parents;
      const int choice =
          to / (at_host ? 1 : here.low_radix / planes) % (parents * here.shape.cables);
      const auto port = [&](int plane) { return at_host ? plane + planes * choice : choice; };
      const int from_tree = here.by_leaves.quotient(from), to_tree = here.by_leaves.quotient(to);
      up(level, LinkId{2 * here.cable(low_out + here.low_radix * from_tree, port(out))});
      if (!simgrid_down_)
        down(level, LinkId{2 * here.cable(low_in + here.low_radix * to_tree, port(in)) + 1});
      low_out += here.low_radix * (at_host ? out : choice % parents);
      low_in += here.low_radix * (at_host ? in : choice % parents);
    }
    if (simgrid_down_) visit_simgrid_down(from, to, top, low_in, down);
    return top;
  }

  template <class Down>
  void visit_simgrid_down(int from, int to, int peak, int low, const Down& down) const {
    SimgridDownPort down_port(from);
    for (int level = peak - 1; level >= 0; --level) {
      const FatTreeCables& below = levels_[level];
      const int parent_digit = below.by_low_radix.quotient(low);
      low -= parent_digit * below.low_radix;
      const int tree = below.by_leaves.quotient(to);
      const int cable = down_port.cable(below, below.by_children.remainder(tree));
      const int port = parent_digit + cable * below.shape.parents;
      down(level, LinkId{2 * below.cable(low + below.low_radix * tree, port) + 1});
    }
  }

  const FatTreeLevels& levels_;
  std::optional<FlowPlanes> planes_;  ///< that all flows keep to
  bool simgrid_down_ = false;
};

}  // namespace vtopo::detail
