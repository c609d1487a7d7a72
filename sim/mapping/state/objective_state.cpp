#include "sim/mapping/state/objective_state.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace vtopo::detail {

Occupancy::Occupancy(const Allocation& allocation, const Embedding& embedding)
    : allocation_(&allocation),
      positions_(embedding.hosts().size()),
      ranks_(allocation.hosts.size()),
      free_(allocation.slots) {
  std::size_t most = 0;
  for (const HostId host : allocation.hosts) most = std::max(most, index(host) + 1);
  std::vector<Place> by_host(most);
  for (std::size_t p = 0; p < allocation.hosts.size(); ++p)
    by_host[index(allocation.hosts[p])] = id_at<Place>(p);
  for (int r = 0; r < embedding.num_ranks(); ++r) {
    const Place place = by_host[index(embedding.host_of(Rank{r}))];
    places_.push_back(place);
    positions_[index(Rank{r})] = ranks_[index(place)].size();
    ranks_[index(place)].push_back(Rank{r});
    --free_[index(place)];
  }
}

void Occupancy::move(Rank rank, Place to) {
  assert(has_free_slot(to));
  const Place from = place_of(rank);
  std::vector<Rank>& left = ranks_[index(from)];
  left[positions_[index(rank)]] = left.back();
  positions_[index(left.back())] = positions_[index(rank)];
  left.pop_back();
  positions_[index(rank)] = ranks_[index(to)].size();
  ranks_[index(to)].push_back(rank);
  ++free_[index(from)];
  --free_[index(to)];
  places_[index(rank)] = to;
}

void Occupancy::apply(const RankChange& change) {
  if (!change.other) return move(change.rank, change.to);
  const std::size_t a = index(change.rank);
  const std::size_t b = index(*change.other);
  std::swap(ranks_[index(places_[a])][positions_[a]], ranks_[index(places_[b])][positions_[b]]);
  std::swap(positions_[a], positions_[b]);
  std::swap(places_[a], places_[b]);
}

Embedding embedding_at(const std::vector<Place>& places, const Allocation& allocation) {
  std::vector<HostId> hosts;
  hosts.reserve(places.size());
  for (const Place place : places) hosts.push_back(allocation.hosts[index(place)]);
  return {std::move(hosts), allocation};
}

namespace {

constexpr double unknown = -1;

}  // namespace

HopBytesState::HopBytesState(const Partners& partners, const HopTable& table,
                             const Allocation& allocation, const Embedding& start)
    : partners_(partners),
      table_(table),
      occupancy_(allocation, start),
      costs_(start.hosts().size(), unknown) {
  for (int r = 0; r < partners_.num_ranks(); ++r) {
    offsets_.push_back(pulls_.size());
    for (const Partner& partner : partners_.of(Rank{r})) {
      const Bytes sent = table_.symmetric() ? partner.both() : partner.sent;
      pulls_.push_back({number(partner.rank), sent.value, partner.received.value});
    }
  }
  offsets_.push_back(pulls_.size());
  for (int r = 0; r < partners_.num_ranks(); ++r) energy_ += cost_here(Rank{r}) / 2;
}

/// Hop-bytes between a rank at a place and its partners where they sit.
double HopBytesState::cost_at(Rank rank, Place at) const {
  if (table_.symmetric())
    return table_.visit_from(at, [&](auto&& hops) {
      double sum = 0;
      for (const Pull& pull : pulls_of(rank))
        sum += pull.sent * hops(occupancy_.place_of(Rank{pull.rank}));
      return sum;
    });
  double sum = 0;
  for (const Pull& pull : pulls_of(rank)) {
    const Place there = occupancy_.place_of(Rank{pull.rank});
    sum += pull.sent * table_.hops(at, there) + pull.received * table_.hops(there, at);
  }
  return sum;
}

/// Hop-bytes of the edges between two ranks, were they at these places.
double HopBytesState::cost_between(Rank rank, Rank other, Place at, Place there) const {
  for (const Pull& pull : pulls_of(rank)) {
    if (Rank{pull.rank} != other) continue;
    const double sent = pull.sent * table_.hops(at, there);
    return table_.symmetric() ? sent : sent + pull.received * table_.hops(there, at);
  }
  return 0;
}

double HopBytesState::cost_here(Rank rank) {
  double& cost = costs_[index(rank)];
  if (cost < 0) cost = cost_at(rank, occupancy_.place_of(rank));
  return cost;
}

double HopBytesState::probe(const RankChange& change) {
  probed_ = change;
  before_ = cost_here(change.rank);
  after_ = cost_at(change.rank, change.to);
  if (!change.other) return after_ - before_;
  const Place here = occupancy_.place_of(change.rank);
  before_ += cost_here(*change.other);
  after_ += cost_at(*change.other, here);
  // What the ranks cost now has the edges between the two twice. The sums for the other places look
  // for the other rank where it no longer is and find no distance there.
  before_ -= cost_between(change.rank, *change.other, here, change.to);
  after_ += cost_between(change.rank, *change.other, change.to, here);
  return after_ - before_;
}

void HopBytesState::commit() {
  energy_ += after_ - before_;
  occupancy_.apply(probed_);
  const auto forget = [&](Rank rank) {
    costs_[index(rank)] = unknown;
    for (const Pull& pull : pulls_of(rank)) costs_[static_cast<std::size_t>(pull.rank)] = unknown;
  };
  forget(probed_.rank);
  if (probed_.other) forget(*probed_.other);
}

