#include "sim/mapping/partition/balance.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <map>

#include "sim/mapping/partition/vertex_moves.hpp"
#include "sim/mapping/state/objective_state.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

Embedding without_overfull_hosts(const Partners& partners, const HopTable& table,
                                 const Allocation& allocation, std::vector<Place> places) {
  check_fit(partners.num_ranks(), allocation);
  move_vertices(guest_graph(partners), table, allocation, places, [] { return true; });
  return embedding_at(places, allocation);
}

namespace {

constexpr int max_weight_passes = 20;
constexpr int ranks_between_looks = 256;  ///< at the clock
constexpr double noise_of_gains = 1e-9;   ///< of the volume that gains are about

class WeightBalance {
 public:
  WeightBalance(const CommGraph& guest, const Network& network, const Allocation& allocation,
                const Embedding& start, const std::vector<double>& weights, double most,
                const std::function<bool()>& must_stop)
      : must_stop_(must_stop),
        partners_(guest),
        hops_(network, allocation),
        allocation_(allocation),
        weights_(weights),
        most_(most),
        load_(allocation.hosts.size(), 0),
        ranks_(allocation.hosts.size()) {
    std::map<HostId, std::size_t> place;
    for (std::size_t p = 0; p < allocation.hosts.size(); ++p) place[allocation.hosts[p]] = p;
    for (int r = 0; r < start.num_ranks(); ++r) {
      place_of_.push_back(place.at(start.host_of(Rank{r})));
      load_[place_of_.back()] += weights[index(Rank{r})];
      ranks_[place_of_.back()].push_back(Rank{r});
    }
    for (int r = 0; r < start.num_ranks(); ++r) cost_.push_back(cost(Rank{r}));
  }

  Embedding run() {
    for (std::size_t p = 0; p < load_.size(); ++p)
      while (load_[p] > most_)
        if (!relieve(p))
          throw FitError(fmt::format(
              "no placement found in which every host has a weight of up to {}; a larger "
              "--imbalance leaves more room",
              most_));
    for (int pass = 0; pass < max_weight_passes && improve_all(); ++pass) {
    }
    std::vector<HostId> hosts;
    for (const std::size_t place : place_of_) hosts.push_back(allocation_.hosts[place]);
    return Embedding(std::move(hosts), allocation_);
  }

 private:
  /// Between two places, both ways together.
  double hops(std::size_t a, std::size_t b) const {
    return hops_.hops(id_at<Place>(a), id_at<Place>(b));
  }

  double weight(Rank rank) const { return weights_[index(rank)]; }

  /// Hop-bytes that a rank saves on another place, all others staying.
  double gain(Rank rank, std::size_t to) const {
    double saved = 0;
    for (const Partner& partner : partners_.of(rank)) {
      const std::size_t there = place_of_[index(partner.rank)];
      saved += partner.both().value * (hops(place_of_[index(rank)], there) - hops(to, there));
    }
    return saved;
  }

  /// Hop-bytes of a rank: no place saves more.
  double cost(Rank rank) const {
    double sum = 0;
    for (const Partner& partner : partners_.of(rank))
      sum += partner.both().value * hops(place_of_[index(rank)], place_of_[index(partner.rank)]);
    return sum;
  }

  /// Of an exchange: what both have between them is as far apart as before.
  /// @param alone what `a` gains on the place of `b`
  double exchange_gain(Rank a, Rank b, double alone) const {
    const std::size_t at = place_of_[index(a)], there = place_of_[index(b)];
    double between = 0;
    for (const Partner& partner : partners_.of(a))
      if (partner.rank == b) between = partner.both().value;
    return alone + gain(b, at) - 2 * between * hops(at, there);
  }

  bool has_room(std::size_t place, double more) const {
    return load_[place] + more <= most_ && ranks_[place].size() < slots(place);
  }

  std::size_t slots(std::size_t place) const {
    return static_cast<std::size_t>(allocation_.slots[place]);
  }

  void move(Rank rank, std::size_t to) {
    std::size_t& at = place_of_[index(rank)];
    std::erase(ranks_[at], rank);
    load_[at] -= weight(rank);
    ranks_[to].push_back(rank);
    load_[to] += weight(rank);
    at = to;
    cost_[index(rank)] = cost(rank);
    for (const Partner& partner : partners_.of(rank))
      cost_[index(partner.rank)] = cost(partner.rank);
  }

