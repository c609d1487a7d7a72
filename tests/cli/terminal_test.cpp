#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <thread>
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
  // 40 columns less one, less label, text (21) and 4 for blanks and brackets: 7 for the bar, of
  // which half is 3 whole characters.
  CHECK(shown(fake.written) == "mapping [###....]  50 %, about 1 s left");
}

TEST_CASE("A progress bar says about how long the rest takes") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  fake.width = 60;
  fake.now += 4200ms;
  bar.update(0.25);
  // Three times as long as the first quarter: 12.6 s, rounded up. The line has 59 columns less the
  // label, the text (22) and 4 for blanks and brackets: 26 for the bar.
  CHECK(shown(fake.written) == "mapping [######....................]  25 %, about 13 s left");
  fake.now += 1000s;
  bar.update(0.26);
  CHECK(shown(fake.written).ends_with(" 26 %, about 48 min left"));  // 1004.2 s * 74 / 26
}

TEST_CASE("A progress bar never goes back") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  fake.width = 100;
  for (const double done : {0.45, 0.7, 1.0, 0.95, 0.7}) {
    fake.now += 1s;
    bar.update(done);
  }
  CHECK(shown(fake.written).ends_with("100 %"));
}

TEST_CASE("Without a terminal progress is a line five seconds after the start, then every ten") {
  FakeTerminal fake;
  ProgressLines lines{fake.now + 5s};
  ProgressTerminal pipe = fake.terminal(false);
  pipe.lines = &lines;
  ProgressBar first("loading", pipe);
  fake.now += 4s;
  first.update(1);
  ProgressBar second("mapping", pipe);
  fake.now += 1s;
  second.update(0.01);
  CHECK(fake.written == "vtopo: mapping: 1 %\n");
  fake.written.clear();
  for (int second_of_work = 2; second_of_work <= 20; ++second_of_work) {
    fake.now += 1s;
    second.update(0.05 * second_of_work);
  }
  // After 11 s of this work 55 %, at the same rate 9 s are left.
  CHECK(fake.written == "vtopo: mapping: 55 %, about 9 s left\n");
}

TEST_CASE("A progress bar is drawn at most ten times per second") {
  FakeTerminal fake;
  ProgressBar bar("mapping", fake.terminal());
  fake.now += 1s;
  bar.update(0.1);
  fake.now += 99ms;
  bar.update(0.2);
  CHECK_THAT(shown(fake.written), Catch::Contains(" 10 %"));
  fake.now += 1ms;
  bar.update(0.3);
  CHECK_THAT(shown(fake.written), Catch::Contains(" 30 %"));
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
  for (const auto& [done, percent] : std::vector<std::pair<double, std::string>>{
           {-1, "  0 %"}, {2, "100 %"}, {std::nan(""), "  0 %"}, {0.999, " 99 %"}}) {
    FakeTerminal fake;
    ProgressBar bar("x", fake.terminal());
    fake.now += 1s;
    bar.update(done);
    CHECK_THAT(shown(fake.written), Catch::Contains(percent));
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

TEST_CASE("A search that is late is finished by what is known, whatever it does") {
  constexpr int known = 7;
  const pid_t child = fork();
  if (child == 0) {
    console().search_and_finish([] { std::this_thread::sleep_for(60s); }, [] { return 1; },
                                [] { return known; }, [] { return true; });
    _exit(1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == known);
}
