#include "sim/simulation/step_times.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/evaluation/routed_traffic.hpp"
#include "sim/simulation/finish_times.hpp"
#include "sim/simulation/shared_flows.hpp"

namespace vtopo::detail {

namespace {

/// Memory of a call up to this is kept for the next one, in the heap and in the caches; more of it
/// is given back to the system after each call and comes as fresh pages: bytes
/// (`DEFAULT_MMAP_THRESHOLD_MAX` of glibc, mallopt(3)).
constexpr double kept_memory = 32 << 20;
constexpr double almost_empty = 1e-9;  // bytes: a message that has a route and so a latency
constexpr std::size_t max_known_messages = 32'000'000;  // 1.5 GiB

std::size_t hash_of(const std::vector<StepMessage>& messages) {
  static_assert(std::has_unique_object_representations_v<StepMessage>);
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(messages.data()), messages.size() * sizeof(StepMessage)});
}

std::vector<double> times_alone(const SharedFlows& flows) {
  std::vector<double> times(flows.num_flows());
  for (std::size_t f = 0; f < times.size(); ++f)
    for (std::uint64_t entry = flows.first[f]; entry < flows.first[f + 1]; ++entry)
      times[f] =
          std::max(times[f], flows.volume[f] * flows.share(entry) /
                                 flows.capacity[static_cast<std::size_t>(flows.links[entry])]);
  return times;
}

/// When the ranks of a communicator go on, round after round.
class RankClocks {
 public:
  RankClocks(std::size_t ranks, const EndpointCosts& costs)
      : costs_(costs),
        now_(ranks),
        next_(ranks),
        computing_(ranks),
        in_round_(ranks),
        sends_(ranks),
        arrivals_(ranks) {}

  /// Every rank begins at this time.
  void begin(double time) { std::fill(now_.begin(), now_.end(), time); }

  const std::vector<double>& now() const { return now_; }
  const std::vector<double>& computing() const { return computing_; }

  /// One message of the round that has begun, or `pieces` of equal size from one rank to another.
  /// @param seconds in the network, without latency, of all of them.
  /// @param reduction of the receiver, seconds.
  void pass(std::size_t source, std::size_t destination, double bytes, double seconds,
            double latency, double reduction, int pieces) {
    const bool is_eager = bytes <= pieces * costs_.eager_limit.value;
    const auto start = [&](double posted) {
      return is_eager ? posted : std::max(posted, now_[destination]) + costs_.handshake.value;
    };
    // Pieces are on their way while later ones are being posted.
    const double first = now_[source] + costs_.overhead_of(sends_[source] + 1).value;
    const double last = now_[source] + costs_.overhead_of(sends_[source] + pieces).value;
    const double end = std::max(start(first) + seconds, start(last) + seconds / pieces);
    sends_[source] += pieces;
    next_[source] = std::max(next_[source], is_eager ? last : end);
    Arrivals& arrivals = arrivals_[destination];
    arrivals.count += pieces;
    arrivals.first = std::min(arrivals.first, start(first) + seconds / pieces + latency);
    arrivals.last = std::max(arrivals.last, end + latency);
    arrivals.reduction += reduction;
  }

  /// The messages of the round are all there.
  /// @return whether it took every rank, also those without messages, equally long.
  bool end_round() {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t r = 0; r < now_.size(); ++r) {
      Arrivals& arrivals = arrivals_[r];
      if (arrivals.count > 0) {
        // Each is taken over by the processor, one after the other, when it is there and all that
        // the rank sends has been posted.
        const double posted = now_[r] + costs_.overhead_of(sends_[r]).value;
        const double taken =
            std::max(arrivals.last + costs_.overhead.value,
                     std::max(arrivals.first, posted) + costs_.overhead_of(arrivals.count).value);
        next_[r] = std::max(next_[r], taken) + arrivals.reduction;
      }
      in_round_[r] = costs_.overhead_of(sends_[r]).value +
                     costs_.overhead_of(arrivals.count).value + arrivals.reduction;
      computing_[r] += in_round_[r];
      arrivals = {};
      sends_[r] = 0;
      next_[r] = std::max(next_[r], now_[r]);
      least = std::min(least, next_[r] - now_[r]);
      most = std::max(most, next_[r] - now_[r]);
    }
    last_round_ = most;
    std::swap(now_, next_);
    std::fill(next_.begin(), next_.end(), 0);
    return most - least <= 1e-13 * now_.front();
  }

  /// So many rounds as long as the last one.
  void repeat(double rounds) {
    for (std::size_t r = 0; r < now_.size(); ++r) {
      now_[r] += rounds * last_round_;
      computing_[r] += rounds * in_round_[r];
    }
  }

 private:
  struct Arrivals {
    double first = std::numeric_limits<double>::infinity(), last = 0, reduction = 0;
    int count = 0;
  };

  const EndpointCosts& costs_;
  std::vector<double> now_, next_;
  std::vector<double> computing_, in_round_;  ///< of all rounds, and of the last one
  std::vector<int> sends_;                    ///< in this round
  std::vector<Arrivals> arrivals_;
  double last_round_ = 0;
};

}  // namespace

