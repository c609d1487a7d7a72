#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/clock/sharing/queues.hpp"

namespace vtopo::detail {

/// Part of a link's capacity that a flow takes: `share` of its rate.
struct FlowLink {
  std::int32_t link = 0;  ///< position of the link's capacity
  double share = 1;       ///< > 0
};

/// Flows that start and end at any time and share links max-min fairly (rates of whole flows).
///
/// When flows start or end, the rates of those are found again that share a link with them and are
/// held back by it or take more of it than is fair; then of those that this changes, and so on. The
/// result is that of filling all links anew, since max-min fair rates are unique.
class ChangingFlows {
 public:
  /// A flow, until it has ended; then its number is used again.
  using FlowNumber = std::int32_t;

  /// @param capacity of each link, bytes per second, > 0.
  explicit ChangingFlows(std::vector<double> capacity);

  /// One more link.
  /// @return its number.
  std::int32_t add_link(double capacity);

  /// Capacity of a link that no flow takes.
  void set_capacity(std::int32_t link, double capacity);

  /// Starts a flow at the present time; its rate is found by the next `next_end`.
  /// @param volume bytes, > 0.
  /// @param links each at most once.
  FlowNumber start(double volume, std::span<const FlowLink> links);

  /// When the next flow ends; infinity if there is none.
  double next_end();

  /// Lets the time pass, not beyond `next_end`, and removes the flows that have ended.
  /// @return flows that end within rounding of `time`, in the order of their numbers. Valid until
  /// the next call.
  std::span<const FlowNumber> advance(double time);

  double time() const { return time_; }         ///< seconds, 0 at first
  int num_flows() const { return num_flows_; }  ///< that have not ended
  /// Bytes per second, of a flow that has not ended; call `next_end` before.
  double rate(FlowNumber flow) const { return flows_[pos(flow)].rate; }
  /// Links of flows that were given their rate, each time again: the work done so far.
  std::uint64_t num_updates() const { return num_updates_; }

 private:
  static constexpr std::int32_t none = -1;
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  static constexpr double unknown = -1;           ///< rate
  static constexpr double rate_rounding = 1e-12;  ///< relative
  static constexpr double full = 1e-9;            ///< of a link's capacity that may be left

  /// A link of a flow.
  struct Used {
    std::int32_t link;
    std::int32_t place;  ///< of the flow among the flows of the link
    double share;
  };

  /// In one line of the machine's caches.
  struct alignas(64) Flow {
    std::vector<Used> links;
    double left = 0;  ///< bytes, at `since`
    double since = 0;
    double rate = 0;
    std::int32_t held_by = none;  ///< link that limits the rate
    std::int32_t open = none;     ///< position in `open_` while the rate is being found
  };

  struct Member {
    FlowNumber flow;
    std::int32_t entry;  ///< of the link among those of the flow
  };

  /// All up to `flows` in one line of the machine's caches.
  struct alignas(64) Link {
    double closed_left = 0;  ///< capacity that flows leave that are not open
    double opened = 0;       ///< shares of open flows
    int num_open = 0;        ///< these flows
    int holding = 0;         ///< flows that it limits and that are not open
    int changes = 0;         ///< of `closed_left` since it was summed
    int num_rising = 0;      ///< flows whose rates are not known
    double left = 0;         ///< capacity that known rates leave
    double rising = 0;       ///< shares of the flows whose rates are not known
    double highest = 0;      ///< rate among open flows
    std::vector<Member> flows;
    double capacity = 0;
    std::int32_t listed_at = none;  ///< position in `listed_`
  };

  struct OpenFlow {
    FlowNumber flow;
    double rate;  ///< `unknown` while it rises
    std::int32_t held_by;
  };

  static std::size_t pos(std::int32_t number) { return static_cast<std::size_t>(number); }

  /// A flow that is not open takes so much more of a link.
  static void take(Link& link, double taken) {
    link.closed_left -= taken;
    ++link.changes;
  }

  static void begin_filling(Link& link) {
    link.left = std::max(link.closed_left, 0.0);
    link.rising = link.opened;
    link.num_rising = link.num_open;
    link.highest = 0;
  }

  void open(FlowNumber flow);
  void open_flows_held_by(const std::vector<std::int32_t>& links);
  void find_rates();
  void list(std::int32_t number);
  void sum_anew(Link& link);
  void fill();
  void hold(std::int32_t number, double rate);
  bool open_faster_flows(std::int32_t number, double rate);
  void open_while_filling(FlowNumber flow);
  bool open_freed_flows();
  void find_freed_flows(std::int32_t number);
  void take_rates();
  void remove(FlowNumber flow);

  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<FlowNumber> free_;
  std::vector<std::int32_t> changed_;  ///< links that flows have left since rates were found
  std::vector<OpenFlow> open_;         ///< flows whose rates are being found
  std::vector<std::int32_t> listed_;   ///< their links
  std::vector<FlowNumber> freed_;      ///< that are to be opened
  EndTimes
      full_at_;  ///< of each, in place of times: a rate, never above the one at which it is full
  EndTimes ends_;
  std::vector<FlowNumber> ended_;
  double time_ = 0;
  int num_flows_ = 0;
  std::uint64_t num_updates_ = 0;
};

}  // namespace vtopo::detail
