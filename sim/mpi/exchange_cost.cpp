#include "sim/mpi/exchange_cost.hpp"

#include <algorithm>
#include <vector>

#include "sim/evaluation/metrics.hpp"

namespace vtopo::overlay {

namespace {

/// Ranks with more neighbours than this hardly send to one after the other: the rest counts as one
/// turn.
constexpr std::size_t max_turns = 32;

/// What a new order costs at most, of the old one: less of a gain is lost in what the figures do
/// not count, such as the order in which messages start.
constexpr double worth_moving = 0.95;

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

}  // namespace

ExchangeCost exchange_cost(const CommGraph& guest, const Network& network,
                           const Embedding& embedding) {
  const Metrics all = evaluate(guest, network, embedding);
  ExchangeCost cost{all.hop_bytes, all.max_congestion, {}};
  for (const auto& edges : turns_of(guest))
    cost.in_turn.push_back(
        evaluate(CommGraph(guest.num_ranks(), edges), network, embedding).max_congestion);
  return cost;
}

bool is_gain(const ExchangeCost& before, const ExchangeCost& after) {
  const auto grows = [](Seconds from, Seconds to) { return to.value > from.value * (1 + 1e-12); };
  for (std::size_t t = 0; t < before.in_turn.size(); ++t)
    if (grows(before.in_turn[t], after.in_turn[t])) return false;
  if (after.hop_bytes > before.hop_bytes || grows(before.at_once, after.at_once)) return false;
  return after.hop_bytes.value <= before.hop_bytes.value * worth_moving ||
         after.at_once.value <= before.at_once.value * worth_moving;
}

}  // namespace vtopo::overlay
