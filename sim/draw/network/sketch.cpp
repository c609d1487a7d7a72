#include "sim/draw/network/sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "sim/draw/network/layouts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_nodes = 500;
constexpr int max_groups = 256;
constexpr int fewest_groups = 12;

/// Adds links one by one; the second between two nodes the other way belongs to the first.
class Cables {
 public:
  explicit Cables(std::vector<SketchEdge>& edges) : edges_(edges) {}

  void add(int from, int to, LinkId link) {
    if (from == to) return;
    const auto [entry, is_new] = known_.emplace(std::minmax(from, to), edges_.size());
    if (is_new) {
      edges_.push_back({from, to, link, std::nullopt, 1});
      return;
    }
    SketchEdge& edge = edges_[entry->second];
    if (edge.from == from)
      ++edge.cables;
    else if (!edge.back)
      edge.back = link;
  }

 private:
  std::vector<SketchEdge>& edges_;
  std::map<std::pair<int, int>, std::size_t> known_;
};

/// Links from each node to the nearest host.
void set_levels(Sketch& sketch) {
  std::vector<std::vector<int>> next(sketch.nodes.size());
  for (const SketchEdge& edge : sketch.edges) {
    next[index(edge.from)].push_back(edge.to);
    next[index(edge.to)].push_back(edge.from);
  }
  std::vector<int> queue;
  for (std::size_t n = 0; n < sketch.nodes.size(); ++n) {
    sketch.nodes[n].level = sketch.nodes[n].is_host ? 0 : -1;
    if (sketch.nodes[n].is_host) queue.push_back(narrow<int>(n));
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const int neighbour : next[index(queue[i])]) {
      SketchNode& node = sketch.nodes[index(neighbour)];
      if (node.level >= 0) continue;
      node.level = sketch.nodes[index(queue[i])].level + 1;
      queue.push_back(neighbour);
    }
  for (SketchNode& node : sketch.nodes) node.level = std::max(0, node.level);
}

/// Vertices, and the links of which it is known between which of them they lie.
Sketch sketch_of_vertices(const Network& network, const JobPart& part) {
  Sketch sketch;
  std::vector<std::pair<LinkId, LinkEnds>> sides;
  int num_vertices = network.num_hosts();
  for (int l = 0; l < network.num_links(); ++l)
    if (const auto known = network.link_sides(LinkId{l})) {
      sides.emplace_back(LinkId{l}, *known);
      num_vertices = std::max({num_vertices, known->from + 1, known->to + 1});
    }
  if (int_size(sides) < network.num_links())
    sketch.remarks.push_back(fmt::format("Not drawn: {} links of which no ends are known",
                                         grouped_digits(network.num_links() - int_size(sides))));
  std::vector<int> node_of(index(num_vertices), -1);
  for (int v = 0; v < num_vertices; ++v) {
    if (!part.has(v)) continue;
    const bool is_host = v < network.num_hosts();
    node_of[index(v)] = int_size(sketch.nodes);
    sketch.nodes.push_back({network.vertex_name(v), is_host, 0, is_host ? 1 : 0, v});
  }
  Cables cables(sketch.edges);
  for (const auto& [link, ends] : sides) {
    const int from = node_of[index(ends.from)], to = node_of[index(ends.to)];
    if (from >= 0 && to >= 0) cables.add(from, to, link);
  }
  set_levels(sketch);
  return sketch;
}

/// One node per group; `group_of` has one entry per node.
Sketch grouped(const Sketch& whole, const std::vector<int>& group_of, int count,
               const std::string& what) {
  Sketch sketch{{}, {}, whole.remarks};
  sketch.nodes.resize(static_cast<std::size_t>(count));
  std::vector<int> members(static_cast<std::size_t>(count), 0);
  for (std::size_t n = 0; n < whole.nodes.size(); ++n) {
    const SketchNode& member = whole.nodes[n];
    SketchNode& group = sketch.nodes[index(group_of[n])];
    if (members[index(group_of[n])]++ == 0)
      group = {member.name, member.is_host, member.level, 0, member.vertex};
    group.hosts += member.hosts;
    group.is_host = group.is_host && member.is_host;
    group.level = std::min(group.level, member.level);
  }
  int most = 0;
  for (std::size_t g = 0; g < sketch.nodes.size(); ++g) {
    SketchNode& group = sketch.nodes[g];
    most = std::max(most, members[g]);
    if (members[g] == 1) continue;
    group.vertex = -1;
    group.name += fmt::format(" and {} more: {} hosts", grouped_digits(members[g] - 1),
                              grouped_digits(group.hosts));
  }
  std::map<std::pair<int, int>, std::size_t> known;
  for (const SketchEdge& edge : whole.edges) {
    const int from = group_of[index(edge.from)], to = group_of[index(edge.to)];
    if (from == to) continue;
    const auto [entry, is_new] = known.emplace(std::minmax(from, to), sketch.edges.size());
    if (is_new)
      sketch.edges.push_back({from, to, edge.link, edge.back, edge.cables});
    else
      sketch.edges[entry->second].cables += edge.cables;
  }
  sketch.remarks.push_back(fmt::format("{} vertices are drawn as {} {} of up to {}",
                                       grouped_digits(narrow<std::int64_t>(whole.nodes.size())),
                                       count, what, grouped_digits(most)));
  return sketch;
}

