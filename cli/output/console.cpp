#include "cli/output/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "cli/output/output.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

bool is_dumb(const char* term) {
  return term == nullptr || std::string_view(term) == "dumb";
}

constexpr auto delay = std::chrono::seconds(1);
constexpr auto delay_of_lines = std::chrono::seconds(5);
constexpr auto between_lines = std::chrono::seconds(10);
constexpr auto least_interval = std::chrono::milliseconds(100);
constexpr int widest_bar = 40;
constexpr int narrowest_bar = 5;

const auto command_start = std::chrono::steady_clock::now();

int stderr_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// Progress is a courtesy: what the terminal does not take is not repeated.
void write_stderr(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

extern "C" void note_interrupt(int /*signal*/) {
  interrupted.store(true, std::memory_order_relaxed);
}

/// While one lives the first SIGINT sets a flag instead of ending the command; a second one ends
/// it. The flag stays set. Made and destroyed by one thread.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Set by the signal.
  const std::atomic<bool>& flag() const;

 private:
  static inline int alive = 0;
  static inline struct sigaction before {};
};

Interrupt::Interrupt() {
  if (alive++ > 0) return;
  sigaction(SIGINT, nullptr, &before);
  if (interrupted) return;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() {
  if (--alive == 0) sigaction(SIGINT, &before, nullptr);
}

const std::atomic<bool>& Interrupt::flag() const {
  return interrupted;
}

/// What a search has after a Ctrl-C, and how often that is looked at.
constexpr auto time_to_end = std::chrono::milliseconds(1400);
constexpr auto between_looks = std::chrono::milliseconds(50);

std::atomic<bool> shows_no_bars = false;  ///< the search goes on, but its result is written already

class ShownWork : public Work {
 public:
  explicit ShownWork(const std::string& label) : bar_(label) {
    const std::lock_guard lock(mutex);
    shown.push_back(&bar_);
  }
  ShownWork(const ShownWork&) = delete;
  ShownWork& operator=(const ShownWork&) = delete;
  ~ShownWork() override {
    const std::lock_guard lock(mutex);
    shown.erase(std::find(shown.begin(), shown.end(), &bar_));
  }
  void update(double done) override { bar_.update(done); }
  void rename(const std::string& label) override { bar_.rename(label); }

  /// Shows the last work that was begun as it is: it may report nothing for long.
  static void refresh() {
    const std::lock_guard lock(mutex);
    if (!shown.empty()) shown.back()->update(0);
  }

 private:
  static inline std::mutex mutex;
  static inline std::vector<ProgressBar*> shown;

  ProgressBar bar_;
};

/// Shows what a search does while it goes on. Finishes for it and ends the process, unless it is
/// called off before the search has had its time after a Ctrl-C or after it is late.
class Overtime {
 public:
  Overtime(const std::function<int()>& finish, const std::function<bool()>& is_late)
      : finish_(finish), is_late_(is_late) {
    // Signals are for threads that do not hold what a handler needs.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watch_ = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  Overtime(const Overtime&) = delete;
  Overtime& operator=(const Overtime&) = delete;

  /// Does not return where it is too late.
  ~Overtime() {
    {
      const std::lock_guard lock(mutex_);
      called_off_ = true;
    }
    changed_.notify_one();
    watch_.join();
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!interrupted && !called_off_ && !(is_late_ && is_late_())) {
      changed_.wait_for(lock, between_looks);
      ShownWork::refresh();
    }
    if (changed_.wait_for(lock, time_to_end, [this] { return called_off_; })) return;
    lock.unlock();
    shows_no_bars = true;
    if (is_capable_terminal(STDERR_FILENO)) write_stderr("\r\x1b[K");
    int code = EXIT_FAILURE;
    try {
      code = finish_();
    } catch (const std::exception& error) {
      say(error.what());
    }
    std::fflush(nullptr);
    remove_temporary_files();
    _exit(code);
  }

  const std::function<int()>& finish_;
  const std::function<bool()>& is_late_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool called_off_ = false;
  std::thread watch_;
};

class KeyboardStop : public StopRequest {
 public:
  const std::atomic<bool>* flag() const override { return &interrupt_.flag(); }

 private:
  Interrupt interrupt_;
};

}  // namespace

bool may_colour(bool terminal, const char* no_color, const char* term) {
  const bool refused = no_color != nullptr && *no_color != '\0';
  return terminal && !refused && !is_dumb(term);
}

