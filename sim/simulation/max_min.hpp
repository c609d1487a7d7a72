#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/simulation/share_queue.hpp"
#include "sim/simulation/shared_flows.hpp"

namespace vtopo::detail {

/// Max-min fair rates of flows, kept up to date while flows end.
///
/// Progressive filling (Bertsekas and Gallager, Data Networks, 1992, section 6.5.2): all rates rise
/// together; the link whose fair share is reached next is full, and the flows on it keep their
/// rate. Fair shares only grow on the way, so that a queue with outdated keys finds the next link.
/// Flows that split load a link by their shares of it: its fair share, a rate of whole flows, is
/// what is left of it over the sum of the shares of flows that still rise.
///
/// When flows end, only rates that depend on theirs are found again: those of flows that a link of
/// theirs held back, of flows held back by a link of those, and so on; and, during the filling, of
/// flows whose old rate is above what a link that fills up can now give them.
///
/// Most links are far from full and stay so: they are loose. The filling leaves them out, and when
/// a flow has its new rate they get the difference. A loose link that is then overfull becomes
/// tight, and the filling is done again with it.
class MaxMinSharing {
 public:
  /// A flow whose rate the last `solve` changed.
  struct Change {
    std::int32_t flow;
    double old_rate;  ///< 0 at first
  };

  explicit MaxMinSharing(SharedFlows flows);

  /// As given, but for the order of the links of each flow.
  const SharedFlows& flows() const { return given_; }

  /// Flows have ended; `solve` takes notice.
  void remove(std::span<const std::int32_t> flows);

  /// Finds the rates that have changed, of all flows at first.
  void solve();

  /// What the last `solve` changed: each flow once, in no particular order.
  std::span<const Change> changes() const { return changes_; }

  /// Bytes per second, > 0, of a flow that has not ended; infinite without links.
  double rate(std::int32_t flow) const { return flows_[pos(flow)].rate; }

  /// Links of flows that were given their rate, each time again: the work done so far.
  std::uint64_t num_updates() const { return num_updates_; }

 private:
  static constexpr std::int32_t rising = -1;  ///< of `held_by`: the rate is not known yet
  static constexpr std::int32_t ended = -2;
  static constexpr std::size_t fetch_ahead = 4;  ///< flows

  struct FlowState {
    double rate = 0;                ///< the old one while it rises
    std::int32_t held_by = rising;  ///< the link that limits the rate
    std::int32_t num_tight = 0;     ///< of its links, the first ones
  };

  /// Where the links of a flow are in `given_`: tight ones, then loose ones.
  struct Entries {
    std::uint64_t first, loose, last;
  };

  struct LinkState {
    double left = 0;           ///< capacity that flows with known rates leave; loose: see `reserve`
    std::int32_t rising = 0;   ///< flows whose rate is not known yet; loose: 0
    std::int32_t holding = 0;  ///< flows that the link holds back
  };

  /// What is known of a link, in one byte.
  enum Mark : unsigned char {
    tight = 1,      ///< it may become full
    visited = 2,    ///< its dependents rise
    candidate = 4,  ///< among `candidates_`
    waiting = 8,    ///< to become a candidate
    listed = 16     ///< has been a candidate in the present `solve`
  };

  static std::size_t pos(std::int32_t number) { return static_cast<std::size_t>(number); }

  Entries entries_of(std::int32_t flow) const {
    const std::uint64_t first = given_.first[pos(flow)];
    return {first, first + pos(flows_[pos(flow)].num_tight), given_.first[pos(flow) + 1]};
  }
  std::int32_t link_at(std::uint64_t entry) const { return given_.links[entry]; }

  void list_flows_of_links();
  void fetch_links_of(std::int32_t flow) const;
  void remove(std::int32_t flow);
  std::span<const std::int32_t> flows_on(std::int32_t link) const;
  double rising_share(std::int32_t link) const;
  bool has(std::int32_t link, Mark mark) const { return (marks_[pos(link)] & mark) != 0; }
  void mark(std::int32_t link, Mark mark);
  void unmark(std::int32_t link, Mark mark);
  double reserve(std::int32_t link) const;
  void visit(std::int32_t link);
  void wait(std::int32_t link);
  void let_rise(std::int32_t flow);
  void free_flow(std::int32_t flow);
  void let_dependents_rise();
  bool let_faster_rise(std::int32_t link, double share);
  void fill();
  void hold(std::int32_t link, double share);
  void hold_flow(std::int32_t flow, std::int32_t link, double share_of_link);
  bool let_rise_again();
  void tighten(std::int32_t link);
  void put_tight_links_first(std::int32_t changed);
  void put_tight_first(std::int32_t flow);
  void take_changes();
  void forget_visits();
  void list_candidates();
  void push_waiting();
  void sum_anew();

  SharedFlows given_;  ///< the links of each flow with tight ones first
  std::vector<FlowState> flows_;
  std::vector<LinkState> links_;
  std::vector<double> rising_share_;  ///< of flows on a link whose rate is not known, if they split
  std::vector<double> share_noise_;   ///< sums of shares up to it may be rounding
  std::vector<std::uint64_t> first_;  ///< where the flows of a link begin
  std::vector<std::int32_t> on_link_;      ///< flows of all links
  std::vector<std::int32_t> num_on_link_;  ///< flows not yet known to have ended
  std::vector<unsigned char> marks_;       ///< of each link
  std::vector<std::int32_t> visited_;      ///< links whose dependents rise
  std::size_t next_visit_ = 0;
  std::vector<std::int32_t> waiting_;  ///< links that are to become candidates
  /// By a share that they had at some time, never above the one that they have now; a link whose
  /// share has shrunk is there twice.
  ShareQueue candidates_;
  std::vector<std::int32_t> rising_on_link_;  ///< of the link that fills up
  std::vector<Change> risen_;                 ///< flows that the present `solve` lets rise
  std::vector<std::int32_t> reserve_used_;    ///< loose links that have had less than their reserve
  std::vector<Change> changes_;
  std::size_t num_rising_ = 0;    ///< flows whose rate is not known yet
  double level_ = 0;              ///< share of the link filled last
  std::uint64_t num_updates_ = 0;
  std::uint64_t since_sums_ = 0;  ///< additions to `left` since the sums were made anew
  bool first_time_ = true;
};

}  // namespace vtopo::detail
