#include "sim/mpi/decision/order_search.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vtopo::detail::overlay {

namespace {

/// Messages of the iterations that are looked at to improve orders by exchanges of two ranks: about
/// a tenth of a second.
constexpr std::int64_t max_exchange_messages = 100'000;

/// Orders that exchanges start from, at most, and in how many exchanges those near them differ.
constexpr std::size_t max_starts = 4;
constexpr std::uint64_t max_changes = 5;

/// Part by which an iteration may take longer in the new order, exchanged one way, if the other way
/// it gains more.
constexpr double max_growth = 0.01;

/// An exchange of two ranks is simulated if the bound of the time grows by no more than this part.
constexpr double max_growth_of_bound = 0.02;
constexpr std::int64_t bounds_per_cost = 8;  ///< that take as long as one that is simulated

constexpr std::string_view exchanges = "exchanges";

}  // namespace

OrderSearch::OrderSearch(const Iteration& iteration, const Embedding& before, double min_gain)
    : iteration_(iteration),
      before_(before),
      old_(iteration.cost(before)),
      min_gain_(min_gain),
      left_(max_exchange_messages) {}

/// What is to be small: the relative time, much more any growth, and a little the hop-bytes, by
/// which orders of the same time differ.
double OrderSearch::badness(const IterationCost& cost) const {
  constexpr double growth_weight = 10;
  constexpr double hop_weight = 0.01;
  const double hops =
      old_.hop_bytes.value > 0 ? cost.hop_bytes.value / old_.hop_bytes.value - 1 : 0;
  const double growth = std::max(0.0, worst_relative_time(old_, cost) - 1);
  return relative_time(old_, cost) + growth_weight * growth + hop_weight * hops;
}

void OrderSearch::offer(const Embedding& embedding, const std::string& mapper) {
  const IterationCost cost = iteration_.cost(embedding);
  offered_.push_back({embedding.hosts(), mapper, badness(cost), cost});
  take_if_better(embedding, mapper, cost);
}

void OrderSearch::take_if_better(const Embedding& embedding, const std::string& mapper,
                                 const IterationCost& cost) {
  const double here = badness(cost);
  const double relative = relative_time(old_, cost);
  if (!(relative < 1 - min_gain_) || worst_relative_time(old_, cost) > 1 + max_growth) return;
  if (best_ && !(here < best_badness_)) return;
  best_ = BetterOrder{embedding, mapper, 1 - relative};
  best_badness_ = here;
}

/// Exchanges two ranks at random, as long as that finds something better. Whether it has.
bool OrderSearch::descend(Start& start, const Allocation& allocation, Random& random) {
  auto& hosts = start.hosts;
  const auto cost_by = [&](auto cost, std::int64_t parts) {
    left_ -= 1 + iteration_.num_messages() / parts;
    return (iteration_.*cost)(Embedding(hosts, allocation));
  };
  IterationCost bound = cost_by(&Iteration::bound, bounds_per_cost);
  const std::size_t pairs = hosts.size() * (hosts.size() - 1) / 2;
  bool found = false;
  for (std::size_t failures = 0; failures < pairs && left_ > 0; ++failures) {
    const auto a = random.below(hosts.size());
    const auto b = random.below(hosts.size());
    if (hosts[a] == hosts[b]) continue;
    std::swap(hosts[a], hosts[b]);
    const IterationCost here = cost_by(&Iteration::bound, bounds_per_cost);
    if (relative_time(bound, here) <= 1 + max_growth_of_bound) {
      const IterationCost cost = cost_by(&Iteration::cost, 1);
      const double bad = badness(cost);
      if (bad < start.badness * (1 - 1e-6)) {
        start.badness = bad;
        start.cost = cost;
        bound = here;
        found = true;
        failures = 0;
        continue;
      }
    }
    std::swap(hosts[a], hosts[b]);
  }
  return found;
}

void OrderSearch::improve(const Allocation& allocation, std::uint64_t seed) {
  if (before_.num_ranks() < 2) return;
  if (left_ < iteration_.num_messages() * before_.num_ranks()) return;  // too many
  const auto by_badness = [](const Start& a, const Start& b) { return a.badness < b.badness; };
  const auto is_same = [](const Start& a, const Start& b) { return a.hosts == b.hosts; };
  std::vector<Start> starts = std::move(offered_);
  std::stable_sort(starts.begin(), starts.end(), by_badness);
  starts.erase(std::unique(starts.begin(), starts.end(), is_same), starts.end());
  if (starts.size() > max_starts - 1) starts.resize(max_starts - 1);
  starts.push_back({before_.hosts(), {}, badness(old_), old_});
  Random random(seed);
  const auto improve_one = [&](Start& start) {
    if (!descend(start, allocation, random)) return;
    if (!start.mapper.ends_with(exchanges)) start.mapper += start.mapper.empty() ? "" : "+";
    if (!start.mapper.ends_with(exchanges)) start.mapper += exchanges;
    take_if_better({start.hosts, allocation}, start.mapper, start.cost);
  };
  for (Start& start : starts) improve_one(start);
  while (left_ > 0) {
    std::stable_sort(starts.begin(), starts.end(), by_badness);
    if (starts.size() > max_starts) starts.resize(max_starts);
    // Near the best in every other turn.
    Start near = starts[random.below(2) == 0 ? 0 : random.below(starts.size())];
    for (std::uint64_t changes = 2 + random.below(max_changes - 1); changes > 0; --changes) {
      const auto a = random.below(near.hosts.size());
      std::swap(near.hosts[a], near.hosts[random.below(near.hosts.size())]);
    }
    left_ -= 1 + iteration_.num_messages();
    near.badness = badness(iteration_.cost({near.hosts, allocation}));
    improve_one(near);
    starts.push_back(std::move(near));
  }
}

}  // namespace vtopo::detail::overlay
