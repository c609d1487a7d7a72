#include "sim/mpi/decision/exchange_cost.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/clock/programs/schedule_program.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"
#include "topology/comm_graph.hpp"
#include "topology/patterns/collectives.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Ranks with more neighbours than this hardly send to one after the other: the rest counts as one
/// turn.
constexpr std::size_t max_turns = 32;

/// Messages up to which the engine simulates exchanges: about a tenth of a second for one cost.
constexpr std::int64_t max_simulated_messages = 50'000;

using Turns = std::vector<std::vector<DirectedEdge>>;

/// The first edges of all ranks, the second ones, ...
Turns turns_of(const CommGraph& guest) {
  Turns turns;
  for (int r = 0; r < guest.num_ranks(); ++r) {
    std::size_t place = 0;
    for (const CommEdge& edge : guest.out_edges(Rank{r})) {
      const std::size_t turn = std::min(place++, max_turns - 1);
      if (turn == turns.size()) turns.emplace_back();
      turns[turn].push_back({Rank{r}, edge.destination, edge.volume, edge.messages});
    }
  }
  return turns;
}

/// Both directions of each dimension.
Turns turns_of(const Cartesian& grid) {
  Turns turns;
  for (int d = 0; d < int_size(grid.dimensions()); ++d) {
    for (const int step : {-1, 1}) {
      auto& turn = turns.emplace_back();
      for (int r = 0; r < grid.num_ranks(); ++r)
        if (const auto to = grid.shift(Rank{r}, d, step).destination)
          turn.push_back({Rank{r}, *to, Bytes{1}, 1});
    }
  }
  return turns;
}

/// Of a link in the mean.
Seconds mean_latency(const Network& network) {
  double sum = 0;
  for (int l = 0; l < network.num_links(); ++l) sum += network.link(LinkId{l}).latency.value;
  return {sum / std::max(1, network.num_links())};
}

/// Bytes of an edge in the mean.
double mean_volume(const CommGraph& guest) {
  return guest.total_volume().value / std::max(1.0, static_cast<double>(guest.num_edges()));
}

SchedulePhase phase_of(const CommGraph& traffic, double scale) {
  std::vector<DirectedEdge> edges;
  traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({source, edge.destination, edge.volume * scale, edge.messages});
  });
  return {.name = {}, .traffic = CommGraph(traffic.num_ranks(), edges)};
}

/// One after the other, each rank as soon as it can.
Program program_of(std::span<const CommGraph> exchanges, double scale) {
  Schedule schedule;
  for (const CommGraph& exchange : exchanges) schedule.phases.push_back(phase_of(exchange, scale));
  return vtopo::detail::program_of(schedule, StepStart::by_rank);
}

const PatternSpec& bcast() {
  static const PatternSpec spec{"bcast", {{"algorithm", "binomial"}}};
  return spec;
}

/// A collective operation of short messages over all ranks.
Program collective_of(const PatternSpec& spec, int num_ranks) {
  const Bytes volume = usual_messages[0];
  return vtopo::detail::program_of(collective_steps(spec, num_ranks, volume), volume,
                                   all_ranks(num_ranks), num_ranks);
}

}  // namespace

Exchange::Exchange(const ReorderProblem& problem, const Network& network, Embedding before,
                   ProgramClock clock)
    : guest_(problem.guest),
      network_(network),
      clock_(std::move(clock)),
      latency_(mean_latency(network)),
      old_order_(std::move(before)) {
  const double volume = mean_volume(guest_);
  for (std::size_t i = 0; i < usual_messages.size(); ++i)
    scales_[i] = volume > 0 ? usual_messages[i].value / volume : 0;
  scales_.back() = volume > 1 ? 1 : 0;  // without weights each edge has one byte
  for (const auto& edges : problem.grid != nullptr ? turns_of(*problem.grid) : turns_of(guest_))
    turns_.emplace_back(guest_.num_ranks(), edges);
  messages_ = narrow<std::int64_t>(4 * guest_.num_edges() * (scales_.back() > 0 ? 3 : 2));
  const bool follows_traffic = network.routed({}) != nullptr;  // then single messages have no time
  if (follows_traffic || messages_ > max_simulated_messages) clock_ = nullptr;
  if (!is_simulated()) return;
  const auto sizes_of = [&](std::span<const CommGraph> exchanges) {
    return Sizes{program_of(exchanges, scales_[0]), program_of(exchanges, scales_[1]),
                 program_of(exchanges, scales_[2])};
  };
  at_once_ = sizes_of({&guest_, 1});
  std::vector<CommGraph> twice = turns_;  // ranks begin the second round at different times
  twice.insert(twice.end(), turns_.begin(), turns_.end());
  turn_by_turn_ = twice.empty() ? at_once_ : sizes_of(twice);
  for (const CommGraph& turn : turns_) in_turn_.push_back(sizes_of({&turn, 1}));
  const int ranks = guest_.num_ranks();
  collectives_ = {collective_of({"allreduce", {{"algorithm", "recursive_doubling"}}}, ranks),
                  collective_of(bcast(), ranks)};
}

