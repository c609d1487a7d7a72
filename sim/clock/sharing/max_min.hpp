#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/sharing/queues.hpp"

namespace vtopo::detail {

/// Flows and the links that they share, while `MaxMinSharing` finds their rates: who is held back
/// by whom and what is left of each link.
///
/// Most links are far from full and stay so: they are loose. They count each flow with a rate a
/// little above its own, which it is promised, so that they need not know of most changes. The
/// others, which may become full, are tight.
class SharingState {
 public:
  /// A flow whose rate has changed.
  struct Change {
    std::int32_t flow;
    double old_rate;
  };

 protected:
  static constexpr std::int32_t rising = -1;  ///< of `held_by`: the rate is not known yet
  static constexpr std::int32_t ended = -2;
  static constexpr double same_rate = 1e-13;  ///< relative: rounding, not another rate

  /// All that is mostly asked of a flow, in one line of the machine's caches.
  struct alignas(64) FlowState {
    static constexpr std::int32_t max_near = 7;

    double rate = 0;          ///< the old one while it rises
    std::uint64_t first = 0;  ///< where its links begin in `given_`: tight ones, then loose ones
    std::int32_t num_links = 0;
    std::int32_t num_tight = 0;
    std::int32_t held_by = rising;  ///< the link that limits the rate
    float promised = 0;             ///< what loose links count it with: not less than the rate
    std::array<std::int32_t, max_near> near = {};  ///< its tight links, if there are no more
    bool is_changed = false;                       ///< among `changes_`
  };

  struct LinkState {
    double left = 0;           ///< capacity that flows with known rates leave; loose: see `loosen`
    double level = 0;          ///< mean rate of the flows that it holds back
    double fastest = 0;        ///< no other flow on it that does not rise is faster; loose: unknown
    std::int32_t rising = 0;   ///< flows whose rate is not known yet; loose: 0
    std::int32_t holding = 0;  ///< flows that the link holds back
  };

  /// Where the flows of a link are in `on_link_`.
  struct FlowList {
    std::uint64_t first = 0;
    std::int32_t count = 0;      ///< flows not yet known to have ended
    std::int32_t num_front = 0;  ///< the first ones, among them all that the link holds back
  };

  /// What is known of a link, in one byte.
  enum Mark : unsigned char {
    tight = 1,      ///< it may become full
    visited = 2,    ///< among `visited_`
    candidate = 4,  ///< in the queue of those that are looked at next
    waiting = 8,    ///< to become a candidate
    listed = 16,    ///< has been a candidate since visits were forgotten
    outlived = 32   ///< flows on it have ended
  };

  /// All links are tight and all flows rise.
  explicit SharingState(SharedFlows flows);

  static std::size_t pos(std::int32_t number) { return static_cast<std::size_t>(number); }

  std::span<const std::int32_t> tight_links(const FlowState& flow) const {
    return {flow.num_tight <= FlowState::max_near ? flow.near.data() : &given_.links[flow.first],
            pos(flow.num_tight)};
  }

  std::span<std::int32_t> flows_on(std::int32_t link) {
    return {on_link_.data() + lists_[pos(link)].first, pos(lists_[pos(link)].count)};
  }

  bool has(std::int32_t link, int marks) const { return (marks_[pos(link)] & marks) == marks; }
  void mark(std::int32_t link, int marks) {
    marks_[pos(link)] = static_cast<unsigned char>(marks_[pos(link)] | marks);
  }
  void unmark(std::int32_t link, int marks) {
    marks_[pos(link)] = static_cast<unsigned char>(marks_[pos(link)] & ~marks);
  }

  /// Sum of the shares of the rising flows on a link, of whom there are some; without splitting
  /// their number.
  double share_of_rising(std::int32_t link) {
    return given_.shares.empty() ? links_[pos(link)].rising : sum_of_rising(link);
  }

  void visit(std::int32_t link);
  void note_change(std::int32_t flow);
  void remove(std::int32_t flow);
  void forget_ended(std::int32_t link);
  void stop_holding(std::int32_t link, double rate);
  void keep_promise(std::int32_t flow);
  std::span<const std::int32_t> tighten_overfull();
  void put_tight_links_first();
  void forget_visits();
  void drop_equal_changes();
  void sum_anew();

  SharedFlows given_;  ///< the links of each flow with tight ones first; `first` is in `flows_`
  std::vector<FlowState> flows_;
  std::vector<double> speed_;  ///< of flows: the rate, infinite while it rises, 0 after the end
  std::vector<LinkState> links_;
  std::vector<FlowList> lists_;        ///< of each link
  std::vector<std::int32_t> on_link_;  ///< flows of all links
  std::vector<double> rising_share_;  ///< of flows on a link whose rate is not known, if they split
  std::vector<unsigned char> marks_;  ///< of each link
  std::vector<std::int32_t> visited_;  ///< tight links on which rates may have changed
  std::vector<Change> changes_;
  std::uint64_t num_updates_ = 0;
  std::uint64_t since_sums_ = 0;  ///< additions to `left` since the sums were made anew

 private:
  double share_on(std::int32_t link, std::int32_t flow) const;
  template <class Part>
  double sum_of_flows(std::int32_t link, Part&& part);
  double sum_of_rising(std::int32_t link);
  double load(std::int32_t link);
  double reserve(std::int32_t link) const;
  void promise(std::int32_t flow);
  bool stays_far_from_full(std::int32_t link) const;
  void loosen(std::int32_t link);
  void tighten(std::int32_t link);
  void put_tight_links_first(std::int32_t link);
  void put_tight_first(FlowState& flow);

  std::vector<double> share_noise_;         ///< sums of shares up to it may be rounding
  std::vector<std::int32_t> reserve_used_;  ///< loose links that have had less than their reserve
  std::vector<std::int32_t> tightened_;     ///< by the last `tighten_overfull`
  bool sorts_links_ = false;                ///< whether flows have their tight links first
};

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

  bool crosses_no_link_twice() const;

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

  /// A full link of the flow on which no flow is faster; negative without links.
  std::int32_t held_by(std::int32_t flow) const { return flows_[pos(flow)].held_by; }

  /// Links of flows that were given their rate, each time again: the work done so far.
  std::uint64_t num_updates() const { return num_updates_; }

 private:
  void prepare_for_changes();
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
