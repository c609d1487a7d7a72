#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "cli/output/console.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace std::chrono_literals;

namespace {

/// Terminal that keeps what is written and whose clock stands still until it is set.
struct FakeTerminal {
  std::chrono::steady_clock::time_point now{};
  std::string written;
  int width = 40;

  ProgressTerminal terminal(bool usable = true, bool colour = false) {
    return {usable, colour, [this] { return width; }, [this] { return now; },
            [this](std::string_view text) { written += text; }};
  }
};

/// What a terminal shows on one line after `written`: a carriage return goes back to the start.
std::string shown(const std::string& written) {
  std::string line;
  std::size_t column = 0;
  for (const char c : written) {
    if (c == '\r') {
      column = 0;
      continue;
    }
    if (column == line.size()) line += ' ';
    line[column++] = c;
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

TEST_CASE("Colour needs a terminal that is not dumb and no NO_COLOR") {
  // https://no-color.org: the variable counts when present and not an empty string.
  CHECK(may_colour(true, nullptr, "xterm-256color"));
  CHECK(may_colour(true, "", "xterm"));
  CHECK_FALSE(may_colour(true, "1", "xterm"));
  CHECK_FALSE(may_colour(true, nullptr, "dumb"));
  CHECK_FALSE(may_colour(true, nullptr, nullptr));
  CHECK_FALSE(may_colour(false, nullptr, "xterm"));
}

TEST_CASE("A progress bar appears after one second") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  fake.now += 999ms;
  bar.update(0.5);
  CHECK(fake.written.empty());
  fake.now += 1ms;
  bar.update(0.5);
  // 40 columns less one, less label, percentage (5) and 4 for blanks and brackets: 23 for the bar,
  // of which half is 11 whole characters.
  CHECK(shown(fake.written) == "mapping [###########............]  50 %");
}

TEST_CASE("A progress bar tells how long the work has taken if it should") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  bar.show_time();
  fake.now += 12900ms;
  bar.update(0.5);
  // Six characters less for the bar than without.
  CHECK(shown(fake.written) == "mapping [########.........]  50 %, 12 s");
}

TEST_CASE("A progress bar is drawn at most ten times per second") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  fake.now += 1s;
  bar.update(0.1);
  fake.now += 99ms;
  bar.update(0.2);
  CHECK(shown(fake.written).ends_with(" 10 %"));
  fake.now += 1ms;
  bar.update(0.3);
  CHECK(shown(fake.written).ends_with(" 30 %"));
}

TEST_CASE("A progress bar leaves no trace") {
  FakeTerminal fake;
  {
    ProgressBar bar("mapping", fake.terminal());
    fake.now += 1s;
    bar.update(0.9);
    bar.erase();
    CHECK(shown(fake.written).empty());
    fake.now += 1s;
    bar.update(1);
    CHECK(shown(fake.written).ends_with("100 %"));
  }
  CHECK(shown(fake.written).empty());
}

TEST_CASE("A progress bar stays within the width of the terminal") {
  FakeTerminal fake;
  ProgressBar bar("a label that is too long for this terminal", fake.terminal());
  for (const int width : {200, 60, 40, 6, 5, 0}) {
    fake.now += 1s;
    fake.width = width;
    fake.written.clear();
    bar.erase();
    fake.written.clear();
    bar.update(0.25);
    CHECK(shown(fake.written).size() < static_cast<std::size_t>(std::max(width, 1)));
    CHECK(shown(fake.written).empty() == (width <= 5));
  }
}

TEST_CASE("A progress bar takes any number") {
  FakeTerminal fake;
  ProgressBar bar("x", fake.terminal());
  for (const auto& [done, percent] : std::vector<std::pair<double, std::string>>{
           {-1, "  0 %"}, {2, "100 %"}, {std::nan(""), "  0 %"}, {0.999, " 99 %"}}) {
    fake.now += 1s;
    bar.update(done);
    CHECK(shown(fake.written).ends_with(percent));
  }
}

TEST_CASE("Without a terminal nothing is drawn, without colour no escape sequence") {
  FakeTerminal fake;
  for (const bool usable : {false, true}) {
    ProgressBar bar("mapping", fake.terminal(usable));
    fake.now += 2s;
    bar.update(0.5);
    CHECK(fake.written.empty() != usable);
  }
  CHECK(fake.written.find('\x1b') == std::string::npos);
  ProgressBar bar("mapping", fake.terminal(true, true));
  fake.now += 2s;
  bar.update(0.5);
  CHECK(fake.written.find('\x1b') != std::string::npos);
}
