#include "sim/clock/finish_times.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/clock/sharing/batches.hpp"
#include "sim/clock/sharing/burst.hpp"
#include "sim/clock/sharing/max_min.hpp"
#include "sim/clock/sharing/queues.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_time = 1e-12;  // relative
constexpr double per_flow = 1e-5 / 40'000;
constexpr std::size_t max_exact = 20'000;

// Of flows that split, each with tens or thousands of links.
constexpr double max_exact_work = 4e9;      ///< flows times links of all: about 4 s
constexpr std::size_t max_links_late = 64;  ///< of a flow in the mean, for late passing
constexpr std::uint64_t max_late_updates = 50'000'000;
constexpr double links_in_batches = 1e8;  ///< given their rate, about: 1 s
constexpr double least_part = 0.005, most_part = 0.1;
constexpr double mean_error = 0.2;  ///< of a batch's part

/// What many flows have of a link is much for one that has a small share of it: errors of flows
/// that split are as large as those of others at a tolerance so many times as large.
constexpr double finer_where_split = 10;

/// Reports how far it is and asks whether to go on, not too often.
class Watch {
 public:
  Watch(const Progress& progress, const std::function<bool()>& stop, std::size_t total)
      : progress_(progress), stop_(stop), total_(total) {}

  /// @param updates so far: some milliseconds of them are not without a question.
  void tick(std::size_t ended, std::uint64_t updates) {
    if (++ticks_ % 16 != 0 && updates < next_updates_) return;
    next_updates_ = updates + 200'000;
    if (progress_) progress_(static_cast<double>(ended) / static_cast<double>(total_));
    if (stop_ && stop_()) throw SimulationError("the simulation was stopped");
  }

 private:
  const Progress& progress_;
  const std::function<bool()>& stop_;
  std::size_t total_;
  std::size_t ticks_ = 0;
  std::uint64_t next_updates_ = 0;
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
    watch.tick(num_ended, sharing.num_updates());
  }
}

/// @return whether all were found with so many updates.
bool find_ends(BurstSharing& sharing, Watch& watch, std::uint64_t max_updates,
               std::vector<double>& finish) {
  std::size_t num_ended = 0;
  while (sharing.next() < std::numeric_limits<double>::infinity()) {
    if (sharing.diverges() || sharing.num_updates() > max_updates) return false;
    sharing.advance([&](std::size_t f, double time) {
      finish[f] = time;
      ++num_ended;
    });
    watch.tick(num_ended, sharing.num_updates());
  }
  return true;
}

}  // namespace

double finish_tolerance(std::size_t num_flows) {
  return num_flows <= max_exact ? 0 : per_flow * static_cast<double>(num_flows);
}

namespace {

/// Numbers of links, the same for those that seem to be equal: by a hash of flows and shares.
std::vector<std::int32_t> classes_by_hash(const SharedFlows& flows) {
  std::vector<std::uint64_t> key(flows.capacity.size());
  for (std::size_t f = 0; f < flows.num_flows(); ++f)
    for (std::uint64_t e = flows.first[f]; e < flows.first[f + 1]; ++e) {
      std::uint64_t& of = key[static_cast<std::size_t>(flows.links[e])];
      of = (std::rotl(of, 23) ^ std::bit_cast<std::uint64_t>(flows.shares[e])) + f;
      of *= 0x9e3779b97f4a7c15;
      of ^= of >> 29;
    }
  std::unordered_map<std::uint64_t, std::int32_t> known;
  std::vector<std::int32_t> classes;
  for (const std::uint64_t of : key)
    classes.push_back(known.try_emplace(of, static_cast<std::int32_t>(known.size())).first->second);
  return classes;
}

/// Whether each flow crosses all links of a class once, with equal shares, or none of them.
std::vector<bool> equal_classes(const SharedFlows& flows,
                                const std::vector<std::int32_t>& classes) {
  std::vector<std::int32_t> size(classes.size()), met(classes.size());
  std::vector<double> share(classes.size());
  std::vector<bool> equal(classes.size(), true);
  for (const std::int32_t of : classes) ++size[static_cast<std::size_t>(of)];
  const auto class_of = [&](std::uint64_t entry) {
    return static_cast<std::size_t>(classes[static_cast<std::size_t>(flows.links[entry])]);
  };
  for (std::size_t f = 0; f < flows.num_flows(); ++f) {
    for (std::uint64_t e = flows.first[f]; e < flows.first[f + 1]; ++e) {
      const std::size_t of = class_of(e);
      if (met[of]++ == 0) share[of] = flows.shares[e];
      if (share[of] != flows.shares[e]) equal[of] = false;
    }
    for (std::uint64_t e = flows.first[f]; e < flows.first[f + 1]; ++e) {
      const std::size_t of = class_of(e);
      if (const std::int32_t times = std::exchange(met[of], 0); times != 0 && times != size[of])
        equal[of] = false;
    }
  }
  return equal;
}

}  // namespace

