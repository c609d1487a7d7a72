#include "sim/simulation/finish_times.hpp"

#include <algorithm>
#include <limits>

#include "sim/simulation/max_min.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double same_time = 1e-12;  // relative

/// When flows will end, and who is next: times in blocks with the least of each block.
class EndTimes {
 public:
  explicit EndTimes(std::size_t num_flows)
      : end_((num_flows + block - 1) / block * block, never),
        least_(end_.size() / block, never),
        outdated_(least_.size()) {
    outdated_blocks_.reserve(least_.size());
  }

  double operator[](std::size_t flow) const { return end_[flow]; }

  void set(std::size_t flow, double time) {
    end_[flow] = time;
    const std::size_t of = flow / block;
    if (outdated_[of] != 0) return;
    outdated_[of] = 1;
    outdated_blocks_.push_back(of);
  }

  /// The next end; infinity if there is none.
  double next() {
    for (const std::size_t of : outdated_blocks_) {
      const auto begin = end_.begin() + static_cast<std::ptrdiff_t>(of * block);
      double least = never;
      for (auto time = begin; time != begin + block; ++time) least = std::min(least, *time);
      least_[of] = least;
      outdated_[of] = 0;
    }
    outdated_blocks_.clear();
    double least = never;
    for (const double time : least_) least = std::min(least, time);
    return least;
  }

  /// Calls `visit(flow, time)` for the flows that end until `limit`; none of them ends again.
  template <class Visitor>
  void take_until(double limit, Visitor&& visit) {
    for (std::size_t of = 0; of < least_.size(); ++of) {
      if (least_[of] > limit) continue;
      for (std::size_t flow = of * block; flow < (of + 1) * block; ++flow) {
        if (end_[flow] > limit) continue;
        visit(flow, end_[flow]);
        set(flow, never);
      }
    }
  }

 private:
  static constexpr std::ptrdiff_t block = 256;

  std::vector<double> end_;
  std::vector<double> least_;
  std::vector<char> outdated_;
  std::vector<std::size_t> outdated_blocks_;
};

/// Tells how far it is and asks whether to go on, not too often.
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

}  // namespace

std::vector<double> finish_times(const SharedFlows& flows, const Progress& progress,
                                 const std::function<bool()>& stop) {
  std::vector<double> finish(flows.num_flows());
  EndTimes ends(flows.num_flows());
  MaxMinSharing sharing(flows);
  Watch watch(progress, stop, flows.num_flows());
  std::size_t ended = 0;
  sharing.solve();
  for (const auto& [flow, none] : sharing.changes()) {
    const auto f = static_cast<std::size_t>(flow);
    ends.set(f, flows.volume[f] / sharing.rate(flow));
  }
  while (ended < flows.num_flows()) {
    const double now = ends.next();
    ends.take_until(now * (1 + same_time), [&](std::size_t f, double time) {
      finish[f] = time;
      sharing.remove(static_cast<std::int32_t>(f));
      ++ended;
    });
    sharing.solve();
    for (const auto& [flow, old_rate] : sharing.changes()) {
      const auto f = static_cast<std::size_t>(flow);
      ends.set(f, now + (ends[f] - now) * (old_rate / sharing.rate(flow)));
    }
    watch.tick(ended);
  }
  return finish;
}

}  // namespace vtopo::detail
