#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/search/near_places.hpp"

namespace vtopo::detail {

/// -ln of uniform numbers: a rise is accepted if it is at most temperature * threshold.
class AcceptanceThresholds {
 public:
  static constexpr std::size_t count = 4096;
  AcceptanceThresholds() {
    for (std::size_t i = 0; i < count; ++i)
      values_[i] = -std::log((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  double of(std::uint64_t bits) const { return values_[bits % count]; }

 private:
  std::array<double, count> values_{};
};

/// One step of annealing: makes the change if it costs nothing or its rise is accepted.
template <class State>
void try_change(State& state, const RankChange& change, double temperature,
                const AcceptanceThresholds& thresholds, ChangeDraw& draw) {
  const double delta = state.probe(change);
  if (delta <= 0 || delta < temperature * thresholds.of(draw.below(AcceptanceThresholds::count)))
    state.commit();
  else
    state.reject();
}

/// Simulated annealing of hop-bytes alone, for networks with `host_codes`: a try reads coordinates,
/// not a table of all hops, so that some ten million are made in a second. Never worse than the
/// start but for rounding: volumes are whole multiples of the least, or of 2^-24 of the largest.
/// Starts at a temperature that depends on the start: one that is good is refined, not melted,
/// unless there are many steps.
/// @param default_steps if `control` has neither steps nor a deadline.
/// @returns nothing if the network has no codes or too many slots.
std::optional<Embedding> anneal_hops(const MappingProblem& problem, const SearchControl& control,
                                     const Embedding& start, std::int64_t default_steps);

/// Whether `anneal_hops` knows the network, and the slots are not too many.
bool can_anneal_hops(const MappingProblem& problem);

/// How an annealing begins and accounts for, in units of the pressure of the most loaded link.
struct LinkHeat {
  double temperature;  ///< the first; it falls geometrically
  double linear_part;  ///< what the congestion of a link counts in addition to its power
};

/// Simulated annealing that lowers the pressure on the links (see LinkPressure), measured against
/// the most loaded link of the moment: a link that carries a tenth less than that one counts less
/// than half. Every second change moves a rank whose flows cross one of the most loaded links.
/// Spends the whole budget (`default_steps` if `control` has none) and returns the
/// embedding of the least largest congestion seen, which may be the start.
Embedding anneal_links(const MappingProblem& problem, const SearchControl& control,
                       const Embedding& start, const LinkHeat& heat, std::int64_t default_steps);

}  // namespace vtopo::detail
