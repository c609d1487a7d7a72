#include <tuple>

#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

constexpr double max_work = 2e8;     // links and parts of routes looked at, and ends of messages
constexpr double same_time = 1e-11;  // relative
constexpr double accurate = 1e-6;    // relative, of times

/// Max-min fair rates by filling: all rates rise together until a link is full.
/// @param work counts what was looked at.
Numbers max_min_rates(const Evidence& e, const std::vector<const Route*>& routes, double& work) {
  Numbers rates(routes.size(), infinity), left;
  for (const Link& link : e.links) left.push_back(link.bandwidth);
  while (true) {
    Numbers rising(left.size());
    double level = infinity;
    for (std::size_t f = 0; f < routes.size(); ++f)
      for (const auto& [l, share] : rates[f] < infinity ? Parts() : routes[f]->parts)
        rising[l] = e.links[l].is_fatpipe ? std::max(rising[l], share) : rising[l] + share;
    for (std::size_t l = 0; l < left.size(); ++l)
      if (rising[l] > 0) level = std::min(level, std::max(0.0, left[l]) / rising[l]);
    if (!std::isfinite(level)) return rates;
    const Numbers before = left;
    for (std::size_t f = 0; f < routes.size(); ++f) {
      const Parts& parts = routes[f]->parts;
      const auto is_full = [&](const auto& part) {
        const auto& [l, share] = part;
        return before[l] <= (e.links[l].is_fatpipe ? share : rising[l]) * level * (1 + 1e-12);
      };
      work += count(parts);
      if (rates[f] < infinity || std::none_of(parts.begin(), parts.end(), is_full)) continue;
      rates[f] = level;
      for (const auto& [l, share] : parts) left[l] -= e.links[l].is_fatpipe ? 0 : level * share;
    }
    work += count(left);
  }
}

/// Phases one after the other on each rank: a rank posts its messages of a step, waits until those
/// that it sends have left and those that it receives have arrived, and goes on. A message starts
/// when both have posted it, shares links max-min fairly, and arrives the latency of its route
/// after its last byte has left. Every rate is found anew whenever a message starts or leaves.
class Replay {
 public:
  struct Span {
    double start = infinity, end = 0;  ///< of the first rank that sends, of the last in it
  };

  Replay(const Evidence& e, const std::vector<Phase>& phases)
      : e_(e),
        phases_(phases),
        spans_(phases.size()),
        memory_(real(e.json.at("memory_bandwidth"))) {
    std::size_t num_ranks = e.num_ranks;  // also those of other jobs
    for (const Phase& phase : phases)
      for (const Flow& flow : phase.flows)
        num_ranks = std::max({num_ranks, flow.from + 1, flow.to + 1});
    ranks_.resize(num_ranks), finish_.resize(num_ranks);
    for (std::size_t p = 0; p < phases.size(); ++p) {
      posts_.emplace_back(phases[p].flows.size(), 0), ends_of_.emplace_back();
      for (std::size_t f = 0; f < phases[p].flows.size(); ++f)
        for (const std::size_t end : {phases[p].flows[f].from, phases[p].flows[f].to})
          ends_of_[p][end].push_back(f);
    }
  }