/// Hosts with one neighbour belong to it.
Sketch without_leaves(const Sketch& whole) {
  std::vector<int> only(whole.nodes.size(), -1);
  std::vector<bool> several(whole.nodes.size());
  for (const SketchEdge& edge : whole.edges)
    for (const auto& [node, other] :
         {std::pair(edge.from, edge.to), std::pair(edge.to, edge.from)}) {
      several[index(node)] = several[index(node)] || (only[index(node)] >= 0);
      only[index(node)] = other;
    }
  std::vector<int> group_of(whole.nodes.size(), -1);
  int count = 0;
  const auto hangs_on = [&](std::size_t n) {
    return whole.nodes[n].is_host && only[n] >= 0 && !several[n] &&
           !whole.nodes[index(only[n])].is_host;
  };
  for (std::size_t n = 0; n < whole.nodes.size(); ++n)
    if (!hangs_on(n)) group_of[n] = count++;
  for (std::size_t n = 0; n < whole.nodes.size(); ++n)
    if (hangs_on(n)) group_of[n] = group_of[index(only[n])];
  if (count == int_size(whole.nodes)) return whole;
  return grouped(whole, group_of, count, "switches and hosts, switches with their hosts");
}

/// Parts of the network, the largest number of them that is not too large; what is outside of all
/// parts belongs to the group of its level.
std::optional<Sketch> by_parts(const Network& network, const Sketch& whole) {
  const VertexCells* best = nullptr;
  const auto families = network.cuts();
  for (const VertexCells& cells : families)
    if (cells.count <= max_groups && (best == nullptr || cells.count > best->count)) best = &cells;
  if (best == nullptr || best->count < fewest_groups) return std::nullopt;
  std::vector<int> group_of;
  std::map<int, int> group_of_level;
  int count = best->count;
  for (std::size_t v = 0; v < whole.nodes.size(); ++v) {
    const int part = best->of(narrow<int>(v));
    if (part >= 0) {
      group_of.push_back(part);
      continue;
    }
    const auto [entry, is_new] = group_of_level.emplace(whole.nodes[v].level, count);
    if (is_new) ++count;
    group_of.push_back(entry->second);
  }
  return grouped(whole, group_of, count, "groups (" + best->name + ")");
}

/// What is nearest to one of some nodes.
Sketch by_nearness(const Sketch& whole) {
  std::vector<std::vector<int>> next(whole.nodes.size());
  for (const SketchEdge& edge : whole.edges) {
    next[index(edge.from)].push_back(edge.to);
    next[index(edge.to)].push_back(edge.from);
  }
  std::vector<int> group_of(whole.nodes.size(), -1), queue;
  int count = 0;
  const auto start = [&](std::size_t node) {
    if (group_of[node] >= 0) return;
    group_of[node] = count++;
    queue.push_back(narrow<int>(node));
  };
  for (int g = 0; g < max_groups; ++g)
    start(whole.nodes.size() * static_cast<std::size_t>(g) / max_groups);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const int neighbour : next[index(queue[i])]) {
      if (group_of[index(neighbour)] >= 0) continue;
      group_of[index(neighbour)] = group_of[index(queue[i])];
      queue.push_back(neighbour);
    }
  const int others = count;  // what no path leads to
  for (int& group : group_of)
    if (group < 0) group = others, count = others + 1;
  return grouped(whole, group_of, count, "groups of neighbours");
}

}  // namespace

Sketch make_sketch(const Network& network, const JobPart& part) {
  Sketch sketch = sketch_of_vertices(network, {});
  if (sketch.nodes.size() <= max_nodes) return sketch;
  if (!part.is_all())
    if (Sketch used = sketch_of_vertices(network, part); used.nodes.size() <= max_nodes) {
      used.remarks.push_back(fmt::format(
          "Drawn is what carries something: {} of {} hosts, routers and switches",
          used.nodes.size(), grouped_digits(narrow<std::int64_t>(sketch.nodes.size()))));
      return used;
    }
  Sketch shorter = without_leaves(sketch);
  if (shorter.nodes.size() <= max_nodes) return shorter;
  if (auto parts = by_parts(network, sketch)) return std::move(*parts);
  return by_nearness(sketch);
}

}  // namespace vtopo::detail
