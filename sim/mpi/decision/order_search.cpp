#include "sim/mpi/decision/order_search.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "topology/base/random.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Messages that are simulated to improve one order by exchanges of two ranks, at most.
constexpr std::int64_t max_exchange_messages = 150'000;

/// Orders near those known that are improved, too, and in how many exchanges they differ, at most.
constexpr int num_restarts = 10;
/// Ranks up to which there are restarts: of more, exchanges end before no exchange helps.
constexpr std::size_t max_restarted_ranks = 64;
constexpr std::uint64_t max_changes = 5;

/// One of the orders with two to `max_changes` pairs of ranks exchanged.
std::vector<HostId> near_one_of(const std::vector<std::vector<HostId>>& orders, Random& random) {
  std::vector<HostId> hosts = orders[random.below(orders.size())];
  for (std::uint64_t changes = 2 + random.below(max_changes - 1); changes > 0; --changes) {
    const auto a = random.below(hosts.size());
    std::swap(hosts[a], hosts[random.below(hosts.size())]);
  }
  return hosts;
}

}  // namespace

OrderSearch::OrderSearch(const ReorderProblem& problem, const Network& network,
                         const Embedding& before, double min_gain, const ProgramClock& clock)
    : exchange_(problem, network, before, clock),
      before_(before),
      old_(exchange_.cost(before)),
      min_gain_(min_gain) {}

void OrderSearch::offer(const Embedding& embedding, const std::string& mapper) {
  const ExchangeCost cost = exchange_.cost(embedding);
  if (!is_gain(old_, cost, min_gain_)) return note_refused(cost);
  const double relative = relative_cost(old_, cost);
  if (best_ && !(relative < relative_)) return;
  best_ = BetterOrder{embedding, mapper, 1 - relative_time(old_, cost)};
  relative_ = relative;
}

void OrderSearch::note_refused(const ExchangeCost& cost) {
  const double gain = 1 - relative_time(old_, cost);
  const Growth worst = worst_growth(old_, cost);
  if (worst.part > 0 && gain > (refused_ ? refused_->gain : min_gain_))
    refused_ = RefusedOrder{gain, worst};
}

/// What is to be small: the cost relative to the old order, and much more any loss. From `limit` on
/// it may be less than it is: what is lost so far is enough to know.
double OrderSearch::badness(const std::vector<HostId>& hosts, const Allocation& allocation,
                            double limit) const {
  constexpr double loss_weight = 10;
  const auto lost = [&](const ExchangeCost& cost) { return loss_weight * loss(old_, cost); };
  const ExchangeCost cost =
      exchange_.cost(Embedding(hosts, allocation),
                     [&](const ExchangeCost& so_far) { return lost(so_far) >= limit; });
  return relative_cost(old_, cost) + lost(cost);
}

/// The order after exchanges of two ranks that save time, or what is lost against the old order.
Embedding OrderSearch::improved(std::vector<HostId> hosts, const Allocation& allocation) const {
  std::int64_t left = max_exchange_messages / std::max<std::int64_t>(1, exchange_.num_messages());
  double best = badness(hosts, allocation, std::numeric_limits<double>::infinity());
  for (bool found = true; found;) {
    found = false;
    for (std::size_t a = 0; a < hosts.size(); ++a)
      for (std::size_t b = a + 1; b < hosts.size(); ++b) {
        if (hosts[a] == hosts[b]) continue;
        if (left-- <= 0) return {hosts, allocation};
        std::swap(hosts[a], hosts[b]);
        const double limit = best * (1 - 1e-6);
        if (const double here = badness(hosts, allocation, limit); here < limit) {
          best = here;
          found = true;
        } else {
          std::swap(hosts[a], hosts[b]);
        }
      }
  }
  return {hosts, allocation};
}

void OrderSearch::improve(std::vector<Embedding> starts, const Allocation& allocation,
                          const std::string& mapper, std::uint64_t seed) {
  if (!exchange_.is_simulated()) return;
  starts.push_back(best_ ? best_->embedding : before_);
  std::set<std::vector<HostId>> seen;
  std::vector<std::vector<HostId>> ends;
  const auto improve_one = [&](const std::vector<HostId>& hosts) {
    if (!seen.insert(hosts).second) return;
    const Embedding end = improved(hosts, allocation);
    offer(end, mapper);
    ends.push_back(end.hosts());
  };
  for (const Embedding& start : starts) improve_one(start.hosts());
  if (before_.hosts().size() > max_restarted_ranks) return;
  Random random(seed);
  for (int restart = 0; restart < num_restarts; ++restart) {
    if (best_) ends.push_back(best_->embedding.hosts());  // the better, the more often
    improve_one(near_one_of(ends, random));
  }
}

}  // namespace vtopo::detail::overlay
