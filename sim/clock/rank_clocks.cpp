#include "sim/clock/rank_clocks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vtopo::detail {

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
                    : std::max(posted, now_[destination]) + costs_.handshake.value;
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

}  // namespace vtopo::detail
