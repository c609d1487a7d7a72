#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/clock/sharing/max_min_state.hpp"
#include "sim/clock/sharing/share_queue.hpp"
#include "sim/clock/sharing/shared_flows.hpp"

namespace vtopo::detail {

/// Max-min fair rates of flows, kept up to date while flows end.
///
/// Progressive filling (Bertsekas and Gallager, Data Networks, 1992, section 6.5.2): all rates rise
/// together; the link whose fair share is reached next is full, and the flows on it keep their
/// rate. Fair shares only grow on the way, so that a queue with outdated keys finds the next link.
/// Flows that split load a link by their shares of it: its fair share, a rate of whole flows, is
/// what is left of it over the sum of the shares of flows that still rise. The filling leaves out
/// loose links. One that is then overfull becomes tight, and the filling is done again with it.
///
/// When flows end, most others are held back by the same link as before, at another rate. Links
/// whose flows have new rates are shifted, those of low rates first: a link gives the flows that it
/// holds back what is left of it, takes in flows of others that are too fast for it, and leaves
/// flows to links that cannot give them as much; the links that these flows use are next. When none
/// is left to look at, every flow has a full link on which none is faster, which is what makes
/// rates max-min fair. Where flows split, or shifting does not come to an end soon, rates that may
/// depend on what has changed are found by filling: those of flows that a link of theirs held back,
/// of flows held back by a link of those, and so on; and, during the filling, of flows whose old
/// rate is above what a link that fills up can now give them.
class MaxMinSharing : SharingState {
 public:
  using SharingState::Change;

  explicit MaxMinSharing(SharedFlows flows);

  /// Bytes, as given.
  const std::vector<double>& volumes() const { return given_.volume; }

  /// Flows have ended; `solve` takes notice. Not before the first `solve`.
  void remove(std::span<const std::int32_t> flows);

  /// Finds all rates at first, then those that have changed.
  void solve();

  /// What the last `solve` changed, if it is not the first: each flow once, in no particular order.
  std::span<const Change> changes() const { return changes_; }

  /// Bytes per second, > 0, of a flow that has not ended; infinite without links.
  double rate(std::int32_t flow) const { return flows_[pos(flow)].rate; }

  /// Links of flows that were given their rate, each time again: the work done so far.
  std::uint64_t num_updates() const { return num_updates_; }

 private:
  void prepare_for_changes();
  bool crosses_no_link_twice() const;
  void start();

  // Filling.
  void fill_again();
  void wait(std::int32_t link);
  void let_rise(std::int32_t flow);
  void free_flow(std::int32_t flow);
  template <bool splits>
  void free_flow(std::int32_t flow);
  void take_in(std::int32_t link, double rate);
  void let_dependents_rise();
  bool let_faster_rise(std::int32_t link, double share);
  bool let_rise_again();
  void push_candidate(std::int32_t link);
  void push_waiting();
  void fill();
  void hold(std::int32_t link, double share);
  template <bool splits>
  void hold_flow(std::int32_t flow, std::int32_t link, double share_of_link);

  // Shifting.
  bool shift();
  bool shift_candidates();
  void fetch_held(std::int32_t link);
  void touch(std::int32_t link);
  void look_at(std::int32_t link, double level);
  void shift(std::int32_t link);
  double gather_held(std::int32_t link);
  void take_faster(std::int32_t link, double& sum);
  void leave_slower(std::int32_t link, double& sum);
  std::int32_t narrower_link(std::int32_t flow, double rate) const;
  void give(std::int32_t flow, std::int32_t link);
  void set_rate(std::int32_t flow, double rate);

  double fair_share(std::int32_t link) { return links_[pos(link)].left / share_of_rising(link); }

  std::size_t next_visit_ = 0;
  std::vector<std::int32_t> waiting_;  ///< links that are to become candidates
  /// While rates are filled by a share that a link had at some time, never above the one that it
  /// has now; a link whose share has shrunk is there twice. While they are shifted by their old
  /// level.
  ShareQueue candidates_;
  std::vector<std::int32_t> rising_on_link_;  ///< where in the list of the link that fills up
  std::size_t num_rising_ = 0;                ///< flows whose rate is not known yet
  double level_ = 0;                          ///< share of the link filled last
  bool is_prepared_ = false;                  ///< for changes
  bool can_shift_ = false;
};

}  // namespace vtopo::detail
