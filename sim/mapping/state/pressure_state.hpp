#pragma once

#include <optional>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/flow_routes.hpp"
#include "sim/mapping/state/link_pressure.hpp"
#include "sim/mapping/state/occupancy.hpp"

namespace vtopo::detail {

/// Embedding under refinement that knows the pressure on the links (see LinkPressure): a try costs
/// O(degree * route length) and allocates nothing once its storage has grown. A change is probed,
/// then committed or rejected.
class PressureState {
 public:
  /// The problem must outlive the state.
  PressureState(const MappingProblem& problem, const Embedding& start);

  const Occupancy& occupancy() const { return occupancy_; }
  const HopTable& table() const { return table_; }
  const Partners& partners() const { return partners_; }
  const LinkPressure& links() const { return links_; }

  /// See LinkPressure.
  void set_reference(Seconds reference, double linear_part) {
    links_.set_reference(reference, linear_part);
  }

  /// What a change adds to the pressure; negative if it is good.
  double probe(const RankChange& change);
  void commit();
  void reject() { links_.undo(); }

  /// Calls `visit(LinkId, double share)` for the links of a flow between two places.
  template <class Visit>
  void for_each_link(Place from, Place to, Visit visit) {
    if (from != to) routes_.for_each_link(host(from), host(to), visit);
  }

 private:
  bool is_exact();
  HostId host(Place place) const { return hosts_[index(place)]; }
  void add(Place from, Place to, double bytes);
  void move(Rank rank, Place from, Place to, std::optional<Rank> left_out);

  std::span<const HostId> hosts_;
  Partners partners_;
  HopTable table_;
  Occupancy occupancy_;
  FlowRoutes routes_;
  LinkPressure links_;
  RankChange probed_;
  [[maybe_unused]] int until_check_ = 0;  ///< commits, in debug builds
};

}  // namespace vtopo::detail
