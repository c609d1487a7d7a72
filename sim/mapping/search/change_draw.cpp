#include "sim/mapping/search/change_draw.hpp"

namespace vtopo::detail {

namespace {

constexpr int num_near_places = 16;

/// One change in so many goes anywhere.
constexpr std::size_t changes_per_far_one = 16;

std::shared_ptr<const NearPlaces> near_places(const MappingProblem& problem,
                                              const HopTable& table) {
  if (problem.near_places != nullptr) return problem.near_places->of(table, num_near_places);
  return std::make_shared<const NearPlaces>(table, num_near_places);
}

}  // namespace

ChangeDraw::ChangeDraw(const MappingProblem& problem, const Partners& partners,
                       const HopTable& table, const Occupancy& occupancy)
    : partners_(partners),
      occupancy_(occupancy),
      near_(near_places(problem, table)),
      random_(problem.seed) {}

std::optional<RankChange> ChangeDraw::next() {
  if (occupancy_.num_ranks() == 0) return std::nullopt;
  const Rank rank = id_at<Rank>(below(static_cast<std::size_t>(occupancy_.num_ranks())));
  if (below(changes_per_far_one) > 0) return into(rank, near_partner(rank));
  return into(rank, id_at<Place>(below(static_cast<std::size_t>(occupancy_.num_places()))));
}

Place ChangeDraw::near_partner(Rank rank) {
  const auto partners = partners_.of(rank);
  if (partners.empty())
    return id_at<Place>(below(static_cast<std::size_t>(occupancy_.num_places())));
  const Place place = occupancy_.place_of(partners[below(partners.size())].rank);
  const auto near = near_->of(place);
  const std::uint32_t chosen = below(near.size() + 1);
  return chosen < near.size() ? near[chosen] : place;
}

std::optional<RankChange> ChangeDraw::into(Rank rank, Place to) {
  if (occupancy_.place_of(rank) == to) return std::nullopt;
  const auto there = occupancy_.ranks_at(to);
  if (there.empty() || (occupancy_.has_free_slot(to) && below(2) == 0))
    return RankChange{rank, std::nullopt, to};
  return RankChange{rank, there[there.size() == 1 ? 0 : below(there.size())], to};
}

}  // namespace vtopo::detail
