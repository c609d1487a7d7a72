#include "sim/clock/step_times.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/clock/finish_times.hpp"
#include "sim/clock/sharing/flows.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double almost_empty = 1e-9;  // bytes: a message that has a route and so a latency
constexpr std::size_t max_known_messages = 16'000'000;  // 1.5 GiB

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

/// Where a route leaves its first host, and where it comes to its last one: links that take the
/// whole of every message there.
/// @param links memory for them, of any content.
std::array<TimedMessage::Port, 2> ports_of(const Network& network, HostId from, HostId to,
                                           std::vector<LinkShare>& links) {
  links.clear();
  network.append_shares(from, to, links);
  std::array<TimedMessage::Port, 2> ports;
  const auto set = [&](TimedMessage::Port& port, const LinkShare& at) {
    const LinkProperties link = network.link(at.link);
    if (at.share == 1 && link.sharing == LinkSharing::shared)
      port = {number(at.link), 1 / link.bandwidth.value};
  };
  if (links.empty()) return ports;
  set(ports[0], links.front());
  if (links.size() > 1) set(ports[1], links.back());
  return ports;
}

}  // namespace

PortClocks::PortClocks(int num_links)
    : through_(static_cast<std::size_t>(num_links)), round_(static_cast<std::size_t>(num_links)) {}

double PortClocks::through(const TimedMessage& message) const {
  double time = 0;
  for (const TimedMessage::Port& port : message.ports)
    if (port.link >= 0) time = std::max(time, through_[static_cast<std::size_t>(port.link)]);
  return time;
}

void PortClocks::pass(const TimedMessage& message, double start, double unit) {
  for (const TimedMessage::Port& port : message.ports) {
    if (port.link < 0) continue;
    Round& round = round_[static_cast<std::size_t>(port.link)];
    const double busy = port.seconds * unit;
    if (busy == 0) continue;
    if (round.busy == 0) {
      used_.push_back(static_cast<std::size_t>(port.link));
      round.first = start;
    }
    round.first = std::min(round.first, start);
    round.end = std::max(round.end, start + busy);
    round.busy += busy;
  }
}

bool PortClocks::end_round(double advance, double least) {
  bool keeps_step = true;
  last_used_.swap(used_);
  used_.clear();
  for (const std::size_t link : last_used_) {
    const Round& round = round_[link];
    const double through = std::max(round.end, round.first + round.busy);
    if (through > least && std::abs(through - through_[link] - advance) > 1e-13 * through)
      keeps_step = false;
    through_[link] = through;
    round_[link] = {};
  }
  return keeps_step;
}

void PortClocks::repeat(double time) {
  for (const std::size_t link : last_used_) through_[link] += time;
}

void Arrivals::add(double first, double last, int count, double reduction) {
  pieces_.push_back({first, last, count});
  count_ += count;
  reduction_ += reduction;
}

double Arrivals::taken(double posted, const EndpointCosts& costs) {
  if (pieces_.size() > 1)
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Pieces& a, const Pieces& b) { return a.last < b.last; });
  const double further = costs.overhead_after(1).value;
  double until = -std::numeric_limits<double>::infinity();
  for (const auto& [first, last, count] : pieces_) {
    until = std::max(std::max(first, posted) + costs.overhead.value, until + further);
    until = std::max(std::max(last, posted) + costs.overhead.value, until + further * (count - 1));
  }
  return until;
}

void Arrivals::clear() {
  pieces_.clear();
  count_ = 0;
  reduction_ = 0;
}

RankClocks::RankClocks(std::size_t ranks, int num_links, const EndpointCosts& costs)
    : costs_(costs),
      ports_(num_links),
      now_(ranks),
      next_(ranks),
      computing_(ranks),
      in_round_(ranks),
      sends_(ranks),
      arrivals_(ranks) {}

void RankClocks::copy(Bytes volume) {
  const double time = (volume / costs_.memory_bandwidth).value;
  for (double& now : now_) now += time;
  for (double& computing : computing_) computing += time;
}

void RankClocks::pass(const TimedMessage& message, const Rounds& rounds) {
  const auto source = static_cast<std::size_t>(message.source);
  const auto destination = static_cast<std::size_t>(message.destination);
  const double bytes = message.units * rounds.unit;
  const int pieces = rounds.apart ? std::max(static_cast<int>(message.units), 1) : 1;
  const bool is_eager = bytes <= pieces * costs_.eager_limit.value;
  const double through = is_eager ? ports_.through(message) : 0;
  const auto start = [&](double posted) {
    return is_eager ? std::max(posted, through)
                    : std::max(posted, now_[destination]) +
                          costs_.handshake_over(Seconds{message.latency}).value;
  };
  const auto seconds = [&](double of_unit) {
    return message.is_local ? bytes / costs_.memory_bandwidth.value : of_unit * rounds.unit;
  };
  // What a rank sends in a round is on its way while more of it is being posted.
  const double begin =
      start(now_[source] + costs_.overhead_of(message.is_local ? sends_[source] + 1 : 1).value);
  const double first = now_[source] + costs_.overhead_of(sends_[source] + 1).value;
  const double last = now_[source] + costs_.overhead_of(sends_[source] + pieces).value;
  const double end =
      std::max(begin + seconds(message.seconds), start(last) + seconds(message.alone) / pieces);
  if (is_eager) ports_.pass(message, start(first), rounds.unit);
  sends_[source] += pieces;
  next_[source] = std::max(next_[source], is_eager ? last : end);
  const double arrival = end + message.latency;
  arrivals_[destination].add(
      pieces == 1 ? arrival : start(first) + seconds(message.alone) / pieces + message.latency,
      arrival, pieces, rounds.combine ? bytes / costs_.reduction_bandwidth.value : 0);
}

