#include "sim/evaluation/bounds/torus_cuts.hpp"

#include <cstddef>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "topology/base/exact_division.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

/// What a dimension has per coordinate: plane c lies between c and the next coordinate.
struct Planes {
  int size;
  bool ring;  ///< sizes below 3 are meshes: all links of two coordinates are in one plane
  int stride;
  IdVector<int, std::int64_t> slots;
  IdVector<int, BytesPerSecond> capacity;

  int coordinate(int router) const { return router / stride % size; }
};

std::vector<Planes> planes_of(const TorusSpec& spec) {
  std::vector<Planes> all;
  int stride = 1;
  for (const TorusDimension& dimension : spec.dimensions) {
    const int size = dimension.size;
    all.push_back({size, dimension.wraps && size > 2, stride, IdVector<int, std::int64_t>(size),
                   IdVector<int, BytesPerSecond>(size)});
    stride *= dimension.size;
  }
  return all;
}

/// Adds a cable between two neighbours to its plane.
void add_link(std::vector<Planes>& all, int from, int to, BytesPerSecond capacity) {
  const int apart = std::abs(to - from);
  for (Planes& planes : all) {
    if (planes.size == 1) continue;
    const bool next = apart == planes.stride;
    const bool around = apart == planes.stride * (planes.size - 1);
    if (!next && !around) continue;
    const int low = planes.coordinate(std::min(from, to));
    const int high = planes.coordinate(std::max(from, to));
    if (low == high) continue;
    const int plane = high - low == 1 ? low : planes.size - 1;
    planes.capacity[plane] += capacity;
    return;
  }
}

/// The coordinates after plane `first` up to plane `last`.
NetworkCut cut_between(const Planes& planes, int first, int last) {
  NetworkCut cut;
  for (int c = first + 1; c <= last; ++c) cut.slots += planes.slots[c];
  cut.capacity = planes.capacity[last];
  if (first >= 0) cut.capacity += planes.capacity[first];
  return cut;
}

CutFamily family_of(const Planes& planes, std::size_t dimension) {
  CutFamily family{fmt::format("planes of dimension {}", dimension), {}, false, 1};
  if (!planes.ring) {
    for (int c = 0; c + 1 < planes.size; ++c) family.cuts.push_back(cut_between(planes, -1, c));
    return family;
  }
  const int half = planes.size / 2;
  const bool odd = planes.size % 2 == 1;
  if (odd) family.hops = 0.5;
  for (int c = 0; c < (odd ? planes.size : half); ++c) {
    const int other = (c + half) % planes.size;
    family.cuts.push_back(cut_between(planes, std::min(c, other), std::max(c, other)));
  }
  return family;
}

}  // namespace

BytesPerSecond cut_capacity(const LinkProperties& link) {
  return link.sharing == LinkSharing::fatpipe
             ? BytesPerSecond{std::numeric_limits<double>::infinity()}
             : link.bandwidth;
}

std::vector<CutFamily> torus_plane_cuts(const TorusSpec& spec, const Network& network,
                                        const Allocation& allocation) {
  auto all = planes_of(spec);
  const int per_router = spec.hosts_per_router;
  const int first_router = per_router > 1 ? network.num_hosts() : 0;
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place)
    for (Planes& planes : all) {
      const int c = planes.coordinate(number(allocation.hosts[place]) / per_router);
      planes.slots[c] += allocation.slots[place];
    }
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return {};
    if (std::min(ends->from, ends->to) < first_router) continue;
    add_link(all, ends->from - first_router, ends->to - first_router,
             cut_capacity(network.link(LinkId{l})));
  }
  std::vector<CutFamily> families;
  for (std::size_t d = 0; d < all.size(); ++d)
    if (all[d].size > 1) families.push_back(family_of(all[d], d));
  return families;
}

}  // namespace vtopo