ExchangeCost Exchange::cost(const Embedding& embedding, const Stop& stop) const {
  return is_simulated() ? simulated(embedding, stop) : bounds(embedding);
}

/// A process informs the others of the communicator, in the old order, and the first of the new one
/// those in it, as soon as it has heard.
Program Exchange::construction(const Embedding& embedding) const {
  std::map<HostId, std::vector<Rank>> ranks;  // new ones, by host
  const std::vector<Rank> members = all_ranks(guest_.num_ranks());
  for (const Rank rank : members) ranks[embedding.host_of(rank)].push_back(rank);
  // Where not all processes get a rank, the new order may have others of them than the old one.
  std::vector<std::optional<Rank>> places;
  for (const Rank rank : members) {
    std::vector<Rank>& here = ranks[old_order_.host_of(rank)];
    places.push_back(here.empty() ? std::nullopt : std::optional(here.back()));
    if (!here.empty()) here.pop_back();
  }
  std::vector<Rank> others, old_order;
  for (const auto& [host, left] : ranks) others.insert(others.end(), left.begin(), left.end());
  for (const std::optional<Rank>& place : places) {
    old_order.push_back(place ? *place : others.back());
    if (!place) others.pop_back();
  }
  constexpr Bytes pointer{8};
  const CommunicationSteps steps = collective_steps(bcast(), guest_.num_ranks(), pointer);
  Program program = vtopo::detail::program_of(steps, pointer, old_order, guest_.num_ranks());
  append(program, steps, pointer, members, 1);
  return program;
}

/// What takes the least to simulate comes first.
ExchangeCost Exchange::simulated(const Embedding& embedding, const Stop& stop) const {
  ExchangeCost cost{evaluate_totals(guest_, network_, embedding).hop_bytes, {}, {}, {}, {}, {}};
  cost.in_turn.resize(in_turn_.size());
  const auto is_enough = [&] { return stop && stop(cost); };
  const auto simulate = [&](const Sizes& programs, ExchangeCost::Times& times) {
    for (std::size_t i = 0; i < times.size(); ++i)
      if (scales_[i] > 0) times[i] = clock_(programs[i], network_, embedding);
  };
  for (std::size_t t = 0; t < in_turn_.size(); ++t) {
    simulate(in_turn_[t], cost.in_turn[t]);
    if (is_enough()) return cost;
  }
  for (std::size_t c = 0; c < collectives_.size(); ++c)
    cost.collectives[c] = clock_(collectives_[c], network_, embedding);
  simulate(at_once_, cost.at_once);
  if (is_enough()) return cost;
  simulate(turn_by_turn_, cost.turn_by_turn);
  cost.construction = clock_(construction(embedding), network_, embedding);
  return cost;
}

ExchangeCost Exchange::bounds(const Embedding& embedding) const {
  const auto times_of = [&](const Metrics& metrics) {
    ExchangeCost::Times times{};
    for (std::size_t i = 0; i < usual_messages.size(); ++i)
      times[i] = metrics.max_congestion * scales_[i] + latency_ * metrics.max_dilation;
    return times;
  };
  const Metrics all = evaluate_totals(guest_, network_, embedding);
  ExchangeCost cost{all.hop_bytes, times_of(all), {}, {}, {}, {}};
  for (const CommGraph& turn : turns_) {
    cost.in_turn.push_back(times_of(evaluate_totals(turn, network_, embedding)));
    for (std::size_t i = 0; i < scales_.size(); ++i) cost.turn_by_turn[i] += cost.in_turn.back()[i];
  }
  return cost;
}

