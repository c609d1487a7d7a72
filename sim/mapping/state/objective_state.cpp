#include "sim/mapping/state/objective_state.hpp"

#include <algorithm>
#include <utility>

namespace vtopo {

namespace {

constexpr double weight_of_next_figure = 0.01;

}  // namespace

ObjectiveState::ObjectiveState(const MappingProblem& problem, const Embedding& start,
                               Objective objective)
    : problem_(problem),
      objective_(std::move(objective)),
      partners_(problem.guest),
      table_(problem.host, problem.allocation),
      seats_(problem.allocation, start) {
  if (objective_.sums.empty()) objective_.sums = {{{Measure::hop_bytes, 1}}};
  if (counts(objective_, Measure::max_congestion)) loads_.emplace(problem.host);
  if (counts(objective_, Measure::jmax)) leaving_.emplace(problem.allocation.hosts.size());
  counts_hops_ = counts(objective_, Measure::max_dilation);
  list_edges(problem.guest);
  problem.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (edge.destination != source)
      count(seats_.place_of(source), seats_.place_of(edge.destination), edge.volume, true);
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
  const Place here = seats_.place_of(rank);
  for (const Edge& edge : edges_of(rank)) {
    if (edge.other == skipped) continue;
    const Place there = seats_.place_of(edge.other);
    if (edge.leaves)
      count(here, there, edge.volume, add);
    else
      count(there, here, edge.volume, add);
  }
}

void ObjectiveState::count(Place from, Place to, Bytes volume, bool add) {
  const double sign = add ? 1 : -1;
  if (from == to) return count_hops(0, sign);
  const HostId source = problem_.allocation.hosts[index(from)];
  const HostId destination = problem_.allocation.hosts[index(to)];
  totals_.jsum += sign;
  if (leaving_) leaving_->add(index(from), sign);
  const int hops = table_.hops(from, to);
  count_hops(hops, sign);
  if (volume.value <= 0) return;
  const double mean =
      problem_.host.splits_flows() ? problem_.host.mean_hops(source, destination) : hops;
  totals_.hop_bytes += sign * volume.value * mean;
  if (!loads_) return;
  if (add)
    loads_->add(source, destination, volume);
  else
    loads_->remove(source, destination, volume);
}

void ObjectiveState::count_hops(int hops, double sign) {
  if (!counts_hops_) return;
  const auto entry = static_cast<std::size_t>(hops);
  if (entry >= histogram_.size()) histogram_.resize(entry + 1, 0);
  const int one = sign > 0 ? 1 : -1;
  histogram_[entry] += one;
  histogram_changes_.emplace_back(entry, one);
  totals_.squared_hops += sign * hops * static_cast<double>(hops);
}

double ObjectiveState::value_of(Measure measure) const {
  switch (measure) {
    case Measure::hop_bytes:
      return totals_.hop_bytes;
    case Measure::max_congestion:
      return loads_->max_congestion().value;
    case Measure::max_dilation: {
      std::size_t longest = histogram_.size();
      while (longest > 0 && histogram_[longest - 1] == 0) --longest;
      return longest > 0 ? static_cast<double>(longest - 1) : 0.0;
    }
    case Measure::jsum:
      return totals_.jsum;
    case Measure::jmax:
      return leaving_->max();
  }
  return 0;
}

void ObjectiveState::sum_up(Cost& cost) const {
  cost.clear();
  for (const auto& sum : objective_.sums) {
    double value = 0;
    for (const auto& [measure, weight] : sum) value += weight * value_of(measure);
    cost.push_back(value);
  }
  if (loads_) cost.push_back(loads_->sum_of_squares());
  if (counts_hops_) cost.push_back(totals_.squared_hops);
  if (leaving_) cost.push_back(leaving_->sum_of_squares());
  cost.push_back(totals_.hop_bytes);
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
  from_ = seats_.place_of(change.rank);
  count_edges(change, false);
  seats_.apply(change);
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
  kept_totals_ = totals_;
  histogram_changes_.clear();
  if (loads_) loads_->keep();
  if (leaving_) leaving_->keep();
}

void ObjectiveState::reject() {
  seats_.apply(probed_.other ? probed_ : RankChange{probed_.rank, std::nullopt, from_});
  totals_ = kept_totals_;
  for (const auto& [entry, one] : histogram_changes_) histogram_[entry] -= one;
  histogram_changes_.clear();
  if (loads_) loads_->undo();
  if (leaving_) leaving_->undo();
}

}  // namespace vtopo