  /// Nothing if that takes too many steps, or ranks wait for each other for ever.
  std::optional<double> last_of_job(std::vector<Span>& spans) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) begin_phase(r, 0);
    post_all();
    Numbers rates;
    double work = 0;
    while (!live_.empty() || !arrivals_.empty()) {
      if (has_changed_) rates = current_rates(work);
      has_changed_ = false;
      double next = arrivals_.empty() ? infinity : arrivals_.begin()->first;
      for (std::size_t i = 0; i < live_.size(); ++i)
        next = std::min(next, now_ + live_[i].rest / rates[i]);
      if (!std::isfinite(next) || (work += 1) > max_work) return std::nullopt;
      advance(next, rates);
      post_all();
    }
    spans.insert(spans.end(), spans_.begin(), spans_.end());
    finish_.resize(num_done_ == ranks_.size() ? e_.num_ranks : 0);
    return finish_.empty() ? std::nullopt : std::optional(greatest(finish_));
  }

 private:
  struct Rank {
    std::size_t phase = 0;
    double round = 0;
    std::size_t open = 0;  // ends of its messages of this step
  };

  struct Live {
    std::size_t phase;
    const Flow* flow;
    double rest;
  };

  Numbers current_rates(double& work) const {
    std::vector<const Route*> routes;
    for (const Live& live : live_) routes.push_back(live.flow->route);
    return max_min_rates(e_, routes, work);
  }

  /// The next phase from `phase` on in which the rank has messages; its end if there is none.
  void begin_phase(std::size_t r, std::size_t phase) {
    while (phase < phases_.size() && !ends_of_[phase].contains(r)) ++phase;
    ranks_[r] = {phase, 0, 0};
    if (phase == phases_.size()) {
      finish_[r] = now_, ++num_done_;
      return;
    }
    for (const std::size_t f : ends_of_[phase][r])
      if (phases_[phase].flows[f].from == r)
        spans_[phase].start = std::min(spans_[phase].start, now_);
    ready_.push_back(r);
  }

  /// Ranks that are ready post their messages, by which others may become so.
  void post_all() {
    while (!ready_.empty()) {
      const std::size_t r = ready_.back(), phase = ranks_[r].phase;
      ready_.pop_back();
      ranks_[r].open = ends_of_[phase][r].size();
      for (const std::size_t f : ends_of_[phase][r])
        if (++posts_[phase][f] == 2) posts_[phase][f] = 0, start(phase, phases_[phase].flows[f]);
    }
  }

  void start(std::size_t phase, const Flow& flow) {
    if (flow.route && flow.bytes > 0)
      live_.push_back({phase, &flow, flow.bytes}), has_changed_ = true;
    else
      leave(flow, now_ + (flow.route ? 0 : flow.bytes / memory_));
  }

  void leave(const Flow& flow, double time) {
    arrivals_.emplace(time, flow.from);
    arrivals_.emplace(time + (flow.route ? flow.route->latency : 0), flow.to);
  }

  void end_of_one(std::size_t r) {
    Rank& rank = ranks_[r];
    if (--rank.open > 0) return;
    if (++rank.round < phases_[rank.phase].repeat) return ready_.push_back(r);
    spans_[rank.phase].end = std::max(spans_[rank.phase].end, now_);
    begin_phase(r, rank.phase + 1);
  }

  void advance(double next, const Numbers& rates) {
    const double passed = next - now_;
    now_ = next;
    std::vector<Live> left;
    for (std::size_t i = 0; i < live_.size(); ++i)
      if (live_[i].rest / rates[i] > passed + same_time * now_)
        left.push_back({live_[i].phase, live_[i].flow, live_[i].rest - passed * rates[i]});
      else
        leave(*live_[i].flow, now_), has_changed_ = true;
    live_ = std::move(left);
    while (!arrivals_.empty() && arrivals_.begin()->first <= now_ * (1 + same_time)) {
      const std::size_t r = arrivals_.begin()->second;
      arrivals_.erase(arrivals_.begin());
      end_of_one(r);
    }
  }

  const Evidence& e_;
  const std::vector<Phase>& phases_;
  std::vector<Span> spans_;
  double memory_, now_ = 0;
  std::vector<Rank> ranks_ = {};
  Numbers finish_ = {};                                                        // of each rank
  std::vector<std::vector<int>> posts_ = {};                                   // by phase and flow
  std::vector<std::map<std::size_t, std::vector<std::size_t>>> ends_of_ = {};  // by phase and rank
  std::vector<Live> live_ = {};
  std::multimap<double, std::size_t> arrivals_ = {};  // ends of messages, by time: ranks
  std::vector<std::size_t> ready_ = {};
  std::size_t num_done_ = 0;
  bool has_changed_ = true;
};

/// When a replay ends, and when each step begins and ends; nothing if it takes too long.
/// @param clock `phases`: one step after the other.
std::optional<double> replayed(const Evidence& e, std::vector<Phase>& steps, const Json& clock,
                               std::vector<Replay::Span>& spans) {
  for (Phase& step : steps)
    std::erase_if(step.flows, [](const Flow& flow) { return !flow.is_sent; });
  const bool is_program = clock != "phases";
  double makespan = 0;
  for (std::size_t p = 0; p < (is_program ? 1 : steps.size()); ++p) {
    const std::vector<Phase> alone{{steps[p].flows, 1}};
    const auto last = Replay(e, is_program ? steps : alone).last_of_job(spans);
    if (!last) return std::nullopt;
    if (!is_program) spans.back() = {makespan, makespan + *last * steps[p].repeat};
    makespan = is_program ? *last : spans.back().end;
  }
  return makespan;
}

/// All flows of a burst, those of other jobs too, or those of each phase.
std::vector<Phase> steps_of(const Evidence& e, const Json& of_row) {
  const Json& embedding = of_row.at("embedding");
  std::vector<Phase> steps;
  for (const Json& phase : e.json.value("phases", Json::array()))
    steps.push_back({e.flows_of(embedding, phase.at("edges"), e.routes), real(phase.at("repeat"))});
  if (!steps.empty()) return steps;
  steps.push_back({e.flows_of(embedding, e.json.at("edges"), e.routes)});
  for (const Flow& flow : e.flows_of({}, e.json.value("background", Json::array()), e.routes))
    steps[0].flows.push_back(flow);
  return steps;
}

}  // namespace

