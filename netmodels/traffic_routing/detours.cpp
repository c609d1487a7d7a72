#include "netmodels/traffic_routing/detours.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/parallel.hpp"

namespace vtopo {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t max_pairs = std::size_t{1} << 27;  // of 14 bytes

/// Pairs of a destination and a vertex.
std::size_t pairs_of(std::size_t destinations, std::size_t vertices) {
  if (destinations <= max_pairs / std::max<std::size_t>(vertices, 1))
    return destinations * vertices;
  throw UsageError(fmt::format(
      "ideal routing keeps distances of {} vertices to {} destinations; accepted are up "
      "to {} pairs of them",
      vertices, destinations, max_pairs));
}

}  // namespace

Detours::Detours(const LinkGraph& graph, std::vector<int> destinations)
    : graph_(graph),
      destinations_(std::move(destinations)),
      vertices_(static_cast<std::size_t>(graph.num_vertices())),
      hops_(pairs_of(destinations_.size(), vertices_), unreached),
      length_(destinations_.size() * vertices_, infinite),
      order_(destinations_.size() * vertices_, -1) {
  for (std::size_t d = 0; d < destinations_.size(); ++d) count_hops_to(d);
}

void Detours::count_hops_to(std::size_t destination) {
  std::uint16_t* const hops = hops_.data() + destination * vertices_;
  int* const order = order_.data() + destination * vertices_;
  const int end = destinations_[destination];
  std::size_t known = 1;
  order[0] = end;
  hops[end] = 0;
  for (std::size_t next = 0; next < known; ++next) {
    const int here = order[next];
    if (here != end && !graph_.passes_on(here)) continue;
    for (const Arc& arc : graph_.in_arcs(here)) {
      if (hops[arc.from] != unreached) continue;
      hops[arc.from] = static_cast<std::uint16_t>(hops[here] + 1);
      order[known++] = arc.from;
    }
  }
}

void Detours::measure(const std::vector<double>& lengths, int threads) {
  parallel_for(destinations_.size(), threads, [&](std::size_t d) { measure_to(d, lengths); });
}

void Detours::measure_to(std::size_t destination, const std::vector<double>& lengths) {
  const std::uint16_t* const hops = hops_.data() + destination * vertices_;
  const int* const order = order_.data() + destination * vertices_;
  double* const length = length_.data() + destination * vertices_;
  const int end = destinations_[destination];
  for (std::size_t next = 0; next < vertices_ && order[next] >= 0; ++next)
    length[order[next]] = infinite;
  length[end] = 0;
  for (std::size_t next = 0; next < vertices_ && order[next] >= 0; ++next) {
    const int here = order[next];
    if (here != end && !graph_.passes_on(here)) continue;
    for (const Arc& arc : graph_.in_arcs(here))
      if (hops[arc.from] == hops[here] + 1)
        length[arc.from] = std::min(length[arc.from], length[here] + lengths[index(arc.link)]);
  }
}

void Detours::measure_from(int vertex, const std::vector<double>& lengths, FromVertex& legs) const {
  legs.hops.assign(vertices_, unreached);
  legs.length.assign(vertices_, infinite);
  legs.queue.assign(1, vertex);
  legs.hops[index(vertex)] = 0;
  legs.length[index(vertex)] = 0;
  for (std::size_t next = 0; next < legs.queue.size(); ++next) {
    const int here = legs.queue[next];
    if (here != vertex && !graph_.passes_on(here)) continue;
    const auto hops = static_cast<std::uint16_t>(legs.hops[index(here)] + 1);
    for (const Arc& arc : graph_.out_arcs(here)) {
      if (legs.hops[index(arc.to)] == unreached) {
        legs.hops[index(arc.to)] = hops;
        legs.queue.push_back(arc.to);
      }
      if (legs.hops[index(arc.to)] == hops)
        legs.length[index(arc.to)] = std::min(legs.length[index(arc.to)],
                                              legs.length[index(here)] + lengths[index(arc.link)]);
    }
  }
}

void Detours::append_leg_from(const FromVertex& legs, int vertex,
                              const std::vector<double>& lengths,
                              std::vector<LinkId>& links) const {
  for (int here = vertex; legs.hops[index(here)] > 0;) {
    const int start = legs.queue.front();
    for (const Arc& arc : graph_.in_arcs(here)) {
      if (legs.hops[index(arc.from)] + 1 != legs.hops[index(here)] ||
          (arc.from != start && !graph_.passes_on(arc.from)) ||
          legs.length[index(arc.from)] + lengths[index(arc.link)] != legs.length[index(here)])
        continue;
      links.push_back(arc.link);
      here = arc.from;
      break;
    }
  }
}

void Detours::append_leg_to(std::size_t destination, int vertex, const std::vector<double>& lengths,
                            std::vector<LinkId>& links) const {
  const std::uint16_t* const hops = hops_.data() + destination * vertices_;
  const double* const length = length_.data() + destination * vertices_;
  const int end = destinations_[destination];
  for (int here = vertex; here != end;) {
    for (const Arc& arc : graph_.out_arcs(here)) {
      if (hops[arc.to] + 1 != hops[here] || (arc.to != end && !graph_.passes_on(arc.to)) ||
          length[arc.to] + lengths[index(arc.link)] != length[here])
        continue;
      links.push_back(arc.link);
      here = arc.to;
      break;
    }
  }
}

}  // namespace vtopo
