#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "sim/mapping/api/problem.hpp"

namespace vtopo::detail {

/// Time until the deadline, negative after it; nothing without one.
inline std::optional<std::chrono::duration<double>> time_left(const SearchControl& control) {
  if (!control.deadline) return std::nullopt;
  return *control.deadline - SearchControl::Clock::now();
}

/// When a share of the time until the deadline is gone; nothing without one.
inline std::optional<SearchControl::Clock::time_point> after_share(const SearchControl& control,
                                                                   double share) {
  using Clock = SearchControl::Clock;
  if (!control.deadline) return std::nullopt;
  const auto now = Clock::now();
  return now + std::chrono::duration_cast<Clock::duration>((*control.deadline - now) * share);
}

/// With a share of the steps and of the time until the deadline.
inline SearchControl share_of_search(const SearchControl& control, double share) {
  SearchControl part = control;
  if (control.steps)
    part.steps = static_cast<std::int64_t>(share * static_cast<double>(*control.steps));
  part.deadline = after_share(control, share);
  return part;
}

/// For a mapper whose work comes before the search.
inline SearchControl without_progress(SearchControl control) {
  control.progress = nullptr;
  return control;
}

/// For one of several mappers that run side by side: one thread, nothing reported.
inline SearchControl part_of(const SearchControl& control,
                             std::optional<SearchControl::Clock::time_point> deadline) {
  SearchControl part = without_progress(control);
  part.deadline = deadline;
  part.remark = nullptr;
  part.improved = nullptr;
  part.threads = 1;
  return part;
}

/// What a refiner may still spend: steps, time until the deadline, and patience until somebody
/// sets `stop`. The clock is read once in `clock_interval` steps.
class Budget {
 public:
  /// @param default_steps if `control` has neither steps nor a deadline.
  Budget(const SearchControl& control, std::int64_t default_steps,
         std::int64_t clock_interval = 256)
      : deadline_(control.deadline),
        stop_(control.stop),
        steps_(control.steps.value_or(deadline_ ? unlimited : default_steps)),
        clock_interval_(clock_interval) {}

  /// Takes one step; false once nothing is left.
  bool take() {
    if (spent_ || done_ >= steps_) return false;
    if (done_ % clock_interval_ == 0 && out_of_time()) return false;
    ++done_;
    return true;
  }

  /// Takes up to `most` steps, the clock read once; 0 if nothing is left.
  std::int64_t take(std::int64_t most) {
    if (spent_ || done_ >= steps_ || out_of_time()) return 0;
    const std::int64_t taken = std::min(most, steps_ - done_);
    done_ += taken;
    return taken;
  }

  /// Whether nothing is left.
  bool spent() const { return spent_ || done_ >= steps_; }

  std::int64_t done() const { return done_; }

  /// Share of the budget that is spent, by steps or by time, whichever is more.
  double fraction() const {
    double share =
        steps_ == unlimited ? 0 : static_cast<double>(done_) / static_cast<double>(steps_);
    if (deadline_) {
      const double whole = std::chrono::duration<double>(*deadline_ - start_).count();
      const double passed = std::chrono::duration<double>(Clock::now() - start_).count();
      share = std::max(share, whole > 0 ? passed / whole : 1.0);
    }
    return std::min(share, 1.0);
  }

  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

 private:
  using Clock = std::chrono::steady_clock;

  bool out_of_time() {
    spent_ = (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) ||
             (deadline_ && Clock::now() >= *deadline_);
    return spent_;
  }

  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* stop_;
  std::int64_t steps_;
  std::int64_t clock_interval_;
  std::int64_t done_ = 0;
  bool spent_ = false;
  Clock::time_point start_ = Clock::now();
};

}  // namespace vtopo::detail