std::optional<double> time_of_row(const Evidence& e, std::size_t row, bool is_simulated) {
  const Json& of_row = e.json.at("rows").at(row);
  if (of_row.contains("routes")) return std::nullopt;
  if (e.report.at("rows")[row].contains("phases") && !e.json.contains("phases"))
    return std::nullopt;
  std::vector<Phase> steps = steps_of(e, of_row);
  if (!is_simulated) {
    double time = 0;
    for (const Phase& step : steps)
      time += values_of(e, step.flows).at("max_congestion") * step.repeat;
    return time;
  }
  if (!of_row.contains("flows") && !of_row.contains("clock")) return std::nullopt;
  std::vector<Replay::Span> spans;
  return replayed(e, steps, of_row.value("clock", "burst"), spans);
}

void check_clock(Evidence& e, const Json& row, std::vector<Phase> steps, const Json& clock) {
  const bool is_burst = clock == "burst";
  std::vector<Replay::Span> spans;
  const auto makespan = replayed(e, steps, clock, spans);
  if (!makespan) return void(e.open.insert("makespans of very many flows"));
  e.same("makespan", row.at("makespan"), *makespan, accurate);
  for (std::size_t p = 0; !is_burst && p < steps.size(); ++p) {
    const Json& claim = row.at("phases").at(p);
    const double start = std::isfinite(spans[p].start) ? spans[p].start : 0;
    const double time = spans[p].end - start;
    e.same(fmt::format("phase {}: end", p), claim.at("end"), spans[p].end, accurate);
    for (const auto& [name, value, times] :
         {std::tuple("start", start, 1.0), std::tuple("makespan", time, 1.0),
          std::tuple("step_makespan", time, steps[p].repeat)}) {
      e.require(claim.at(name).is_number() &&
                    std::abs(real(claim.at(name)) * times - value) <= accurate * *makespan,
                fmt::format("phase {}: {} is {}", p, name, claim.at(name).dump()));
      e.vouch(claim.at(name));
    }
  }
  if (!is_burst) {
    e.equal("clock", row.at("clock"), clock);
    const bool has_barriers = e.option("barriers") != "";
    const bool is_one_step = steps.size() == 1 && steps[0].repeat == 1;  // with or without
    e.require(is_one_step || (clock == "phases") == has_barriers,
              "clock: not as the scenario says");
    if (has_barriers && !is_one_step) e.vouch(e.report.at("scenario").at("barriers"));
    e.vouch(clock);
  }
  e.verified.insert("makespans");
}

/// What phases send is what the job sends.
void check_sums_of_phases(const Evidence& e) {
  if (!e.json.contains("phases")) return;
  Volumes sums(e.num_ranks);
  for (const Json& phase : e.json.at("phases")) {
    const Volumes sent = e.volumes_of(phase.at("edges"));
    for (std::size_t r = 0; r < e.num_ranks; ++r)
      for (const auto& [to, bytes] : sent[r]) sums[r][to] += bytes * real(phase.at("repeat"));
  }
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    e.require(sums[r].size() == e.sent[r].size(), fmt::format("phases: partners of rank {}", r));
    for (const auto& [to, bytes] : e.sent[r])
      e.same(fmt::format("what phases send from rank {} to {}", r, to), bytes, sums[r][to]);
  }
}

/// Figures of one step of each phase and their sums, and when each begins and ends.
void check_phases(Evidence& e, const Json& row, const Json& of_row) {
  const Json &phases = e.json.at("phases"), &claims = row.at("phases");
  e.require(claims.size() == phases.size(), "not as many phases as the job has");
  const std::vector<Phase> steps = steps_of(e, of_row);
  Values sums{{"max_congestion", 0}, {"max_flows_per_link", 0}};
  const std::string row_name = e.where;
  for (std::size_t p = 0; p < phases.size(); ++p) {
    Values values = values_of(e, steps[p].flows), step;
    for (const char* name : {"edges", "total_bytes", "hop_bytes", "max_dilation", "max_link_load",
                             "max_congestion", "max_flows_per_link"})
      step[name] = values[name];
    step["repeat"] = steps[p].repeat;
    step["static_bound"] = step["max_congestion"] * steps[p].repeat;
    sums["max_congestion"] += step["static_bound"];
    sums["max_flows_per_link"] = std::max(sums["max_flows_per_link"], step["max_flows_per_link"]);
    e.where = fmt::format("{}phase {}: ", row_name, p);
    check_values(e, claims[p], step);
  }
  e.where = row_name;
  check_values(e, row, sums);
  if (of_row.contains("clock")) check_clock(e, row, steps, of_row.at("clock"));
}

}  // namespace vtopo::detail::checking
