#include "cli/output/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cli/output/output.hpp"
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

/// While it lives the first SIGINT sets a flag instead of ending the command; a second one ends it.
/// One at a time.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Set by the signal.
  const std::atomic<bool>& flag() const;

 private:
  struct sigaction before_ {};
};

Interrupt::Interrupt() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& Interrupt::flag() const {
  return interrupted;
}

class ShownWork : public Work {
 public:
  explicit ShownWork(const std::string& label) : bar_(label) {}
  void update(double done) override { bar_.update(done); }
  void rename(const std::string& label) override { bar_.rename(label); }

 private:
  ProgressBar bar_;
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

std::unique_ptr<Work> Console::begin(const std::string& label, bool /*timed*/) {
  return std::make_unique<ShownWork>(label);
}

std::unique_ptr<StopRequest> Console::listen() {
  return std::make_unique<KeyboardStop>();
}

Console& console() {
  static Console one;
  return one;
}

}  // namespace vtopo::detail