  static constexpr Rank nobody{-1};

  /// A move of a rank to a place, in exchange for another rank if there is one.
  struct Step {
    double value = -std::numeric_limits<double>::infinity();  ///< the larger the better
    Rank rank = nobody, other = nobody;                       ///< none if nobody
    std::size_t to = 0;
  };

  /// @returns whether there is a step.
  bool take(const Step& step) {
    if (step.rank == nobody) return false;
    const std::size_t at = place_of_[index(step.rank)];
    move(step.rank, step.to);
    if (step.other != nobody) move(step.other, at);
    return true;
  }

  /// A move off the place, or an exchange for a lighter rank, that costs least for its weight.
  bool relieve(std::size_t place) {
    Step best;
    for (const Rank candidate : ranks_[place])
      for (std::size_t there = 0; there < load_.size(); ++there) {
        if (there == place || weight(candidate) <= 0 || !has_room(there, weight(candidate)))
          continue;
        const double value = gain(candidate, there) / weight(candidate);
        if (value > best.value) best = {value, candidate, nobody, there};
      }
    if (best.rank == nobody)
      for (const Rank candidate : ranks_[place])
        for (std::size_t there = 0; there < load_.size(); ++there)
          for (const Rank lighter : ranks_[there]) {
            const double less = weight(candidate) - weight(lighter);
            if (there == place || less <= 0 || load_[there] + less > most_) continue;
            const double value = exchange_gain(candidate, lighter, gain(candidate, there)) / less;
            if (value > best.value) best = {value, candidate, lighter, there};
          }
    return take(best);
  }

  /// Whether a rank has gone to a place of its partners, alone or in exchange.
  bool improve(Rank rank) {
    const double volume = [&] {
      double sum = 0;
      for (const Partner& partner : partners_.of(rank)) sum += partner.both().value;
      return sum;
    }();
    Step best{volume * noise_of_gains};
    const std::size_t place = place_of_[index(rank)];
    std::vector<std::size_t> places;
    for (const Partner& partner : partners_.of(rank))
      places.push_back(place_of_[index(partner.rank)]);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const std::size_t there : places) {
      if (there == place) continue;
      const double alone = gain(rank, there);
      if (has_room(there, weight(rank)) && alone > best.value) best = {alone, rank, nobody, there};
      for (const Rank back : ranks_[there]) {
        const double more = weight(rank) - weight(back);
        if (alone + cost_[index(back)] <= best.value) continue;
        if (load_[there] + more > most_ || load_[place] - more > most_) continue;
        const double value = exchange_gain(rank, back, alone);
        if (value > best.value) best = {value, rank, back, there};
      }
    }
    return take(best);
  }

  bool improve_all() {
    bool any = false;
    for (int r = 0; r < partners_.num_ranks(); ++r) {
      if (r % ranks_between_looks == 0 && must_stop_ && must_stop_()) return false;
      any = improve(Rank{r}) || any;
    }
    return any;
  }

  const std::function<bool()>& must_stop_;
  const Partners partners_;
  const HopTable hops_;
  const Allocation& allocation_;
  const std::vector<double>& weights_;
  double most_;
  std::vector<double> load_;              ///< weight by place
  std::vector<std::vector<Rank>> ranks_;  ///< by place
  std::vector<std::size_t> place_of_;     ///< each rank
  std::vector<double> cost_;              ///< hop-bytes of each rank
};

}  // namespace

Embedding balance_weights(const CommGraph& guest, const Network& network,
                          const Allocation& allocation, const Embedding& start,
                          const std::vector<double>& weights, double most,
                          const std::function<bool()>& must_stop) {
  const auto heaviest = std::max_element(weights.begin(), weights.end());
  if (heaviest != weights.end() && *heaviest > most)
    throw FitError(fmt::format("rank {} has a weight of {}; a host takes up to {}",
                               heaviest - weights.begin(), *heaviest, most));
  return WeightBalance(guest, network, allocation, start, weights, most, must_stop).run();
}

}  // namespace vtopo::detail
