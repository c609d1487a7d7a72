#include "cli/check/replay.hpp"

#include <algorithm>
#include <cmath>

namespace vtopo::detail::checking {
namespace {

constexpr double max_work = 2e8;     // links and parts of routes looked at, and ends of messages
constexpr double same_time = 1e-11;  // relative

Numbers bandwidths(const std::vector<Link>& links) {
  Numbers list;
  for (const Link& link : links) list.push_back(link.bandwidth);
  return list;
}

class Replay {
 public:
  Replay(const std::vector<Phase>& phases, std::size_t num_ranks, const std::vector<Link>& links,
         double memory_bandwidth)
      : phases_(phases),
        bandwidths_(bandwidths(links)),
        memory_bandwidth_(memory_bandwidth),
        ranks_(num_ranks),
        times_{Numbers(num_ranks), std::vector<PhaseSpan>(phases.size())} {
    for (const Phase& phase : phases) {
      shared_.emplace_back(), posts_.emplace_back(phase.flows.size(), 0);
      ends_of_.emplace_back(num_ranks), sends_.emplace_back(num_ranks, false);
      for (std::size_t f = 0; f < phase.flows.size(); ++f) {
        const Flow& flow = phase.flows[f];
        shared_.back().push_back(shared(flow, links));
        ends_of_.back()[flow.from].push_back(f), ends_of_.back()[flow.to].push_back(f);
        sends_.back()[flow.from] = true;
      }
    }
  }

  std::optional<ReplayTimes> run() {
    for (std::size_t r = 0; r < ranks_.size(); ++r) begin_phase(r, 0);
    post_all();
    Numbers rates;
    double work = 0;
    while (!live_.empty() || !arrivals_.empty()) {
      if (has_changed_) rates = current_rates(work);
      has_changed_ = false;
      double next = infinity;
      if (!arrivals_.empty()) next = arrivals_.begin()->first;
      for (std::size_t i = 0; i < live_.size(); ++i)
        next = std::min(next, now_ + live_[i].rest / rates[i]);
      if (!std::isfinite(next) || (work += 1) > max_work) return std::nullopt;
      advance(next, rates);
      post_all();
    }
    return num_done_ == ranks_.size() ? std::optional(times_) : std::nullopt;
  }

 private:
  struct Rank {
    std::size_t phase = 0;
    double round = 0;
    std::size_t open = 0;  // ends of its messages of this step
  };

  struct Live {
    std::size_t phase, flow;
    double rest;
  };

  Numbers current_rates(double& work) const {
    std::vector<const SharedFlow*> flows;
    for (const Live& live : live_) flows.push_back(&shared_[live.phase][live.flow]);
    return max_min_rates(flows, bandwidths_, work);
  }

  /// The next phase from `phase` on in which the rank has messages; its end if there is none.
  void begin_phase(std::size_t r, std::size_t phase) {
    while (phase < phases_.size() && ends_of_[phase][r].empty()) ++phase;
    ranks_[r] = {phase, 0, 0};
    if (phase == phases_.size()) {
      times_.finish[r] = now_, ++num_done_;
      return;
    }
    PhaseSpan& span = times_.phases[phase];
    if (sends_[phase][r]) span.start = std::min(span.start, now_);
    ready_.push_back(r);
  }

  /// Ranks that are ready post their messages, by which others may become so.
  void post_all() {
    while (!ready_.empty()) {
      const std::size_t r = ready_.back(), phase = ranks_[r].phase;
      ready_.pop_back();
      ranks_[r].open = ends_of_[phase][r].size();
      for (const std::size_t f : ends_of_[phase][r])
        if (++posts_[phase][f] == 2) posts_[phase][f] = 0, start(phase, f);
    }
  }

  void start(std::size_t phase, std::size_t f) {
    const Flow& flow = phases_[phase].flows[f];
    if (flow.route && flow.bytes > 0) {
      live_.push_back({phase, f, flow.bytes}), has_changed_ = true;
      return;
    }
    const double left = now_ + (flow.route ? 0 : flow.bytes / memory_bandwidth_);
    arrivals_.emplace(left, flow.from);
    arrivals_.emplace(left + (flow.route ? flow.route->latency : 0), flow.to);
  }