StepClock::StepClock(const Network& network, std::vector<HostId> hosts, NetworkSharing sharing)
    : network_(network), hosts_(std::move(hosts)), sharing_(sharing) {}

std::vector<StepClock::TimedMessage> StepClock::time_messages(
    const std::vector<DirectedEdge>& edges) const {
  const CommGraph traffic(static_cast<int>(hosts_.size()), edges);
  Allocation allocation{hosts_, std::vector<int>(hosts_.size(), static_cast<int>(hosts_.size()))};
  const Embedding embedding(hosts_, allocation);
  const bool alone = sharing_ == NetworkSharing::alone;
  const auto routed = alone ? nullptr : routed_for(traffic, network_, embedding);
  FlowPhase phase = make_flow_phase(traffic, routed ? *routed : network_, embedding);
  const auto seconds = alone ? times_alone(phase.shared)
                             : vtopo::detail::finish_times(std::move(phase.shared), {}, {}).seconds;
  std::vector<TimedMessage> messages;
  std::size_t flow = 0;
  for (const auto& [source, destination, volume, count] : edges) {
    const bool is_local = hosts_[index(source)] == hosts_[index(destination)];
    TimedMessage message{number(source), number(destination), volume.value, 0, 0, is_local};
    if (!is_local && volume.value > 0) {
      message.seconds = seconds[flow];
      message.latency = phase.flows[flow++].latency.value;
    }
    messages.push_back(message);
  }
  return messages;
}

const StepClock::TimedStep& StepClock::timed(CommunicationStep step) {
  std::stable_sort(step.messages.begin(), step.messages.end(),
                   [](const StepMessage& a, const StepMessage& b) { return a.source < b.source; });
  const std::size_t hash = hash_of(step.messages);
  for (const TimedStep& known : known_[hash])
    if (known.messages == step.messages) return known;
  if (num_known_ > max_known_messages) {
    known_.clear();
    num_known_ = 0;
  }
  num_known_ += step.messages.size();
  std::vector<DirectedEdge> edges;
  for (const StepMessage& message : step.messages)
    edges.push_back({Rank{message.source}, Rank{message.destination},
                     Bytes{std::max(static_cast<double>(message.slots), almost_empty)}});
  return known_[hash].emplace_back(TimedStep{std::move(step.messages), time_messages(edges)});
}

template <class Clocks>
void StepClock::run(const std::vector<TimedMessage>& messages, const Rounds& rounds,
                    const EndpointCosts& costs, Clocks& clocks) {
  const double reduction = rounds.combine ? 1 / costs.reduction_bandwidth.value : 0;
  for (std::int64_t round = 0; round < rounds.count; ++round) {
    for (const TimedMessage& message : messages) {
      const double bytes = message.units * rounds.unit;
      const double seconds =
          message.is_local ? bytes / costs.memory_bandwidth.value : message.seconds * rounds.unit;
      const int pieces = rounds.apart ? std::max(static_cast<int>(message.units), 1) : 1;
      clocks.pass(index(message.source), index(message.destination), bytes, seconds,
                  message.latency, bytes * reduction, pieces);
    }
    if (!clocks.end_round()) continue;
    clocks.repeat(static_cast<double>(rounds.count - 1 - round));
    return;
  }
}

std::vector<double> StepClock::finish_times(const CommunicationSteps& steps, Bytes volume,
                                            const EndpointCosts& costs) {
  RankClocks clocks(hosts_.size(), costs);
  const double slot = volume.value * steps.slot_share;
  const double buffer = slot * steps.num_slots;
  const double copies = steps.packings + (buffer > kept_memory ? steps.copies : 0);
  clocks.begin(copies * buffer / costs.memory_bandwidth.value);
  for (std::int64_t k = 0; k < steps.steps.size(); ++k) {
    const CommunicationStep step = steps.steps[k];
    run(timed(step).timed,
        {step.rounds, slot, step.effect == StepEffect::combine, step.sends_slots_apart}, costs,
        clocks);
  }
  return clocks.now();
}

ProgramTimes StepClock::finish_times(const Schedule& schedule, const EndpointCosts& costs) {
  RankClocks clocks(hosts_.size(), costs);
  ProgramTimes times;
  for (const SchedulePhase& phase : schedule.phases) {
    std::vector<DirectedEdge> edges;
    MarkTimes start, end;
    phase.traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
      const Bytes volume = std::max(edge.volume, Bytes{phase.sends_empty ? almost_empty : 0});
      if (volume.value <= 0) return;
      edges.push_back({source, edge.destination, volume});
      start.add(Seconds{clocks.now()[index(source)]});
    });
    run(time_messages(edges), {phase.repeat, 1, phase.combines}, costs, clocks);
    for (const DirectedEdge& edge : edges)
      for (const Rank rank : {edge.source, edge.destination})
        end.add(Seconds{clocks.now()[index(rank)]});
    times.marks.push_back(start);
    times.marks.push_back(end);
  }
  for (std::size_t r = 0; r < hosts_.size(); ++r) {
    const Seconds finish{clocks.now()[r]}, computing{clocks.computing()[r]};
    times.ranks.push_back({finish, computing, finish - computing});
    times.makespan = std::max(times.makespan, finish);
  }
  return times;
}

}  // namespace vtopo::detail
