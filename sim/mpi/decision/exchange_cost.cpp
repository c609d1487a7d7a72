#include "sim/mpi/decision/exchange_cost.hpp"

#include <algorithm>
#include <vector>

#include "sim/evaluation/metrics.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Ranks with more neighbours than this hardly send to one after the other: the rest counts as one
/// turn.
constexpr std::size_t max_turns = 32;

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

}  // namespace

ExchangeCost::Times ExchangeCost::turn_by_turn() const {
  Times sum{};
  for (const Times& turn : in_turn)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += turn[i];
  return sum;
}

ExchangeCost exchange_cost(const ReorderProblem& problem, const Network& network,
                           const Embedding& embedding) {
  const CommGraph& guest = problem.guest;
  const double volume = mean_volume(guest);
  const Seconds latency = mean_latency(network);
  const auto times_of = [&](const Metrics& metrics) {
    ExchangeCost::Times times{};
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double scale = volume > 0 ? usual_messages[i].value / volume : 0;
      times[i] = metrics.max_congestion * scale + latency * metrics.max_dilation;
    }
    return times;
  };
  const Metrics all = evaluate(guest, network, embedding);
  ExchangeCost cost{all.hop_bytes, times_of(all), {}};
  for (const auto& edges : problem.grid != nullptr ? turns_of(*problem.grid) : turns_of(guest))
    cost.in_turn.push_back(
        times_of(evaluate(CommGraph(guest.num_ranks(), edges), network, embedding)));
  return cost;
}

namespace {

bool grows(double from, double to) {
  return to > from * (1 + 1e-9);
}

bool any_grows(const ExchangeCost::Times& from, const ExchangeCost::Times& to) {
  return grows(from[0].value, to[0].value) || grows(from[1].value, to[1].value);
}

}  // namespace

bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain) {
  if (grows(before.hop_bytes.value, after.hop_bytes.value) ||
      any_grows(before.at_once, after.at_once))
    return false;
  for (std::size_t t = 0; t < before.in_turn.size(); ++t)
    if (any_grows(before.in_turn[t], after.in_turn[t])) return false;
  const auto falls = [&](double from, double to) { return to < from * (1 - min_gain); };
  const auto any_falls = [&](const auto& from, const auto& to) {
    return falls(from[0].value, to[0].value) || falls(from[1].value, to[1].value);
  };
  return falls(before.hop_bytes.value, after.hop_bytes.value) ||
         any_falls(before.at_once, after.at_once) ||
         any_falls(before.turn_by_turn(), after.turn_by_turn());
}

}  // namespace vtopo::detail::overlay
