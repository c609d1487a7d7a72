#include "sim/clock/sharing/batches.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/clock/sharing/queues.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_end = 1e-12;  // relative
constexpr double equal_share = 1e-13;
constexpr double tiny_share = 1e-9;    // of all shares of a link: may be rounding
constexpr double lost_of_sum = 1e-12;  // of the same sum, not less than what is lost of it

std::size_t pos(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

/// Flows that have not ended, and what they have of each link.
class RunningFlows {
 public:
  RunningFlows(const SharedFlows& flows, double part)
      : flows_(flows),
        part_(part),
        weight_(flows.capacity.size()),
        crowd_(weight_.size()),
        bytes_(flows.volume),
        rate_(bytes_.size()),
        finish_(bytes_.size()) {
    for (std::size_t f = 0; f < bytes_.size(); ++f) {
      if (flows.links_of(f).empty()) continue;  // ends at once
      running_.push_back(static_cast<std::int32_t>(f));
      for (std::uint64_t e = flows.first[f]; e < flows.first[f + 1]; ++e)
        weight_[pos(flows.links[e])] += flows.share(e);
    }
    for (double& weight : weight_) weight *= 1 + lost_of_sum;
  }

  std::size_t num_running() const { return running_.size(); }
  std::vector<double> finish() && { return std::move(finish_); }

 protected:
  /// Until so many of them have ended, at their rates.
  double time_of_batch() {
    times_.clear();
    for (const std::int32_t f : running_) times_.push_back(bytes_[pos(f)] / rate_[pos(f)]);
    const double count = std::max(1.0, part_ * static_cast<double>(times_.size()));
    const auto last = times_.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(times_.begin(), last, times_.end());
    return *last;
  }

  /// Lets time pass. Calls `leave(link, bytes)` for each link of each flow that ends: so much of
  /// the link it does not use until then.
  template <class Leave>
  void advance(double time, Leave&& leave) {
    std::size_t kept = 0;
    for (const std::int32_t number : running_) {
      const std::size_t f = pos(number);
      const double needed = bytes_[f] / rate_[f];
      if (needed > time * (1 + same_end)) {
        bytes_[f] -= rate_[f] * time;
        running_[kept++] = number;
        continue;
      }
      finish_[f] = now_ + needed;
      for (std::uint64_t e = flows_.first[f]; e < flows_.first[f + 1]; ++e) {
        weight_[pos(flows_.links[e])] -= flows_.share(e);
        leave(flows_.links[e], flows_.share(e) * rate_[f] * (time - needed));
      }
    }
    running_.resize(kept);
    now_ += time;
  }

  void find_crowds() {
    for (std::size_t l = 0; l < weight_.size(); ++l) crowd_[l] = weight_[l] / flows_.capacity[l];
  }

  /// Rate of a flow that has its part of the most crowded of its links.
  double part_of_most_crowded(std::size_t f) const {
    double most = 0;
    for (const std::int32_t link : flows_.links_of(f)) most = std::max(most, crowd_[pos(link)]);
    return 1 / most;
  }

  const SharedFlows& flows_;
  double part_, now_ = 0;
  std::vector<std::int32_t> running_;
  std::vector<double> weight_;  ///< of each link: shares of flows that run; not less
  std::vector<double> crowd_;   ///< of each link: that over its capacity
  std::vector<double> bytes_;   ///< left of each flow
  std::vector<double> rate_, finish_, times_;
};

/// No flow has more than its part of the most crowded of its links.
class CertainEnds : public RunningFlows {
 public:
  using RunningFlows::RunningFlows;

  void end_batch() {
    find_crowds();
    for (const std::int32_t f : running_) rate_[pos(f)] = part_of_most_crowded(pos(f));
    advance(time_of_batch(), [](std::int32_t, double) {});
  }
};

/// Rates are max-min fair, of what links have and what they hand out of their accounts.
class FairEnds : public RunningFlows {
 public:
  FairEnds(const SharedFlows& flows, double part, const BatchTick& tick)
      : RunningFlows(flows, part), tick_(tick), links_(weight_.size()), lists_(weight_.size()) {
    for (const std::int32_t link : flows.links) ++lists_[pos(link)].count;
    std::uint64_t first = 0;
    for (FlowList& list : lists_)
      list.first = std::exchange(first, first + pos(std::exchange(list.count, 0)));
    on_link_.resize(flows.links.size());
    for (const std::int32_t f : running_)
      for (const std::int32_t link : flows.links_of(pos(f))) {
        FlowList& list = lists_[pos(link)];
        on_link_[list.first + pos(list.count++)] = f;
        ++list.running;
      }
  }

  void end_batch() {
    fill(now_ > 0 ? time_of_batch() : unbounded);
    const double time = time_of_batch();
    for (std::size_t l = 0; l < links_.size(); ++l)
      lists_[l].account = links_[l].full ? lists_[l].account - lists_[l].extra * time : 0;
    advance(time, [&](std::int32_t link, double bytes) {
      lists_[pos(link)].account += bytes;
      --lists_[pos(link)].running;
    });
  }

  std::uint64_t num_updates() const { return num_updates_; }

 private:
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  struct LinkState {
    double left = 0;           ///< by flows that have their rate
    double rising = 0;         ///< shares of the others
    std::int32_t waiting = 0;  ///< the others
    bool full = false;
  };

  struct FlowList {
    std::uint64_t first = 0;
    std::int32_t count = 0;    ///< flows not yet known to have ended
    std::int32_t running = 0;  ///< those that have not
    double account = 0;        ///< bytes that flows are owed
    double extra = 0;          ///< of it, per second
  };

  /// Progressive filling, as in `MaxMinSharing`; accounts are to be empty after `time`.
  void fill(double time) {
    for (const std::int32_t f : running_) rate_[pos(f)] = 0;
    unrated_ = running_.size();
    for (std::size_t l = 0; l < links_.size(); ++l) {
      FlowList& list = lists_[l];
      const double capacity = flows_.capacity[l];
      list.extra = time > 0 ? std::clamp(list.account / time, -capacity / 2, capacity) : 0;
      links_[l] = {capacity + list.extra, weight_[l], list.running, false};
      if (list.running > 0)
        queue_.push({links_[l].left / links_[l].rising, static_cast<std::int32_t>(l)});
    }
    double level = 0;
    while (unrated_ > 0 && !queue_.empty()) {
      const auto [known, link] = queue_.top();
      queue_.pop();
      const LinkState& on = links_[pos(link)];
      if (on.waiting == 0 || on.rising < tiny_share * weight_[pos(link)]) continue;
      const double share = on.left / on.rising;
      if (share > known * (1 + equal_share)) {
        queue_.push({share, link});
        continue;
      }
      level = std::max(level, share);
      hold(link, level);
    }
    queue_.clear();
    if (unrated_ == 0) return;
    find_crowds();  // all links of these flows have hardly any share of theirs
    for (const std::int32_t f : running_)
      if (rate_[pos(f)] == 0) rate_[pos(f)] = part_of_most_crowded(pos(f));
  }

  /// The link is full: flows on it that have no rate get that one.
  void hold(std::int32_t link, double level) {
    links_[pos(link)].full = true;
    FlowList& list = lists_[pos(link)];
    std::int32_t* const flows = on_link_.data() + list.first;
    std::int32_t kept = 0;
    for (std::int32_t i = 0; i < list.count; ++i) {
      const std::size_t f = pos(flows[i]);
      if (finish_[f] > 0) continue;
      flows[kept++] = flows[i];
      if (rate_[f] > 0) continue;
      rate_[f] = level;
      --unrated_;
      num_updates_ += flows_.first[f + 1] - flows_.first[f];
      for (std::uint64_t e = flows_.first[f]; e < flows_.first[f + 1]; ++e) {
        LinkState& on = links_[pos(flows_.links[e])];
        on.left -= level * flows_.share(e);
        on.rising -= flows_.share(e);
        --on.waiting;
      }
    }
    list.count = kept;
    tick_(finish_.size() - running_.size(), num_updates_);
  }

  const BatchTick& tick_;
  std::vector<LinkState> links_;
  std::vector<FlowList> lists_;
  std::vector<std::int32_t> on_link_;
  ShareQueue queue_;
  std::size_t unrated_ = 0;
  std::uint64_t num_updates_ = 0;
};

double busiest_link(const SharedFlows& flows) {
  std::vector<double> load(flows.capacity.size());
  for (std::size_t f = 0; f < flows.num_flows(); ++f)
    for (std::uint64_t e = flows.first[f]; e < flows.first[f + 1]; ++e)
      load[pos(flows.links[e])] += flows.volume[f] * flows.share(e);
  double longest = 0;
  for (std::size_t l = 0; l < load.size(); ++l)
    longest = std::max(longest, load[l] / flows.capacity[l]);
  return longest;
}

}  // namespace

BatchTimes batch_times(const SharedFlows& flows, double part, const BatchTick& tick) {
  BatchTimes times;
  times.last_at_least = busiest_link(flows);
  FairEnds fair(flows, part, tick);
  while (fair.num_running() > 0) fair.end_batch();
  CertainEnds certain(flows, part);
  while (certain.num_running() > 0) {
    certain.end_batch();
    tick(flows.num_flows(), fair.num_updates());
  }
  times.num_updates = fair.num_updates();
  times.seconds = std::move(fair).finish();
  times.at_most = std::move(certain).finish();
  for (std::size_t f = 0; f < times.seconds.size(); ++f)
    times.seconds[f] = std::min(times.seconds[f], times.at_most[f]);
  return times;
}

}  // namespace vtopo::detail