  void end_of_one(std::size_t r) {
    Rank& rank = ranks_[r];
    if (--rank.open > 0) return;
    if (++rank.round < phases_[rank.phase].repeat) return ready_.push_back(r);
    times_.phases[rank.phase].end = std::max(times_.phases[rank.phase].end, now_);
    begin_phase(r, rank.phase + 1);
  }

  void advance(double next, const Numbers& rates) {
    const double passed = next - now_;
    now_ = next;
    std::vector<Live> left;
    for (std::size_t i = 0; i < live_.size(); ++i) {
      const Live& live = live_[i];
      if (live.rest / rates[i] > passed + same_time * now_) {
        left.push_back({live.phase, live.flow, live.rest - passed * rates[i]});
        continue;
      }
      const Flow& flow = phases_[live.phase].flows[live.flow];
      has_changed_ = true;
      arrivals_.emplace(now_, flow.from);
      arrivals_.emplace(now_ + flow.route->latency, flow.to);
    }
    live_ = std::move(left);
    while (!arrivals_.empty() && arrivals_.begin()->first <= now_ * (1 + same_time)) {
      const std::size_t r = arrivals_.begin()->second;
      arrivals_.erase(arrivals_.begin());
      end_of_one(r);
    }
  }

  const std::vector<Phase>& phases_;
  Numbers bandwidths_;
  double memory_bandwidth_, now_ = 0;
  std::vector<Rank> ranks_;
  std::vector<std::vector<SharedFlow>> shared_;                 // by phase and flow
  std::vector<std::vector<int>> posts_;                         // by phase and flow
  std::vector<std::vector<std::vector<std::size_t>>> ends_of_;  // by phase and rank: flows
  std::vector<std::vector<bool>> sends_;                        // by phase and rank
  std::vector<Live> live_;
  std::multimap<double, std::size_t> arrivals_;  // ends of messages, by time: ranks
  std::vector<std::size_t> ready_;
  std::size_t num_done_ = 0;
  bool has_changed_ = true;
  ReplayTimes times_;
};

}  // namespace

SharedFlow shared(const Flow& flow, const std::vector<Link>& links) {
  SharedFlow result;
  for (const auto& [l, share] : flow.route ? flow.route->parts : Parts())
    if (links[l].is_fatpipe)
      result.most = std::min(result.most, links[l].bandwidth / share);
    else
      result.parts.emplace_back(l, share);
  return result;
}

Numbers max_min_rates(const std::vector<const SharedFlow*>& flows, Numbers left, double& work) {
  Numbers rates(flows.size(), infinity);
  std::vector<bool> fixed(flows.size());
  while (true) {
    Numbers rising(left.size(), 0.0);
    double level = infinity;
    work += count(left);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      work += count(flows[f]->parts);
      if (fixed[f]) continue;
      level = std::min(level, flows[f]->most);
      for (const auto& [l, share] : flows[f]->parts) rising[l] += share;
    }
    for (std::size_t l = 0; l < left.size(); ++l)
      if (rising[l] > 0) level = std::min(level, std::max(0.0, left[l]) / rising[l]);
    if (!std::isfinite(level)) return rates;
    const Numbers before = left;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const auto is_full = [&](const auto& part) {
        return before[part.first] <= rising[part.first] * level * (1 + 1e-12);
      };
      const Parts& parts = flows[f]->parts;
      if (fixed[f] || (flows[f]->most > level * (1 + 1e-12) &&
                       std::none_of(parts.begin(), parts.end(), is_full)))
        continue;
      fixed[f] = true, rates[f] = level;
      for (const auto& [l, share] : parts) left[l] -= level * share;
    }
  }
}

std::optional<ReplayTimes> replay(const std::vector<Phase>& phases, std::size_t num_ranks,
                                  const std::vector<Link>& links, double memory_bandwidth) {
  return Replay(phases, num_ranks, links, memory_bandwidth).run();
}

}  // namespace vtopo::detail::checking
