#include "sim/mpi/decision/exchange_cost.hpp"

#include <algorithm>
#include <vector>

#include "sim/evaluation/metrics.hpp"

namespace vtopo::overlay {

namespace {

/// Ranks with more neighbours than this hardly send to one after the other: the rest counts as one
/// turn.
constexpr std::size_t max_turns = 32;

/// Per turn, the edges of one exchange that belong to it.
std::vector<std::vector<DirectedEdge>> turns_of(const CommGraph& guest) {
  std::vector<std::vector<DirectedEdge>> turns;
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

/// Of a link in the mean.
Seconds mean_latency(const Network& network) {
  double sum = 0;
  for (int l = 0; l < network.num_links(); ++l) sum += network.link(LinkId{l}).latency.value;
  return {sum / std::max(1, network.num_links())};
}

/// Factor that makes the mean edge one of `usual_message`.
double scale_of(const CommGraph& guest) {
  const double volume = guest.total_volume().value;
  return volume > 0 ? usual_message.value * static_cast<double>(guest.num_edges()) / volume : 0;
}

}  // namespace

ExchangeCost exchange_cost(const CommGraph& guest, const Network& network,
                           const Embedding& embedding) {
  const double scale = scale_of(guest);
  const Seconds latency = mean_latency(network);
  const auto time_of = [&](const Metrics& metrics) {
    return metrics.max_congestion * scale + latency * metrics.max_dilation;
  };
  const Metrics all = evaluate(guest, network, embedding);
  ExchangeCost cost{all.hop_bytes, time_of(all), {}};
  for (const auto& edges : turns_of(guest))
    cost.turn_by_turn += time_of(evaluate(CommGraph(guest.num_ranks(), edges), network, embedding));
  return cost;
}

bool is_gain(const ExchangeCost& before, const ExchangeCost& after, double min_gain) {
  const auto grows = [](auto from, auto to) { return to.value > from.value * (1 + 1e-12); };
  const auto falls = [&](auto from, auto to) { return to.value < from.value * (1 - min_gain); };
  if (grows(before.hop_bytes, after.hop_bytes) || grows(before.at_once, after.at_once) ||
      grows(before.turn_by_turn, after.turn_by_turn))
    return false;
  return falls(before.hop_bytes, after.hop_bytes) || falls(before.at_once, after.at_once) ||
         falls(before.turn_by_turn, after.turn_by_turn);
}

}  // namespace vtopo::overlay
