#include "sim/mpi/decision/iteration.hpp"

#include <algorithm>
#include <span>

#include "sim/clock/programs/schedule_program.hpp"
#include "sim/evaluation/totals.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"
#include "topology/patterns/collectives.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Ranks with more neighbours than this hardly send to one after the other: the rest counts as one
/// turn.
constexpr std::size_t max_turns = 32;

/// Messages up to which the engine simulates a program: about a twentieth of a second.
constexpr std::int64_t max_simulated_messages = 50'000;

constexpr Bytes reduced{8};
constexpr Bytes of_other_collectives{1024};

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

SchedulePhase phase_of(const CommGraph& traffic, double scale) {
  std::vector<DirectedEdge> edges;
  traffic.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({source, edge.destination, edge.volume * scale, edge.messages});
  });
  return {.name = {}, .traffic = CommGraph(traffic.num_ranks(), edges)};
}

CommunicationSteps steps_of(const char* operation, const char* algorithm, int num_ranks,
                            Bytes volume) {
  return collective_steps({operation, {{"algorithm", algorithm}}}, num_ranks, volume);
}

CommunicationSteps steps_of_reduction(int num_ranks) {
  return steps_of("allreduce", "recursive_doubling", num_ranks, reduced);
}

/// Exchanges one after the other, each rank as soon as it can, and the reduction.
Program program_of(std::span<const CommGraph> exchanges, double scale, int num_ranks) {
  Schedule schedule;
  for (const CommGraph& exchange : exchanges) schedule.phases.push_back(phase_of(exchange, scale));
  Program program = vtopo::detail::program_of(schedule, StepStart::by_rank);
  append(program, steps_of_reduction(num_ranks), reduced, all_ranks(num_ranks), 1);
  return program;
}

double ratio(Seconds from, Seconds to) {
  return from.value > 0 ? to.value / from.value : 1;
}

}  // namespace

double bytes_per_unit(const CommGraph& guest, std::optional<Bytes> chosen) {
  constexpr double least_bytes = 64;
  double messages = 0;
  guest.for_each_edge([&](Rank, const CommEdge& edge) { messages += edge.messages; });
  const double mean = guest.total_volume().value / std::max(1.0, messages);
  if (!(mean > 0) || (!chosen && mean >= least_bytes)) return 1;
  return chosen.value_or(usual_message).value / mean;
}

double relative_time(const IterationCost& before, const IterationCost& after) {
  double sum = 0;
  for (std::size_t i = 0; i < before.times.size(); ++i)
    sum += ratio(before.times[i], after.times[i]);
  return sum / static_cast<double>(before.times.size());
}

double worst_relative_time(const IterationCost& before, const IterationCost& after) {
  double worst = 0;
  for (std::size_t i = 0; i < before.times.size(); ++i)
    worst = std::max(worst, ratio(before.times[i], after.times[i]));
  return worst;
}

Iteration::Iteration(const ReorderProblem& problem, const Network& network,
                     std::optional<Bytes> message, ProgramClock clock)
    : guest_(problem.guest),
      network_(network),
      clock_(std::move(clock)),
      latency_(mean_latency(network)),
      scale_(bytes_per_unit(problem.guest, message)) {
  const int ranks = guest_.num_ranks();
  for (const auto& edges : problem.grid != nullptr ? turns_of(*problem.grid) : turns_of(guest_))
    turns_.emplace_back(ranks, edges);
  std::size_t messages = 2 * guest_.num_edges();
  for (const CommunicationStep& step : steps_of_reduction(ranks).steps) {
    auto& round = reduction_.emplace_back();
    for (const StepMessage& sent : step.messages)
      round.emplace_back(Rank{sent.source}, Rank{sent.destination});
    messages += 2 * round.size();
  }
  messages_ = narrow<std::int64_t>(messages);
  const bool follows_traffic = network.routed({}) != nullptr;  // then single messages have no time
  if (follows_traffic || messages_ > max_simulated_messages) clock_ = nullptr;
  if (!is_simulated()) return;
  programs_[0] = program_of({&guest_, 1}, scale_, ranks);
  programs_[1] = turns_.empty() ? programs_[0] : program_of(turns_, scale_, ranks);
}

IterationCost Iteration::cost(const Embedding& embedding) const {
  if (!is_simulated()) return bound(embedding);
  return {evaluate_totals(guest_, network_, embedding).hop_bytes,
          {clock_(programs_[0], network_, embedding), clock_(programs_[1], network_, embedding)}};
}

Seconds Iteration::bound_of_reduction(const Embedding& embedding) const {
  Seconds sum{0};
  for (const auto& round : reduction_) {
    int longest = 0;
    for (const auto& [source, destination] : round) {
      const HostId from = embedding.host_of(source), to = embedding.host_of(destination);
      if (from != to) longest = std::max(longest, network_.hops(from, to));
    }
    sum += latency_ * longest;
  }
  return sum;
}

IterationCost Iteration::bound(const Embedding& embedding) const {
  const auto time_of = [&](const Metrics& metrics) {
    return metrics.max_congestion * scale_ + latency_ * metrics.max_dilation;
  };
  const Seconds reduction = bound_of_reduction(embedding);
  const Metrics all = evaluate_totals(guest_, network_, embedding);
  IterationCost cost{all.hop_bytes, {time_of(all) + reduction, reduction}};
  for (const CommGraph& turn : turns_)
    cost.times[1] += time_of(evaluate_totals(turn, network_, embedding));
  return cost;
}

std::optional<CollectiveChange> Iteration::worst_collective(const Embedding& before,
                                                            const Embedding& after) const {
  std::optional<CollectiveChange> worst;
  if (!is_simulated()) return worst;
  const int ranks = guest_.num_ranks();
  const std::pair<const char*, const char*> others[] = {
      {"bcast", "binomial"}, {"allgather", "ring"}, {"alltoall", "pairwise"}};
  for (const auto& [operation, algorithm] : others) {
    const bool sends_to_all = std::string_view(operation) != "bcast";
    if (sends_to_all && std::int64_t{ranks} * ranks > max_simulated_messages / 10) continue;
    const Program program =
        vtopo::detail::program_of(steps_of(operation, algorithm, ranks, of_other_collectives),
                                  of_other_collectives, all_ranks(ranks), ranks);
    const double part =
        ratio(clock_(program, network_, before), clock_(program, network_, after)) - 1;
    if (!worst || part > worst->part) worst = CollectiveChange{operation, part};
  }
  return worst;
}

}  // namespace vtopo::detail::overlay
