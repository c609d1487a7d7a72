#include "sim/clock/finish_times.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "sim/clock/sharing/burst.hpp"
#include "sim/clock/sharing/max_min.hpp"
#include "sim/clock/sharing/queues.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_time = 1e-12;  // relative

/// What many flows have of a link is much for one that has a small share of it: errors of flows
/// that split are as large as those of others at a tolerance so many times as large.
constexpr double finer_where_split = 10;

/// Reports how far it is and asks whether to go on, not too often.
class Watch {
 public:
  Watch(const Progress& progress, const std::function<bool()>& stop, std::size_t total)
      : progress_(progress), stop_(stop), total_(total) {}

  void tick(std::size_t ended) {
    if (++ticks_ % 16 != 0) return;
    if (progress_) progress_(static_cast<double>(ended) / static_cast<double>(total_));
    if (stop_ && stop_()) throw SimulationError("the simulation was stopped");
  }

 private:
  const Progress& progress_;
  const std::function<bool()>& stop_;
  std::size_t total_;
  std::size_t ticks_ = 0;
};

/// Of equal volumes the fastest end first. Each of the others has a full link on which it is one of
/// the fastest, so that none of those that end uses it: no rate changes.
bool end_at_first_rates(const std::vector<double>& volumes) {
  return std::adjacent_find(volumes.begin(), volumes.end(), std::not_equal_to<>()) == volumes.end();
}

/// From one end to the next, each of which is passed on at once.
void find_ends(MaxMinSharing& sharing, Watch& watch, std::vector<double>& finish) {
  EndTimes ends;
  ends.resize(finish.size());
  for (std::size_t f = 0; f < finish.size(); ++f) ends.set(f, finish[f]);
  std::vector<std::int32_t> ended;
  std::size_t num_ended = 0;
  while (num_ended < finish.size()) {
    const double now = ends.next();
    ended.clear();
    ends.take_until(now * (1 + same_time), [&](std::size_t f, double time) {
      finish[f] = time;
      ended.push_back(static_cast<std::int32_t>(f));
    });
    sharing.remove(ended);
    num_ended += ended.size();
    sharing.solve();
    for (const auto& [flow, old_rate] : sharing.changes()) {
      const auto f = static_cast<std::size_t>(flow);
      ends.set(f, now + (ends[f] - now) * (old_rate / sharing.rate(flow)));
    }
    watch.tick(num_ended);
  }
}

void find_ends(BurstSharing& sharing, Watch& watch, std::vector<double>& finish) {
  std::size_t num_ended = 0;
  while (!sharing.diverges() && sharing.next() < std::numeric_limits<double>::infinity()) {
    sharing.advance([&](std::size_t f, double time) {
      finish[f] = time;
      ++num_ended;
    });
    watch.tick(num_ended);
  }
}

}  // namespace

double finish_tolerance(std::size_t num_flows) {
  constexpr std::size_t max_exact = 20'000;
  constexpr double per_flow = 1e-5 / 40'000;
  return num_flows <= max_exact ? 0 : per_flow * static_cast<double>(num_flows);
}

FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop, std::optional<double> tolerance) {
  const std::size_t num_flows = flows.num_flows();
  const bool at_first_rates = end_at_first_rates(flows.volume);
  if (!tolerance) tolerance = at_first_rates ? 0 : finish_tolerance(num_flows);
  std::vector<double> finish(num_flows);
  Watch watch(progress, stop, num_flows);
  std::optional<MaxMinSharing> sharing(*tolerance > 0 ? flows : std::move(flows));
  if (*tolerance > 0 && !sharing->crosses_no_link_twice()) tolerance = 0;
  sharing->solve();
  for (std::size_t f = 0; f < num_flows; ++f)
    finish[f] = sharing->volumes()[f] / sharing->rate(static_cast<std::int32_t>(f));
  if (at_first_rates) return {std::move(finish), sharing->num_updates()};
  if (*tolerance <= 0) {
    find_ends(*sharing, watch, finish);
    return {std::move(finish), sharing->num_updates()};
  }
  std::vector<FirstRate> first;
  for (std::size_t f = 0; f < num_flows; ++f) {
    const auto flow = static_cast<std::int32_t>(f);
    first.push_back({sharing->rate(flow), sharing->held_by(flow)});
  }
  const std::uint64_t updates = sharing->num_updates();
  sharing.reset();
  const double finer = flows.shares.empty() ? 1 : finer_where_split;
  BurstSharing burst(std::move(flows), first, *tolerance / finer);
  find_ends(burst, watch, finish);
  if (burst.diverges()) return finish_times(std::move(burst).flows(), progress, stop, 0);
  return {std::move(finish), updates + burst.num_updates(), burst.tolerance() * finer};
}

}  // namespace vtopo::detail
