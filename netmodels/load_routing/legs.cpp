#include "netmodels/load_routing/legs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double no_leg = std::numeric_limits<double>::infinity();
constexpr std::size_t max_pairs = std::size_t{1} << 27;  // of about 10 bytes
constexpr std::size_t bits = 8;

/// Pairs of a root and a vertex.
std::size_t pairs_of(std::size_t roots, std::size_t vertices) {
  if (roots <= max_pairs / std::max<std::size_t>(vertices, 1)) return roots * vertices;
  throw UsageError(
      fmt::format("routing by loads keeps the shortest paths between {} vertices and {} ends of "
                  "flows; accepted are up to {} pairs of them",
                  vertices, roots, max_pairs));
}

}  // namespace

Legs::Legs(const LinkGraph& graph, std::vector<int> roots, Direction direction)
    : graph_(graph),
      roots_(std::move(roots)),
      is_to_root_(direction == Direction::to_root),
      vertices_(static_cast<std::size_t>(graph.num_vertices())),
      first_arc_{0},
      first_byte_{0},
      order_(pairs_of(roots_.size(), vertices_), -1) {
  for (int v = 0; v < graph.num_vertices(); ++v) {
    const std::size_t arcs = arcs_of(v).size();
    first_arc_.push_back(first_arc_.back() + arcs);
    first_byte_.push_back(first_byte_.back() + (arcs + bits - 1) / bits);
  }
  is_leg_.resize(roots_.size() * first_byte_.back());
  length_of_arc_.resize(first_arc_.back());
  for (std::size_t r = 0; r < roots_.size(); ++r) search(r);
}

std::span<const Arc> Legs::arcs_of(int vertex) const {
  return is_to_root_ ? graph_.out_arcs(vertex) : graph_.in_arcs(vertex);
}

std::span<const Arc> Legs::arcs_back_of(int vertex) const {
  return is_to_root_ ? graph_.in_arcs(vertex) : graph_.out_arcs(vertex);
}

void Legs::search(std::size_t root) {
  std::vector<int> hops(vertices_, LinkGraph::unreachable);
  int* const order = order_.data() + root * vertices_;
  const int end = roots_[root];
  const auto leads_on = [&](int vertex) { return vertex == end || graph_.passes_on(vertex); };
  std::size_t known = 1;
  order[0] = end;
  hops[index(end)] = 0;
  for (std::size_t next = 0; next < known; ++next) {
    const int here = order[next];
    if (!leads_on(here)) continue;
    for (const Arc& arc : arcs_back_of(here)) {
      if (hops[index(back_of(arc))] != LinkGraph::unreachable) continue;
      hops[index(back_of(arc))] = hops[index(here)] + 1;
      order[known++] = back_of(arc);
    }
  }
  std::uint8_t* const is_leg = is_leg_.data() + root * first_byte_.back();
  for (std::size_t next = 1; next < known; ++next) {
    const auto vertex = index(order[next]);
    const auto arcs = arcs_of(order[next]);
    for (std::size_t a = 0; a < arcs.size(); ++a)
      if (hops[index(next_of(arcs[a]))] + 1 == hops[vertex] && leads_on(next_of(arcs[a])))
        is_leg[first_byte_[vertex] + a / bits] |= static_cast<std::uint8_t>(1U << a % bits);
  }
}

template <class Visit>
void Legs::for_each_arc(std::size_t root, int vertex, Visit visit) const {
  const std::uint8_t* const is_leg = is_leg_.data() + root * first_byte_.back();
  const Arc* const arcs = arcs_of(vertex).data();
  std::size_t first = 0;
  for (auto b = first_byte_[index(vertex)]; b < first_byte_[index(vertex) + 1]; ++b, first += bits)
    for (unsigned left = is_leg[b]; left != 0; left &= left - 1) {
      const auto at = first + static_cast<std::size_t>(std::countr_zero(left));
      visit(arcs[at], first_arc_[index(vertex)] + at);
    }
}

void Legs::set_lengths(const std::vector<double>& lengths) {
  for (int v = 0; v < graph_.num_vertices(); ++v) {
    const auto arcs = arcs_of(v);
    for (std::size_t a = 0; a < arcs.size(); ++a)
      length_of_arc_[first_arc_[index(v)] + a] = lengths[index(arcs[a].link)];
  }
}

void Legs::measure(std::size_t root, std::span<double> length) const {
  const int* const order = order_.data() + root * vertices_;
  std::fill(length.begin(), length.end(), no_leg);
  length[index(order[0])] = 0;
  for (std::size_t next = 1; next < vertices_ && order[next] >= 0; ++next) {
    double least = no_leg;
    for_each_arc(root, order[next], [&](const Arc& arc, std::size_t at) {
      least = std::min(least, length[index(next_of(arc))] + length_of_arc_[at]);
    });
    length[index(order[next])] = least;
  }
}

/// The leg is walked towards the root, each time by the first arc of those by which it is shortest.
template <class LengthBy>
void Legs::append_walk(std::size_t root, int vertex, LengthBy length_by,
                       std::vector<LinkId>& links) const {
  const auto first = static_cast<std::ptrdiff_t>(links.size());
  while (vertex != roots_[root]) {
    Arc by;
    double least = no_leg;
    for_each_arc(root, vertex, [&](const Arc& arc, std::size_t at) {
      const double length = length_by(arc, at);
      if (length >= least) return;
      least = length;
      by = arc;
    });
    links.push_back(by.link);
    vertex = next_of(by);
  }
  if (!is_to_root_) std::reverse(links.begin() + first, links.end());
}

void Legs::append_leg(std::size_t root, std::span<const double> length, int vertex,
                      std::vector<LinkId>& links) const {
  append_walk(
      root, vertex,
      [&](const Arc& arc, std::size_t at) {
        return length[index(next_of(arc))] + length_of_arc_[at];
      },
      links);
}

bool Legs::append_shortest(std::size_t root, int vertex, const std::vector<double>& lengths,
                           Search& search, std::vector<LinkId>& links) const {
  constexpr double not_met = -1;
  std::vector<double>& length = search.length;
  std::vector<int>& met = search.met;
  length.resize(vertices_, not_met);
  met.assign(1, vertex);
  length[index(vertex)] = no_leg;
  for (std::size_t next = 0; next < met.size(); ++next)
    for_each_arc(root, met[next], [&](const Arc& arc, std::size_t) {
      if (length[index(next_of(arc))] != not_met) return;
      length[index(next_of(arc))] = no_leg;
      met.push_back(next_of(arc));
    });
  const bool is_joined = met.back() == roots_[root];
  const auto by_way_of = [&](const Arc& arc, std::size_t) {
    return length[index(next_of(arc))] + lengths[index(arc.link)];
  };
  length[index(roots_[root])] = 0;
  for (std::size_t m = met.size() - 1; m-- > 0;)
    for_each_arc(root, met[m], [&](const Arc& arc, std::size_t at) {
      length[index(met[m])] = std::min(length[index(met[m])], by_way_of(arc, at));
    });
  if (is_joined) append_walk(root, vertex, by_way_of, links);
  for (const int v : met) length[index(v)] = not_met;
  return is_joined;
}

}  // namespace vtopo::detail
