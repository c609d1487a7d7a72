#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/clock/sharing/shared_flows.hpp"

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

}  // namespace vtopo::detail
