#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/link_loads.hpp"
#include "sim/mapping/state/objective_state.hpp"

namespace vtopo::detail {

/// A smooth stand-in for the largest congestion of all links: the sum of high powers of the
/// congestions, each relative to a reference, and a small part of the congestions themselves, which
/// keeps routes short. Fatpipe links do not count. A change costs O(1) per link that it touches;
/// changes since the last `keep` can be undone.
class LinkPressure {
 public:
  /// Without loads.
  explicit LinkPressure(const Network& network);

  /// Puts bytes on a link, or takes them away.
  void add(LinkId id, double bytes) {
    Link& link = links_[index(id)];
    if (link.changed_in != round_) {
      if (link.changed_in == 0) use(id);
      link.changed_in = round_;
      changes_.push_back({static_cast<std::uint32_t>(index(id)), link.bytes});
    }
    link.bytes += bytes;
  }

  /// What the changes since the last `keep` add to the pressure.
  double change() const;

  /// What was changed stays.
  void keep() { start_round(); }

  /// Takes back every change since the last `keep`, to the bit.
  void undo();

  /// Sets the congestion that counts as one, > 0, and how much such a one counts beside its power.
  void set_reference(Seconds reference, double linear_part);

  /// Summed up anew.
  double total() const;

  Bytes bytes(LinkId id) const { return {links_[index(id)].bytes}; }
  Seconds congestion(LinkId id) const {
    const Link& link = links_[index(id)];
    return {link.bytes * link.seconds_per_byte};
  }
  Seconds max_congestion() const;

 private:
  struct Link {
    double bytes = 0;
    double seconds_per_byte = 0;   ///< 0 where the link does not count
    double scale = 0;              ///< per byte, relative to the reference; of used links
    std::uint32_t changed_in = 0;  ///< round; 0: never used
  };
  struct Change {
    std::uint32_t link;
    double before;  ///< bytes
  };

  double pressure(double relative) const {
    const double square = relative * relative;
    const double fourth = square * square;
    return fourth * fourth + linear_part_ * relative;
  }
  void use(LinkId id);
  void start_round();

  std::vector<Link> links_;
  std::vector<std::uint32_t> used_;  ///< links that have had bytes at some time
  std::vector<Change> changes_;
  std::uint32_t round_ = 1;
  double reference_ = std::numeric_limits<double>::infinity();  ///< seconds
  double linear_part_ = 0;
};

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
};

}  // namespace vtopo::detail