namespace {

constexpr double weight_of_next_figure = 0.01;

}  // namespace

ObjectiveState::ObjectiveState(const MappingProblem& problem, const Embedding& start,
                               const Objective& objective)
    : problem_(problem),
      partners_(problem.guest),
      table_(problem.network, problem.allocation),
      occupancy_(problem.allocation, start) {
  for (const Measure& measure : all_measures())
    if (counts(objective, measure) || &measure == &hop_bytes_measure())
      states_.emplace_back(&measure, detail::state_of(measure, problem));
  hop_bytes_ = state_of(hop_bytes_measure());
  for (const auto& sum : objective.sums) {
    auto& terms = sums_.emplace_back();
    for (const auto& [measure, weight] : sum) terms.push_back({state_of(*measure), weight});
  }
  if (sums_.empty()) sums_.push_back({{hop_bytes_, 1}});
  list_edges(problem.guest);
  problem.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination != source)
      count(occupancy_.place_of(source), occupancy_.place_of(edge.destination), edge.volume, true);
  });
  sum_up(probed_cost_);
  for (const double figure : probed_cost_) scales_.push_back(figure > 0 ? figure : 1);
  probed_energy_ = energy_of(probed_cost_);
  commit();
}

void ObjectiveState::list_edges(const CommGraph& guest) {
  offsets_.assign(static_cast<std::size_t>(guest.num_ranks()) + 1, 0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination == source) return;
    ++offsets_[index(source) + 1];
    ++offsets_[index(edge.destination) + 1];
  });
  for (std::size_t r = 1; r < offsets_.size(); ++r) offsets_[r] += offsets_[r - 1];
  edges_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination == source) return;
    edges_[next[index(source)]++] = {edge.destination, edge.volume, true};
    edges_[next[index(edge.destination)]++] = {source, edge.volume, false};
  });
}

void ObjectiveState::count_edges(const RankChange& change, bool add) {
  count_edges_of(change.rank, std::nullopt, add);
  if (change.other) count_edges_of(*change.other, change.rank, add);
}

void ObjectiveState::count_edges_of(Rank rank, std::optional<Rank> skipped, bool add) {
  const Place here = occupancy_.place_of(rank);
  for (const Edge& edge : edges_of(rank)) {
    if (edge.other == skipped) continue;
    const Place there = occupancy_.place_of(edge.other);
    if (edge.leaves)
      count(here, there, edge.volume, add);
    else
      count(there, here, edge.volume, add);
  }
}

void ObjectiveState::count(Place from, Place to, Bytes volume, bool add) {
  PlacedEdge edge{.from = from, .to = to, .volume = volume};
  if (edge.leaves_host()) {
    edge.source = problem_.allocation.hosts[index(from)];
    edge.destination = problem_.allocation.hosts[index(to)];
    edge.hops = table_.hops(from, to);
    if (edge.travels())
      edge.mean_hops = problem_.network.splits_flows()
                           ? problem_.network.mean_hops(edge.source, edge.destination)
                           : edge.hops;
  }
  for (const auto& [measure, state] : states_) state->change(edge, add ? 1 : -1);
}

const MeasureState* ObjectiveState::state_of(const Measure& measure) const {
  for (const auto& [known, state] : states_)
    if (known == &measure) return state.get();
  return nullptr;
}

RouteLoads& ObjectiveState::loads() {
  for (const auto& [measure, state] : states_)
    if (RouteLoads* loads = state->link_loads()) return *loads;
  std::abort();
}

void ObjectiveState::sum_up(Cost& cost) const {
  cost.clear();
  for (const auto& sum : sums_) {
    double value = 0;
    for (const auto& [state, weight] : sum) value += weight * state->value();
    cost.push_back(value);
  }
  for (const auto& [measure, state] : states_)
    if (const auto tie_breaker = state->tie_breaker()) cost.push_back(*tie_breaker);
  cost.push_back(hop_bytes_->value());
}

double ObjectiveState::energy_of(const Cost& cost) const {
  double energy = 0;
  double weight = 1;
  for (std::size_t i = 0; i < cost.size(); ++i, weight *= weight_of_next_figure)
    energy += weight * cost[i] / scales_[i];
  return energy;
}

double ObjectiveState::probe(const RankChange& change) {
  probed_ = change;
  from_ = occupancy_.place_of(change.rank);
  count_edges(change, false);
  occupancy_.apply(change);
  count_edges(change, true);
  sum_up(probed_cost_);
  probed_energy_ = energy_of(probed_cost_);
  return probed_energy_ - energy_;
}

bool ObjectiveState::improves() const {
  constexpr double rounding = 1e-12;
  for (std::size_t i = 0; i < cost_.size(); ++i) {
    const double least = rounding * scales_[i];
    if (probed_cost_[i] < cost_[i] - least) return true;
    if (probed_cost_[i] > cost_[i] + least) return false;
  }
  return false;
}

void ObjectiveState::commit() {
  cost_ = probed_cost_;
  energy_ = probed_energy_;
  for (const auto& [measure, state] : states_) state->keep();
}

void ObjectiveState::reject() {
  occupancy_.apply(probed_.other ? probed_ : RankChange{probed_.rank, std::nullopt, from_});
  for (const auto& [measure, state] : states_) state->undo();
}

}  // namespace vtopo::detail
