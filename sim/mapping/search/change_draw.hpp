#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/occupancy.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

/// Draws changes worth a try: mostly of a rank to a place near one of its partners, sometimes to
/// any place, so that every change can come up.
class ChangeDraw {
 public:
  /// Partners and occupancy must outlive the draw. The seed is that of the problem.
  /// @param table of the network and allocation of the problem.
  ChangeDraw(const MappingProblem& problem, const Partners& partners, const HopTable& table,
             const Occupancy& occupancy);

  /// Nothing if the random rank is where it was to go.
  std::optional<RankChange> next();

  /// Bringing a rank to a place: into a free slot, or by exchange with a random one of those that
  /// sit there; where both can be, either.
  std::optional<RankChange> into(Rank rank, Place to);

  /// Place that is a partner's or near it; any place for a rank without partners.
  Place near_partner(Rank rank);

  /// Uniform in [0, bound) but for a share of bound / 2^32; bound > 0.
  std::uint32_t below(std::size_t bound) {
    return static_cast<std::uint32_t>(((random_.bits() >> 32) * bound) >> 32);
  }

 private:
  const Partners& partners_;
  const Occupancy& occupancy_;
  std::shared_ptr<const NearPlaces> near_;
  Random random_;
};

}  // namespace vtopo::detail
