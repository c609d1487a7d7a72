#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "sim/mapping/state/objective_state.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

/// Appends the numbers of the hosts one step from a host along each axis of a grid.
void append_steps(const HostCoordinates& grid, std::int64_t host, std::vector<std::int64_t>& found);

/// How many near places searches that change ranks one by one list.
constexpr int num_listed_near = 16;

/// A few of the places of an allocation that are nearest to each place, itself left out. What is
/// known of the network says at which places it looks for them. Where it finds fewer than `max`
/// although there are more places, it repeats them.
class NearPlaces {
 public:
  /// Looks at all places where hops are kept, else at those whose positions in the allocation are
  /// near or a power of two apart: on numbered networks neighbours in most dimensions and levels.
  /// Listed in no particular order.
  NearPlaces(const HopTable& table, int max);

  /// Looks at the places around each on a grid, else at those next to it by number of host, which
  /// share its router or switch; asks for few hops. Nearest first.
  NearPlaces(const Network& network, const Allocation& allocation, int max);

  /// Looks at up to `window` places on either side in the order of the hierarchy. Nearest first;
  /// of equally near ones those next to it in that order.
  NearPlaces(const HopTable& table, const HostHierarchy& hierarchy, std::size_t window, int max);

  std::span<const Place> of(Place place) const {
    return {places_.data() + index(place) * count_, count_};
  }

 private:
  struct Candidate {
    int hops;
    std::int64_t apart;  ///< decides between equal hops
    Place place;

    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  NearPlaces(int num_places, int max);
  void sort_found();
  void keep_found(Place place);

  std::size_t count_;
  std::vector<Place> places_;
  std::vector<Candidate> found_;  ///< storage reused
};

/// Near places of one allocation for several searches, on any threads: listed for the first of
/// them.
struct SharedNearPlaces {
  std::once_flag listed;
  std::shared_ptr<const NearPlaces> near;
};

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

struct vtopo::MappingProblem::Shared {
  detail::SharedNearPlaces by_table, by_network;
};

namespace vtopo::detail {

/// Those that a problem shares, or new ones, by the constructor of the other arguments.
template <class... From>
std::shared_ptr<const NearPlaces> shared_near_places(
    const MappingProblem& problem, SharedNearPlaces MappingProblem::Shared::*which,
    const From&... from) {
  const auto list = [&] { return std::make_shared<const NearPlaces>(from..., num_listed_near); };
  if (problem.shared == nullptr) return list();
  SharedNearPlaces& shared = (*problem.shared).*which;
  std::call_once(shared.listed, [&] { shared.near = list(); });
  return shared.near;
}

}  // namespace vtopo::detail