void merge_equal_links(SharedFlows& flows) {
  const std::vector<std::int32_t> classes = classes_by_hash(flows);
  const std::vector<bool> equal = equal_classes(flows, classes);
  std::vector<double> narrowest;
  std::vector<std::int32_t> number(classes.size(), -1);  // of links that stand for others: theirs
  std::vector<std::int32_t> stands(classes.size(), -1);  // for a class: the number
  for (std::size_t l = 0; l < classes.size(); ++l) {
    const auto of = static_cast<std::size_t>(classes[l]);
    if (stands[of] < 0 || !equal[of]) {
      number[l] = stands[of] = static_cast<std::int32_t>(narrowest.size());
      narrowest.push_back(flows.capacity[l]);
    }
    double& least = narrowest[static_cast<std::size_t>(stands[of])];
    least = std::min(least, flows.capacity[l]);
  }
  if (narrowest.size() == classes.size()) return;
  std::uint64_t kept = 0, entry = 0;
  for (std::size_t f = 0; f < flows.num_flows(); ++f) {
    for (; entry < flows.first[f + 1]; ++entry) {
      const std::int32_t link = number[static_cast<std::size_t>(flows.links[entry])];
      if (link < 0) continue;
      flows.links[kept] = link;
      flows.shares[kept++] = flows.shares[entry];
    }
    flows.first[f + 1] = kept;
  }
  flows.links.resize(kept);
  flows.shares.resize(kept);
  flows.capacity = std::move(narrowest);
}

namespace {

FinishTimes in_batches(const SharedFlows& flows, Watch& watch) {
  const double part =
      std::clamp(static_cast<double>(flows.links.size()) / links_in_batches, least_part, most_part);
  BatchTimes times = batch_times(
      flows, part, [&](std::size_t ended, std::uint64_t updates) { watch.tick(ended, updates); });
  return {std::move(times.seconds), times.num_updates, mean_error * part, std::move(times.at_most),
          times.last_at_least};
}

/// How ends are passed on to other flows.
struct Passing {
  double tolerance = 0;  ///< late; 0: at once
  bool batches = false;
};

/// Of flows that split.
bool ends_soon_at_once(const SharedFlows& flows) {
  return flows.num_flows() <= max_exact &&
         static_cast<double>(flows.num_flows()) * static_cast<double>(flows.links.size()) <=
             max_exact_work;
}

/// @param flows their volumes differ.
Passing passing_of(const SharedFlows& flows) {
  if (flows.shares.empty()) return {finish_tolerance(flows.num_flows())};
  if (ends_soon_at_once(flows)) return {};
  if (flows.links.size() <= max_links_late * flows.num_flows())
    return {per_flow * static_cast<double>(flows.num_flows())};
  return {0, true};
}

}  // namespace

FinishTimes finish_times(SharedFlows flows, const Progress& progress,
                         const std::function<bool()>& stop, std::optional<double> tolerance) {
  const std::size_t num_flows = flows.num_flows();
  if (!flows.shares.empty()) merge_equal_links(flows);
  const bool at_first_rates = end_at_first_rates(flows.volume);
  Passing passing{tolerance.value_or(0)};
  if (!tolerance && !at_first_rates) passing = passing_of(flows);
  std::vector<double> finish(num_flows);
  Watch watch(progress, stop, num_flows);
  if (passing.batches) return in_batches(flows, watch);
  std::optional<MaxMinSharing> sharing(passing.tolerance > 0 ? flows : std::move(flows));
  if (passing.tolerance > 0 && !sharing->crosses_no_link_twice()) passing.tolerance = 0;
  sharing->solve();
  for (std::size_t f = 0; f < num_flows; ++f)
    finish[f] = sharing->volumes()[f] / sharing->rate(static_cast<std::int32_t>(f));
  if (at_first_rates) return {std::move(finish), sharing->num_updates()};
  if (passing.tolerance <= 0) {
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
  const bool splits = !flows.shares.empty();
  const double finer = splits ? finer_where_split : 1;
  BurstSharing burst(std::move(flows), first, passing.tolerance / finer);
  if (!find_ends(burst, watch, splits ? max_late_updates : ~std::uint64_t{0}, finish)) {
    SharedFlows again = std::move(burst).flows();
    if (splits && !ends_soon_at_once(again)) return in_batches(again, watch);
    return finish_times(std::move(again), progress, stop, 0);
  }
  return {std::move(finish), updates + burst.num_updates(), burst.tolerance() * finer};
}

}  // namespace vtopo::detail
