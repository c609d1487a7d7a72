#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

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
  void set_capacity(std::int32_t link, double capacity) { links_[pos(link)].capacity = capacity; }

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

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::int32_t none = -1;

  struct Flow {
    std::vector<FlowLink> links;
    std::vector<std::int32_t> place;  ///< of the flow among the flows of each of its links
    double left = 0;                  ///< bytes, at `since`
    double since = 0;
    double rate = 0;
    double end = never;
    std::int32_t held_by = none;  ///< link that limits the rate
    std::int32_t open = none;     ///< position in `open_` while the rate is being found
  };

  struct Member {
    FlowNumber flow;
    std::int32_t entry;  ///< of the link among those of the flow
  };

  struct Link {
    double capacity = 0;
    std::vector<Member> flows;
    double closed_left = 0;  ///< capacity that flows leave that are not open
    double opened = 0;       ///< shares of open flows
    int num_open = 0;        ///< these flows
    double left = 0;         ///< capacity that known rates leave
    double rising = 0;       ///< shares of flows whose rates are not known
    int num_rising = 0;      ///< these flows
    double highest = 0;      ///< rate among open flows
    bool is_listed = false;
  };

  struct OpenFlow {
    FlowNumber flow;
    double rate;  ///< `unknown` while it rises
    std::int32_t held_by;
  };

  /// A flow that ends, or a link that is full, and when.
  struct Event {
    double at;
    std::int32_t number;
    bool operator>(const Event& other) const {
      return at > other.at || (at == other.at && number > other.number);
    }
  };

  using LeastFirst = std::priority_queue<Event, std::vector<Event>, std::greater<Event>>;

  static std::size_t pos(std::int32_t number) { return static_cast<std::size_t>(number); }

  void open(FlowNumber flow);
  void open_flows_held_by(const std::vector<std::int32_t>& links);
  void find_rates();
  void list_links(FlowNumber flow);
  void list(std::int32_t number);
  void begin_filling();
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
  LeastFirst candidates_;  ///< links by a rate at which they were full: never above the present one
  LeastFirst ends_;        ///< out of date where the flow ends at another time
  std::vector<FlowNumber> ended_;
  double time_ = 0;
  int num_flows_ = 0;
};

}  // namespace vtopo::detail
