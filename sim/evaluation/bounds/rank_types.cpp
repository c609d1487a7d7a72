#include "sim/evaluation/bounds/rank_types.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <unordered_map>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

std::uint64_t hash(const std::vector<double>& volumes) {
  std::uint64_t value = 14695981039346656037U;
  for (const double volume : volumes)
    value = std::rotl(value ^ std::bit_cast<std::uint64_t>(volume), 23) * 0x9E3779B97F4A7C15U;
  return value;
}

void add_sums(RankType& type) {
  type.sums.push_back(0);
  for (const double volume : type.volumes) type.sums.push_back(type.sums.back() + volume);
}

}  // namespace

RankTypes rank_types(const Partners& partners) {
  RankTypes result;
  std::unordered_multimap<std::uint64_t, int> known;  // only looked up: its order is nowhere seen
  std::vector<double> volumes;
  for (int r = 0; r < partners.num_ranks(); ++r) {
    volumes.clear();
    for (const Partner& partner : partners.of(Rank{r})) volumes.push_back(partner.both().value);
    std::sort(volumes.begin(), volumes.end(), std::greater<>());
    const std::uint64_t key = hash(volumes);
    int type = -1;
    for (auto [at, end] = known.equal_range(key); at != end; ++at)
      if (result.types[index(at->second)].volumes == volumes) type = at->second;
    if (type < 0) {
      type = int_size(result.types);
      known.emplace(key, type);
      result.types.push_back({volumes, {}, 0});
      add_sums(result.types.back());
    }
    ++result.types[index(type)].ranks;
    result.type_of.push_back(type);
  }
  return result;
}

}  // namespace vtopo::detail
