#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "sim/run/observer.hpp"

namespace vtopo::detail {

/// Whether text for a reader may carry colour: on a terminal that is not dumb, unless the variable
/// NO_COLOR is set and not empty (https://no-color.org).
/// @param no_color value of NO_COLOR, or null when unset.
/// @param term value of TERM, or null when unset; an unset one counts as dumb.
bool may_colour(bool terminal, const char* no_color, const char* term);

/// The same for standard output and the environment of this process.
bool stdout_may_have_colour();

/// Whether a descriptor is a terminal on which a line can be redrawn.
bool is_capable_terminal(int descriptor);

/// When the next line of progress is due where no line can be redrawn: for all work of a command.
struct ProgressLines {
  std::chrono::steady_clock::time_point next;
};

/// Where a progress bar is drawn.
struct ProgressTerminal {
  bool usable =
      false;  ///< a terminal on which a line can be redrawn; otherwise `lines` are written
  bool colour = false;
  std::function<int()> width;  ///< in characters, asked at every drawing
  std::function<std::chrono::steady_clock::time_point()> now;
  std::function<void(std::string_view)> write;
  ProgressLines* lines = nullptr;  ///< null: where nothing can be redrawn nothing is written
};

/// Standard error of this process; no colour if NO_COLOR is set and not empty. Where no line can be
/// redrawn, on a pipe, one is written five seconds after the start of the command, then every ten.
ProgressTerminal stderr_terminal();

/// Bar that shows how much of a long work is done, never less than before, and about how long the
/// rest takes. Appears after one second, is drawn again at most ten times per second, and leaves no
/// trace. Safe to update from several threads.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label, ProgressTerminal terminal = stderr_terminal());
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  /// @param done share of the work, clamped to 0..1; NaN counts as 0.
  void update(double done);

  /// What the bar says from the next update on.
  void rename(std::string label);

  /// Removes the bar, so that other text can be written; the next update draws it again.
  void erase();

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  std::string line(int width, TimePoint now) const;
  std::string progress(TimePoint now) const;
  void write_line(TimePoint now);
  std::string wiping();

  std::string label_;
  ProgressTerminal terminal_;
  std::mutex mutex_;
  TimePoint start_;
  double done_ = 0;  ///< share of the work
  std::optional<TimePoint> drawn_at_;
  int drawn_width_ = 0;  ///< characters now on the line
};

/// Watches experiments for a user: remarks and bars on standard error, and a first Ctrl-C that ends
/// what is going on with its best result so far, and shortens all that follows. A second one ends
/// the command.
class Console : public Observer {
 public:
  void remark(const std::string& sentence) override;
  std::unique_ptr<Work> begin(const std::string& label) override;
  std::unique_ptr<StopRequest> listen() override;

  /// Searches while it listens, then finishes. Where the search has not ended soon after a Ctrl-C,
  /// or after it is late, another thread finishes with what is known by then, and the process ends
  /// with its exit code. @param is_late asked all the time; empty: never.
  int search_and_finish(const std::function<void()>& search, const std::function<int()>& finish,
                        const std::function<int()>& finish_early,
                        const std::function<bool()>& is_late = {});
};

/// The one of this command.
Console& console();

}  // namespace vtopo::detail
