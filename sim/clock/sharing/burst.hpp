#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/sharing/queues.hpp"

namespace vtopo::detail {

/// What a flow begins with.
struct FirstRate {
  double rate;
  std::int32_t held_by;  ///< the full link that limits it; negative where it has no links
};

/// Flows that start together and share links max-min fairly, for so many flows that not every end
/// can be passed on at once to all whose rates depend on it.
///
/// A link has a level, the rate of all flows that it holds back, and gives each of them the same
/// work. What other flows take of it changes what it has left. It keeps an account of the bytes
/// that its flows are owed, or have had too many, and settles it when that is more than `tolerance`
/// of what a flow of its would have had at the present level since the start: then its flows get
/// the bytes and the new level, and the links that they cross account for both. So no byte of a
/// full link is lost or used twice; only the news of it is late. A flow that ends takes its part of
/// the account with it: it ends when the level would have let it if all were settled. The last end
/// on a link that is full until then is exact.
class BurstSharing {
 public:
  /// @param flows none crosses a link twice.
  /// @param tolerance relative, > 0, of the time of an end.
  /// @param first max-min fair.
  BurstSharing(SharedFlows flows, std::span<const FirstRate> first, double tolerance);

  /// When something happens next; infinity once all flows have ended.
  double next() { return keys_.next(); }

  /// Lets that happen: `visit(flow, time)` for each flow that ends.
  template <class Visitor>
  void advance(Visitor&& visit) {
    now_ = next();
    notice_standstill();
    due_links_.clear();
    keys_.take_until(now_, [&](std::size_t link, double) {
      due_links_.push_back(static_cast<std::int32_t>(link));
    });
    for (const std::int32_t link : due_links_) {
      ended_.clear();
      settle(link);
      for (const std::int32_t flow : ended_) visit(static_cast<std::size_t>(flow), now_);
    }
  }

  /// As given, or more where links with equal levels would have settled with each other without
  /// end.
  double tolerance() const { return tolerance_; }

  /// Whether some flow was corrected by more than errors of the tolerance explain: corrections can
  /// raise each other where flows have small shares of links. Then no end is to be believed.
  bool diverges() const { return diverges_; }

  /// The flows as given, but for the order of the links of each.
  SharedFlows flows() && { return std::move(given_); }

  /// Links of flows that were given a new level, each time again: the work done so far.
  std::uint64_t num_updates() const { return num_updates_; }

 private:
  static constexpr std::int32_t over = -1;  ///< of `held_by`: has ended
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  static constexpr double same_rate = 1e-12;      ///< relative, as the next two
  static constexpr double same_level = 1e-9;      ///< then a flow goes where less is owed
  static constexpr double same_time = 1e-12;      ///< of ends
  static constexpr double max_correction = 1000;  ///< tolerances: usual ones are at most some tens

  /// All that is mostly asked of a flow, in one line of the machine's caches.
  struct alignas(32) FlowState {
    double due = 0;           ///< work of its link at which it ends
    std::uint64_t first = 0;  ///< of its entries: tight links, then loose ones
    std::int32_t num_links = 0;
    std::int32_t num_tight = 0;
    std::int32_t held_by = over;
  };

  /// Time-dependent values are `x + slope * time`, so that they change without being looked at.
  struct alignas(64) LinkState {
    double left = 0;     ///< rate that flows leave; of a loose link by the rates promised to flows
    double account = 0;  ///< bytes left over, with the slope `left`
    double checked = 0;  ///< the account at `key`, when the key was found
    double bound = 0;    ///< how far that may be off before the key is found again
    double key = 0;      ///< when it is settled if nothing changes
    double weight = 0;   ///< sum of the shares of the flows that it holds back
    double level = 0;
    double fastest = 0;  ///< of flows on it that others hold back, not less
  };

  /// The flows of a link: among the first ones all that it holds back.
  struct alignas(64) FlowList {
    std::uint64_t first = 0;
    std::int32_t count = 0, num_front = 0;
    std::int32_t num_held = 0;  ///< flows that it holds back
    double work = 0;            ///< of each flow that it holds back, with the slope of its level
    double min_due = 0;         ///< of flows that it holds back, not more
    double promised = 0;        ///< what loose links count its flows with
    double unfair = unbounded;  ///< when it must take faster flows
    bool tight = true;          ///< it may become full, and knows the rate of each flow
    bool outlived = false;      ///< flows on it have ended
  };

  static std::size_t pos(std::int32_t number) { return static_cast<std::size_t>(number); }
  double account(const LinkState& on) const { return on.account + on.left * now_; }
  double owed(const LinkState& on) const { return on.weight > 0 ? account(on) / on.weight : 0; }
  double work(std::int32_t link) const {
    return lists_[pos(link)].work + links_[pos(link)].level * now_;
  }
  double effective(const LinkState& on) const { return on.level + on.left / on.weight; }

  std::span<const std::int32_t> tight_links(const FlowState& flow) const {
    return {&given_.links[flow.first], pos(flow.num_tight)};
  }

  std::span<const std::int32_t> front(std::int32_t link) const {
    return {on_link_.data() + lists_[pos(link)].first, pos(lists_[pos(link)].num_front)};
  }

  void notice_standstill();
  void fetch(std::int32_t link) const;
  void settle(std::int32_t link);
  void end_flows(std::int32_t link);
  void gather(std::int32_t link);
  void take_faster(std::int32_t link);
  void leave_slower(std::int32_t link);
  void publish(std::int32_t link);
  void let_go(std::int32_t link, double share);
  void transfer(std::int32_t flow, std::int32_t to, double share_there);
  void charge(const FlowState& flow, double rate, double bytes, double level);
  void charge_loose(const FlowState& flow, double more);
  void correct(double bytes, double level);
  void touch(std::int32_t link);
  void find_keys();
  void find_key(std::int32_t link);
  void tighten(std::int32_t link);
  void loosen(std::int32_t link);
  void put_tight_first(FlowState& flow);
  void put_at(FlowState& flow, std::uint64_t entry, std::int32_t other);
  std::uint64_t entry_on(const FlowState& flow, std::int32_t link) const;
  double share_on(const FlowState& flow, std::int32_t link) const;

  SharedFlows given_;
  std::vector<FlowState> flows_;
  std::vector<LinkState> links_;
  std::vector<FlowList> lists_;
  std::vector<std::int32_t> on_link_;
  std::vector<char> is_dirty_;  ///< whether the key of a link is to be found again
  std::vector<std::int32_t> dirty_, due_links_, ended_;
  EndTimes keys_;
  double tolerance_, now_ = 0;
  bool diverges_ = false;
  double stands_since_ = 0;
  std::size_t num_standing_ = 0;  ///< settlements since then
  std::uint64_t num_updates_ = 0;
};

}  // namespace vtopo::detail
