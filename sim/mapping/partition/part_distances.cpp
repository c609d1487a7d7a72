#include "sim/mapping/partition/part_distances.hpp"

#include <algorithm>

#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_samples = 16;

}  // namespace

PartDistances::PartDistances(const HostHierarchy& hierarchy, const HopTable& table)
    : table_(table) {
  Random random(1);
  for (const HostPart& part : hierarchy.parts) {
    auto& places = samples_.emplace_back();
    const std::int64_t size = part.last - part.first;
    const std::int64_t samples = std::min<std::int64_t>(size, max_samples);
    for (std::int64_t s = 0; s < samples; ++s) {
      const std::int64_t low = s * size / samples;
      const auto length = static_cast<std::uint64_t>((s + 1) * size / samples - low);
      const std::int64_t offset = low + static_cast<std::int64_t>(random.below(length));
      places.push_back(hierarchy.order[static_cast<std::size_t>(part.first + offset)]);
    }
  }
}

double PartDistances::between(int part, int other) const {
  const auto& from = samples_[static_cast<std::size_t>(part)];
  const auto& to = samples_[static_cast<std::size_t>(other)];
  std::int64_t hops = 0;
  for (const Place a : from)
    for (const Place b : to) hops += table_.hops(a, b) + table_.hops_back(a, b);
  return static_cast<double>(hops) / (2.0 * static_cast<double>(from.size() * to.size()));
}

double PartDistances::apart(int part, int other) const {
  const double more = between(part, other) - (between(part, part) + between(other, other)) / 2;
  return std::max(more, 1e-3);
}

}  // namespace vtopo::detail
