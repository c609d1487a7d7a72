#include "sim/clock/finish_times.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "sim/clock/sharing/max_min.hpp"
#include "sim/clock/sharing/queues.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_time = 1e-12;  // relative

/// Reports how far it is and asks whether to go on, not too often.
class Watch {
 public:
  Watch(const Progress& progress, const std::function<bool()>& stop, std::size_t total)
      : progress_(progress), stop_(stop), total_(total) {}

  void tick(std::size_t ended) {
    if (++ticks_ % 64 != 0) return;
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

}  // namespace

FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop) {
  const std::size_t num_flows = flows.num_flows();
  std::vector<double> finish(num_flows);
  MaxMinSharing sharing(std::move(flows));
  sharing.solve();
  for (std::size_t f = 0; f < num_flows; ++f)
    finish[f] = sharing.volumes()[f] / sharing.rate(static_cast<std::int32_t>(f));
  if (end_at_first_rates(sharing.volumes())) return {std::move(finish), sharing.num_updates()};
  EndTimes ends;
  ends.resize(num_flows);
  for (std::size_t f = 0; f < num_flows; ++f) ends.set(f, finish[f]);
  Watch watch(progress, stop, num_flows);
  std::vector<std::int32_t> ended;
  std::size_t num_ended = 0;
  while (num_ended < num_flows) {
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
  return {std::move(finish), sharing.num_updates()};
}

}  // namespace vtopo::detail