namespace {

/// Part by which a figure grows.
double growth(double from, double to) {
  if (to <= from * (1 + 1e-9)) return 0;
  return from > 0 ? to / from - 1 : 1;
}

/// Calls `visit` with each figure's growth.
template <typename Visit>
void for_each_growth(const ExchangeCost& before, const ExchangeCost& after, Visit visit) {
  const auto visit_times = [&](std::string_view of, const auto& from, const auto& to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      visit(Growth{of, growth(from[i].value, to[i].value)});
  };
  visit(Growth{"the sum of hop-bytes", growth(before.hop_bytes.value, after.hop_bytes.value)});
  visit_times("its time with all neighbours at once", before.at_once, after.at_once);
  visit_times("its time with one neighbour after the other", before.turn_by_turn,
              after.turn_by_turn);
  visit_times("the time of collective operations", before.collectives, after.collectives);
  for (std::size_t t = 0; t < before.in_turn.size(); ++t)
    visit_times("its time in one direction alone", before.in_turn[t], after.in_turn[t]);

  // What takes longer to make, exchanges at once or in turn have to make up for.
  if (!(after.construction.value > 0)) return;  // not known
  const std::size_t size = before.at_once[2].value > 0 ? 2 : 0;
  const auto visit_unpaid = [&](const ExchangeCost::Times& from, const ExchangeCost::Times& to,
                                int rounds) {
    const double exchanges = exchanges_per_communicator / rounds;
    visit(Growth{"the time of the constructor and ten exchanges",
                 growth(before.construction.value + exchanges * from[size].value,
                        after.construction.value + exchanges * to[size].value)});
  };
  visit_unpaid(before.at_once, after.at_once, 1);
  visit_unpaid(before.turn_by_turn, after.turn_by_turn, 2);
}

}  // namespace

double loss(const ExchangeCost& before, const ExchangeCost& after) {
  double sum = 0;
  for_each_growth(before, after, [&](const Growth& growth) { sum += growth.part; });
  return sum;
}

Growth worst_growth(const ExchangeCost& before, const ExchangeCost& after) {
  Growth worst;
  for_each_growth(before, after, [&](const Growth& growth) {
    if (growth.part > worst.part) worst = growth;
  });
  return worst;
}

bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain) {
  if (loss(before, after) > 0) return false;
  const auto falls = [&](double from, double to) { return to < from * (1 - min_gain); };
  const auto any_falls = [&](const auto& from, const auto& to) {
    return falls(from[0].value, to[0].value) || falls(from[1].value, to[1].value);
  };
  return falls(before.hop_bytes.value, after.hop_bytes.value) ||
         any_falls(before.at_once, after.at_once) ||
         any_falls(before.turn_by_turn, after.turn_by_turn);
}

double relative_time(const ExchangeCost& before, const ExchangeCost& after) {
  double sum = 0;
  int counted = 0;
  const auto add = [&](double from, double to) {
    if (!(from > 0)) return;
    sum += to / from;
    ++counted;
  };
  for (std::size_t i = 0; i < before.at_once.size(); ++i) {
    add(before.at_once[i].value, after.at_once[i].value);
    add(before.turn_by_turn[i].value, after.turn_by_turn[i].value);
  }
  return counted > 0 ? sum / counted : 1;
}

double relative_cost(const ExchangeCost& before, const ExchangeCost& after) {
  const auto ratio = [](double from, double to) { return from > 0 ? to / from : 1; };
  double collectives = 0;
  for (std::size_t c = 0; c < before.collectives.size(); ++c)
    collectives += ratio(before.collectives[c].value, after.collectives[c].value);
  return (relative_time(before, after) + ratio(before.hop_bytes.value, after.hop_bytes.value) +
          collectives / static_cast<double>(before.collectives.size())) /
         3;
}

}  // namespace vtopo::detail::overlay