bool RankClocks::end_round() {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t r = 0; r < now_.size(); ++r) {
    Arrivals& arrivals = arrivals_[r];
    const double posting = costs_.overhead_of(sends_[r]).value;
    if (!arrivals.empty())
      next_[r] =
          std::max(next_[r], arrivals.taken(now_[r] + posting, costs_)) + arrivals.reduction();
    in_round_[r] = posting + costs_.overhead_of(arrivals.count()).value + arrivals.reduction();
    computing_[r] += in_round_[r];
    arrivals.clear();
    sends_[r] = 0;
    next_[r] = std::max(next_[r], now_[r]);
    least = std::min(least, next_[r] - now_[r]);
    most = std::max(most, next_[r] - now_[r]);
  }
  last_round_ = most;
  std::swap(now_, next_);
  std::fill(next_.begin(), next_.end(), 0);
  const bool keeps_step = ports_.end_round(most, *std::min_element(now_.begin(), now_.end()));
  return keeps_step && most - least <= 1e-13 * now_.front();
}

void RankClocks::repeat(double rounds) {
  ports_.repeat(rounds * last_round_);
  for (std::size_t r = 0; r < now_.size(); ++r) {
    now_[r] += rounds * last_round_;
    computing_[r] += rounds * in_round_[r];
  }
}

StepClock::StepClock(const Network& network, const std::vector<HostId>& hosts,
                     NetworkSharing sharing, std::function<bool()> stop)
    : network_(network),
      embedding_(embedding_on(hosts)),
      sharing_(sharing),
      stop_(std::move(stop)) {}

std::vector<TimedMessage> StepClock::time_messages(const std::vector<DirectedEdge>& edges) const {
  const CommGraph traffic(embedding_.num_ranks(), edges);
  const bool is_alone = sharing_ == NetworkSharing::alone;
  const auto routed = is_alone ? nullptr : routed_for(traffic, network_, embedding_);
  const Network& network = routed ? *routed : network_;
  FlowPhase phase = make_flow_phase(traffic, network, embedding_);
  const auto alone = times_alone(phase.shared);
  const auto seconds =
      is_alone ? alone : vtopo::detail::finish_times(std::move(phase.shared), {}, stop_).seconds;
  std::vector<TimedMessage> messages;
  std::vector<LinkShare> links;
  std::size_t flow = 0;
  for (const auto& [source, destination, volume, count] : edges) {
    const HostId from = embedding_.host_of(source), to = embedding_.host_of(destination);
    const bool is_local = from == to;
    const bool is_empty = volume.value <= almost_empty;
    TimedMessage message{.source = number(source), .destination = number(destination)};
    message.units = is_empty ? 0 : volume.value;
    message.is_local = is_local;
    if (!is_local && volume.value > 0) {
      message.seconds = is_empty ? 0 : seconds[flow];
      message.alone = is_empty ? 0 : alone[flow];
      message.latency = phase.flows[flow++].latency.value;
      if (!is_alone && !is_empty) message.ports = ports_of(network, from, to, links);
      for (TimedMessage::Port& port : message.ports) port.seconds *= message.units;
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

void StepClock::run(const std::vector<TimedMessage>& messages, const Rounds& rounds,
                    RankClocks& clocks) const {
  for (std::int64_t round = 0; round < rounds.count; ++round) {
    if (stop_ && stop_()) throw SimulationError("the simulation was stopped");
    for (const TimedMessage& message : messages) clocks.pass(message, rounds);
    if (!clocks.end_round()) continue;
    clocks.repeat(static_cast<double>(rounds.count - 1 - round));
    return;
  }
}

std::vector<double> StepClock::finish_times(const CommunicationSteps& steps, Bytes volume,
                                            const EndpointCosts& costs) {
  RankClocks clocks(embedding_.hosts().size(), network_.num_links(), costs);
  const double slot = volume.value * steps.slot_share;
  clocks.copy(steps.copied(volume));
  for (std::int64_t k = 0; k < steps.steps.size(); ++k) {
    const CommunicationStep step = steps.steps[k];
    run(timed(step).timed,
        {step.rounds, slot, step.effect == StepEffect::combine, step.sends_slots_apart}, clocks);
  }
  return clocks.now();
}

ProgramTimes StepClock::finish_times(const Schedule& schedule, const EndpointCosts& costs) {
  RankClocks clocks(embedding_.hosts().size(), network_.num_links(), costs);
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
    clocks.copy(phase.copied);
    run(time_messages(edges), {phase.repeat, 1, phase.combines}, clocks);
    for (const DirectedEdge& edge : edges)
      for (const Rank rank : {edge.source, edge.destination})
        end.add(Seconds{clocks.now()[index(rank)]});
    times.marks.push_back(start);
    times.marks.push_back(end);
  }
  for (std::size_t r = 0; r < clocks.now().size(); ++r) {
    const Seconds finish{clocks.now()[r]}, computing{clocks.computing()[r]};
    times.ranks.push_back({finish, computing, finish - computing});
    times.makespan = std::max(times.makespan, finish);
  }
  return times;
}

}  // namespace vtopo::detail
