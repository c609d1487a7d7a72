#include "sim/clock/step_times.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
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

void PortClocks::Round::add(double start, double seconds) {
  first = busy == 0 ? start : std::min(first, start);
  end = std::max(end, start + seconds);
  busy += seconds;
}

void PortClocks::pass(const TimedMessage& message, double start, double unit) {
  for (const TimedMessage::Port& port : message.ports) {
    if (port.link < 0 || port.seconds * unit == 0) continue;
    Round& round = round_[static_cast<std::size_t>(port.link)];
    if (round.busy == 0) used_.push_back(static_cast<std::size_t>(port.link));
    round.add(start, port.seconds * unit);
  }
}

void PortClocks::end_round() {
  for (const std::size_t link : used_) through_[link] = std::exchange(round_[link], {}).through();
  used_.clear();
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

RankClocks::Passage RankClocks::passage(const TimedMessage& message, const Rounds& rounds,
                                        int sends_before) const {
  const double posted_at = now_[static_cast<std::size_t>(message.source)];
  const double ready_at = now_[static_cast<std::size_t>(message.destination)];
  const double bytes = message.units * rounds.unit;
  const int pieces = rounds.apart ? std::max(static_cast<int>(message.units), 1) : 1;
  const bool is_eager = bytes <= pieces * costs_.eager_limit.value;
  const double through = is_eager ? ports_.through(message) : 0;
  const auto start = [&](double posted) {
    return is_eager
               ? std::max(posted, through)
               : std::max(posted, ready_at) + costs_.handshake_over(Seconds{message.latency}).value;
  };
  const auto seconds = [&](double of_unit) {
    return message.is_local ? bytes / costs_.memory_bandwidth.value : of_unit * rounds.unit;
  };
  // What a rank sends in a round is on its way while more of it is being posted.
  const double begin =
      start(posted_at + costs_.overhead_of(message.is_local ? sends_before + 1 : 1).value);
  const double first = posted_at + costs_.overhead_of(sends_before + 1).value;
  const double last = posted_at + costs_.overhead_of(sends_before + pieces).value;
  const double end =
      std::max(begin + seconds(message.seconds), start(last) + seconds(message.alone) / pieces);
  const double arrival = end + message.latency;
  return {start(first),
          is_eager ? last : end,
          pieces == 1 ? arrival : start(first) + seconds(message.alone) / pieces + message.latency,
          arrival,
          pieces,
          is_eager};
}

void RankClocks::send(const TimedMessage& message, const Passage& passage) {
  const auto source = static_cast<std::size_t>(message.source);
  sends_[source] += passage.pieces;
  next_[source] = std::max(next_[source], passage.next);
}

void RankClocks::arrive(const TimedMessage& message, const Passage& passage, const Rounds& rounds) {
  const double reduced = rounds.combine ? message.units * rounds.unit : 0;
  arrivals_[static_cast<std::size_t>(message.destination)].add(
      passage.first, passage.last, passage.pieces, reduced / costs_.reduction_bandwidth.value);
}

/// @return when a rank goes on to the next round.
double RankClocks::end_round(std::size_t r) {
  Arrivals& arrivals = arrivals_[r];
  const double posting = costs_.overhead_of(std::exchange(sends_[r], 0)).value;
  double next = std::max(std::exchange(next_[r], 0), now_[r]);
  if (!arrivals.empty())
    next = std::max(next, arrivals.taken(now_[r] + posting, costs_)) + arrivals.reduction();
  in_round_[r] = posting + costs_.overhead_of(arrivals.count()).value + arrivals.reduction();
  arrivals.clear();
  return next;
}

void RankClocks::run(const std::vector<TimedMessage>& messages, const Rounds& rounds) {
  num_looks_ += messages.size();
  for (const TimedMessage& message : messages) {
    const Passage way = passage(message, rounds, sends_[static_cast<std::size_t>(message.source)]);
    if (way.is_eager) ports_.pass(message, way.start, rounds.unit);
    send(message, way);
    arrive(message, way, rounds);
  }
  for (std::size_t r = 0; r < now_.size(); ++r) now_[r] = end_round(r);
  ports_.end_round();
}

/// Many rounds of the same messages. When a rank goes on, and when a link has finished, depends on
/// the ranks and links of its messages in the round before: where all of these have advanced by the
/// same time, it will too. So a round looks only at nodes, ranks and links, with a neighbour that
/// advances otherwise. In a ring these are where a slower pace has got to.
class Repetition {
 public:
  Repetition(RankClocks& clocks, std::vector<TimedMessage> messages, const Rounds& rounds)
      : clocks_(clocks),
        messages_(std::move(messages)),
        rounds_(rounds),
        ranks_(clocks.now_.size()),
        first_(ranks_ + clocks.ports_.num_links() + 1),
        before_(messages_.size()),
        pace_(first_.size() - 1),
        reached_(pace_.size()),
        listed_(pace_.size(), -1) {
    std::vector<int> sends(ranks_);
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const auto way = clocks.passage(messages_[m], rounds, 0);
      if (!way.is_eager) messages_[m].ports = {};
      for_each_node(messages_[m], [&](std::size_t node) { ++first_[node + 1]; });
      int& sent = sends[static_cast<std::size_t>(messages_[m].source)];
      before_[m] = std::exchange(sent, sent + way.pieces);
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    of_node_.resize(first_.back());
    std::vector<std::size_t> next = first_;
    for (std::size_t m = 0; m < messages_.size(); ++m)
      for_each_node(messages_[m], [&](std::size_t node) { of_node_[next[node]++] = m; });
    for (std::size_t node = 0; node < pace_.size(); ++node)
      if (!messages_of(node).empty()) used_.push_back(node);
  }

  void run(const std::function<bool()>& stop) {
    constexpr std::size_t part = 8;  // of all nodes: looking at them one by one takes longer
    active_ = used_;
    for (; round_ < rounds_.count; ++round_) {
      if (stop && stop()) throw SimulationError("the simulation was stopped");
      if (round_ > 0) std::erase_if(active_, [&](std::size_t node) { return keeps_pace(node); });
      if (active_.empty()) break;
      active_.size() > used_.size() / part ? advance_all() : advance_active();
    }
    round_ = rounds_.count;
    for (const std::size_t node : used_) reach(node);
    for (std::size_t r = 0; r < ranks_; ++r)
      clocks_.computing_[r] += static_cast<double>(rounds_.count) * clocks_.in_round_[r];
  }

 private:
  static constexpr double same_time = 1e-13;  // relative

  /// Ranks have the first numbers, links the next.
  template <class Visitor>
  void for_each_node(const TimedMessage& message, Visitor&& visit) const {
    visit(static_cast<std::size_t>(message.source));
    if (message.destination != message.source) visit(static_cast<std::size_t>(message.destination));
    for (const TimedMessage::Port& port : message.ports)
      if (port.link >= 0) visit(ranks_ + static_cast<std::size_t>(port.link));
  }

  std::span<const std::size_t> messages_of(std::size_t node) const {
    return {of_node_.data() + first_[node], of_node_.data() + first_[node + 1]};
  }

  template <class Visitor>
  void for_each_neighbour(std::size_t node, Visitor&& visit) const {
    for (const std::size_t m : messages_of(node)) for_each_node(messages_[m], visit);
  }

  double& time(std::size_t node) {
    return node < ranks_ ? clocks_.now_[node] : clocks_.ports_.through(node - ranks_);
  }

  /// Nodes that are not looked at keep their pace until the present round.
  void reach(std::size_t node) {
    time(node) += pace_[node] * static_cast<double>(round_ - reached_[node]);
    reached_[node] = round_;
  }

  bool keeps_pace(std::size_t node) {
    const double slack = same_time * time(node);
    bool is_same = true;
    for_each_neighbour(node, [&](std::size_t other) {
      is_same = is_same && std::abs(pace_[other] - pace_[node]) <= slack;
    });
    return is_same;
  }

  /// @return whether its pace is another one.
  bool advance(std::size_t node, double before) {
    reached_[node] = round_ + 1;
    const double pace = time(node) - before;
    if (std::abs(pace - pace_[node]) <= same_time * time(node)) return false;
    pace_[node] = pace;
    return true;
  }

  void advance_all() {
    times_.clear();
    for (const std::size_t node : used_) {
      reach(node);
      times_.push_back(time(node));
    }
    clocks_.run(messages_, rounds_);
    for (std::size_t i = 0; i < used_.size(); ++i) advance(used_[i], times_[i]);
    active_ = used_;
  }

  void advance_active() {
    times_.clear();
    for (const std::size_t node : active_) {
      clocks_.num_looks_ += messages_of(node).size();
      for_each_neighbour(node, [&](std::size_t other) { reach(other); });
      times_.push_back(node < ranks_ ? rank_after_round(node) : link_after_round(node));
    }
    const std::vector<std::size_t> advanced = std::exchange(active_, {});
    const auto list = [&](std::size_t node) {
      if (std::exchange(listed_[node], round_) != round_) active_.push_back(node);
    };
    for (std::size_t i = 0; i < advanced.size(); ++i) {
      list(advanced[i]);
      const double before = std::exchange(time(advanced[i]), times_[i]);
      if (advance(advanced[i], before)) for_each_neighbour(advanced[i], list);
    }
  }

  double rank_after_round(std::size_t rank) {
    for (const std::size_t m : messages_of(rank)) {
      const auto way = clocks_.passage(messages_[m], rounds_, before_[m]);
      if (messages_[m].source == static_cast<int>(rank)) clocks_.send(messages_[m], way);
      if (messages_[m].destination == static_cast<int>(rank))
        clocks_.arrive(messages_[m], way, rounds_);
    }
    return clocks_.end_round(rank);
  }

  double link_after_round(std::size_t node) {
    PortClocks::Round round;
    for (const std::size_t m : messages_of(node)) {
      const auto way = clocks_.passage(messages_[m], rounds_, before_[m]);
      for (const TimedMessage::Port& port : messages_[m].ports)
        if (port.link == static_cast<std::int32_t>(node - ranks_) &&
            port.seconds * rounds_.unit > 0)
          round.add(way.start, port.seconds * rounds_.unit);
    }
    return round.busy > 0 ? round.through() : time(node);
  }

  RankClocks& clocks_;
  std::vector<TimedMessage> messages_;  ///< with ports of eager ones alone
  const Rounds& rounds_;
  std::size_t ranks_;
  std::vector<std::size_t> first_, of_node_;  ///< messages of each node, in their order
  std::vector<int> before_;                   ///< sends of its source before a message
  std::vector<double> pace_;                  ///< of each node: seconds by round
  std::vector<std::int64_t> reached_;         ///< round that its time is of
  std::vector<std::int64_t> listed_;          ///< last round that has made it active
  std::vector<std::size_t> used_, active_;
  std::vector<double> times_;
  std::int64_t round_ = 0;
};

void RankClocks::run(const std::vector<TimedMessage>& messages, const Rounds& rounds,
                     const std::function<bool()>& stop) {
  if (rounds.count > 8) return Repetition(*this, messages, rounds).run(stop);
  for (std::int64_t round = 0; round < rounds.count; ++round) {
    if (stop && stop()) throw SimulationError("the simulation was stopped");
    run(messages, rounds);
    for (std::size_t r = 0; r < now_.size(); ++r) computing_[r] += in_round_[r];
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

std::vector<double> StepClock::finish_times(const CommunicationSteps& steps, Bytes volume,
                                            const EndpointCosts& costs) {
  RankClocks clocks(embedding_.hosts().size(), network_.num_links(), costs);
  const double slot = volume.value * steps.slot_share;
  clocks.copy(steps.copied(volume));
  for (std::int64_t k = 0; k < steps.steps.size(); ++k) {
    const CommunicationStep step = steps.steps[k];
    clocks.run(timed(step).timed,
               {step.rounds, slot, step.effect == StepEffect::combine, step.sends_slots_apart},
               stop_);
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
    clocks.run(time_messages(edges), {phase.repeat, 1, phase.combines}, stop_);
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
  times.num_updates = clocks.num_looks();
  return times;
}

}  // namespace vtopo::detail