bool stdout_may_have_colour() {
  return may_colour(isatty(STDOUT_FILENO) == 1, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

bool is_capable_terminal(int descriptor) {
  return isatty(descriptor) == 1 && !is_dumb(std::getenv("TERM"));
}

ProgressTerminal stderr_terminal() {
  const bool usable = is_capable_terminal(STDERR_FILENO);
  static ProgressLines lines{command_start + delay_of_lines};
  return {usable,       may_colour(usable, std::getenv("NO_COLOR"), std::getenv("TERM")),
          stderr_width, std::chrono::steady_clock::now,
          write_stderr, &lines};
}

ProgressBar::ProgressBar(std::string label, ProgressTerminal terminal)
    : label_(std::move(label)), terminal_(std::move(terminal)), start_(terminal_.now()) {}

ProgressBar::~ProgressBar() {
  erase();
}

void ProgressBar::update(double done) {
  if (shows_no_bars) return;
  const std::lock_guard lock(mutex_);
  done_ = std::max(done_, done > 0 ? std::min(done, 1.0) : 0.0);
  const TimePoint now = terminal_.now();
  if (!terminal_.usable) return write_line(now);
  if (now - start_ < delay) return;
  if (drawn_at_ && now - *drawn_at_ < least_interval) return;
  drawn_at_ = now;
  const std::string text = line(terminal_.width(), now);
  // One write for both, or the line would flicker.
  const std::string wipe = wiping();
  drawn_width_ = narrow<int>(text_width(text));
  terminal_.write(wipe + (terminal_.colour ? "\x1b[36m" + text + "\x1b[0m" : text));
}

void ProgressBar::rename(std::string label) {
  const std::lock_guard lock(mutex_);
  label_ = std::move(label);
}

void ProgressBar::erase() {
  const std::lock_guard lock(mutex_);
  if (const std::string wipe = wiping(); !wipe.empty()) terminal_.write(wipe);
}

/// `42 %, about 17 s left`: as long for the rest as for what is done; without a time as long as
/// little is done.
std::string ProgressBar::progress(TimePoint now) const {
  constexpr double least_known = 0.02;
  const std::string percent = fmt::format("{:3.0f} %", std::floor(100 * done_));
  const double passed = std::chrono::duration<double>(now - start_).count();
  if (done_ < least_known || done_ >= 1 || now - start_ < delay) return percent;
  const double left = passed * (1 - done_) / done_;
  return left < 100 ? fmt::format("{}, about {:.0f} s left", percent, std::ceil(left))
                    : fmt::format("{}, about {:.0f} min left", percent, std::ceil(left / 60));
}

/// A line of its own, if one is due.
void ProgressBar::write_line(TimePoint now) {
  if (terminal_.lines == nullptr || now < terminal_.lines->next) return;
  terminal_.lines->next = now + between_lines;
  const std::string text = progress(now);
  terminal_.write(fmt::format("vtopo: {}: {}\n", label_, text.substr(text.find_first_not_of(' '))));
}

/// `label [####......]  42 %, about 17 s left`, one character less than the width, because some
/// terminals wrap after the last one. Without room for a bar what is done stands alone, without
/// room for the time the percentage, or nothing.
std::string ProgressBar::line(int width, TimePoint now) const {
  std::string percent = progress(now);
  if (width <= int_size(percent)) percent = fmt::format("{:3.0f} %", std::floor(100 * done_));
  const int bar =
      std::min(width - 1 - narrow<int>(text_width(label_)) - int_size(percent) - 4, widest_bar);
  if (bar < narrowest_bar) return width > int_size(percent) ? percent : "";
  const auto filled = static_cast<std::size_t>(done_ * bar);
  return fmt::format("{} [{}{}] {}", label_, std::string(filled, '#'),
                     std::string(static_cast<std::size_t>(bar) - filled, '.'), percent);
}

/// What wipes the line; blanks instead of an escape sequence, which every terminal understands.
std::string ProgressBar::wiping() {
  const auto width = static_cast<std::size_t>(std::exchange(drawn_width_, 0));
  return width == 0 ? "" : fmt::format("\r{}\r", std::string(width, ' '));
}

void Console::remark(const std::string& sentence) {
  say(sentence);
}

std::unique_ptr<Work> Console::begin(const std::string& label) {
  return std::make_unique<ShownWork>(label);
}

std::unique_ptr<StopRequest> Console::listen() {
  return std::make_unique<KeyboardStop>();
}

int Console::search_and_finish(const std::function<void()>& search,
                               const std::function<int()>& finish,
                               const std::function<int()>& finish_early,
                               const std::function<bool()>& is_late) {
  {
    const auto request = listen();
    const Overtime overtime(finish_early, is_late);
    search();
  }
  return finish();
}

Console& console() {
  static Console one;
  return one;
}

}  // namespace vtopo::detail
