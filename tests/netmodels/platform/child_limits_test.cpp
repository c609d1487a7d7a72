#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "netmodels/platform/platform.hpp"
#include "netmodels/process/child_process.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Bytes mebibyte{1048576};

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
/// The address sanitizer ends a process that gets no memory in its own way.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool memory_end_is_described = false;
#else
constexpr bool memory_end_is_described = true;
#endif

/// Writes to that much new memory.
void take(std::size_t bytes) {
  const std::vector<char> memory(bytes, 1);
  if (memory.back() != 1) std::abort();
}

/// Wait status of a process that runs `body`.
template <class Body>
int status_after(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("A child that takes longer than its limit is ended") {
  ChildProcess child(
      [](Channel&) {
        for (;;) pause();
      },
      {Seconds{0.02}, {}});
  CHECK(child.exit_description() == "takes more than 20 ms, its time limit");
  CHECK(child.limit_hit() == LimitHit::time);
}

TEST_CASE("A child that asks for more memory than its limit is ended") {
  ChildProcess child([](Channel&) { take(std::size_t{64} << 20); }, {{}, mebibyte * 8});
  if (!memory_end_is_described) return;
  CHECK(child.limit_hit() == LimitHit::memory);
  CHECK(child.exit_description() == "needs more memory than 8 MiB, its memory limit");
}

TEST_CASE("A child within its limits ends as it likes") {
  for (const Limits& limits : {Limits{}, Limits{Seconds{3600}, mebibyte * 1024, true},
                               Limits{Seconds{infinite}, Bytes{infinite}, true}}) {
    ChildProcess child([](Channel&) { take(std::size_t{4} << 20); }, limits);
    CHECK(child.exit_description() == "ended with exit code 0");
    CHECK(child.limit_hit() == LimitHit::none);
  }
}

TEST_CASE("Another end of a child names the limit of memory that was asked for") {
  const auto end_under = [](bool usual) {
    ChildProcess child([](Channel&) { _exit(7); }, {{}, mebibyte * 1024, usual});
    CHECK(child.limit_hit() == LimitHit::none);
    return child.exit_description();
  };
  CHECK(end_under(false) == "ended with exit code 7 (its memory limit is 1 GiB)");
  CHECK(end_under(true) == "ended with exit code 7");
}

TEST_CASE("The limit of time starts anew when a child says so") {
  ChildProcess lives(
      [](Channel&) {
        limit_time_from_now(Seconds{0.2});
        limit_time_from_now({});
        usleep(300'000);
      },
      {Seconds{3600}, {}});
  CHECK(lives.exit_description() == "ended with exit code 0");
  ChildProcess ends(
      [](Channel&) {
        limit_time_from_now(Seconds{0.02});
        for (;;) pause();
      },
      {Seconds{3600}, {}});
  CHECK(ends.exit_description() ==
        "takes more than 3600 s, its time limit");  // the one it was given
}

TEST_CASE("A child of a limited process has no more memory than that") {
  // The limit of the process in between holds for its child, whatever that child is allowed.
  ChildProcess between(
      [](Channel& home) {
        ChildProcess inner([](Channel&) { take(std::size_t{256} << 20); }, {{}, mebibyte * 4096});
        inner.exit_description();
        home.send_value(inner.limit_hit() == LimitHit::memory);
      },
      {{}, mebibyte * 96});
  const auto over_limit = between.channel().receive_value<bool>();
  if (memory_end_is_described) CHECK(over_limit == true);
}

TEST_CASE("Exit codes and signals are not taken for limits") {
  const auto end_of = [](const std::function<void()>& body) {
    ChildProcess child([&](Channel&) { body(); }, {Seconds{3600}, mebibyte * 1024, true});
    CHECK(child.limit_hit() == LimitHit::none);
    return child.exit_description();
  };
  for (const int code : {1, 111, 124})
    CHECK(end_of([&] { _exit(code); }) == fmt::format("ended with exit code {}", code));
  CHECK(end_of([] { raise(SIGALRM); }) == "was ended by signal 14 (Alarm clock)");
  if (memory_end_is_described)
    CHECK(end_of([] { std::abort(); }) == "was ended by signal 6 (Aborted)");
}

TEST_CASE("An abort for want of memory is one of the limit") {
  // SimGrid aborts when malloc fails; here it fails under the limit, and not without.
  const auto abort_under = [](Bytes max) {
    ChildProcess child([](Channel&) { std::abort(); }, {{}, max});
    return child.limit_hit() == LimitHit::memory;
  };
  if (memory_end_is_described) CHECK(abort_under(mebibyte));
  CHECK_FALSE(abort_under(mebibyte * 4096));
}

TEST_CASE("A blocked or handled alarm does not lift the limit of time") {
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_BLOCK, &every, &before);
  ChildProcess child(
      [](Channel&) {
        std::signal(SIGALRM, SIG_IGN);
        alarm(0);
        for (;;) pause();
      },
      {Seconds{0.02}, {}});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(child.exit_description() == "takes more than 20 ms, its time limit");
}

TEST_CASE("A child learns that a limit has ended its own child") {
  ChildProcess child(
      [](Channel& home) {
        status_after([] { _exit(1); });
        home.send_value(limit_was_hit());
        status_after([] {
          limit_time_from_now(Seconds{0.02});
          for (;;) pause();
        });
        home.send_value(limit_was_hit());
        _exit(1);
      },
      {Seconds{3600}, {}});
  CHECK(child.channel().receive_value<bool>() == false);
  CHECK(child.channel().receive_value<bool>() == true);
  CHECK(child.exit_description() == "takes more than 3600 s, its time limit");
}

TEST_CASE("Limits that no integer holds limit nothing") {
  for (const double max : {9e18, 1e24, infinite}) {
    ChildProcess child([](Channel&) { take(std::size_t{4} << 20); },
                       {Seconds{max}, Bytes{max}, true});
    CHECK(child.exit_description() == "ended with exit code 0");
    ChildProcess absolute([max](Channel&) {
      limit_addresses(Bytes{max});
      take(std::size_t{4} << 20);
    });
    CHECK(absolute.exit_description() == "ended with exit code 0");
  }
}

TEST_CASE("Limits that are not given are the usual ones") {
  const Limits usual = or_usual({}, Seconds{5}, mebibyte);
  CHECK(usual.time == Seconds{5});
  CHECK(usual.memory_is_usual);
  CHECK(usual.memory->value > mebibyte.value);
  const Limits given = or_usual({Seconds{2}, mebibyte}, Seconds{5}, mebibyte);
  CHECK(given.time == Seconds{2});
  CHECK(*given.memory == mebibyte);
  CHECK_FALSE(given.memory_is_usual);
}

TEST_CASE("SimGrid loads platforms and searches routes within limits") {
  const std::string path = tests::source_path("tests/netmodels/platform/platforms/nested.xml");
  PlatformOptions options;
  options.limits = {Seconds{0.000001}, {}};
  CHECK_THROWS_WITH(load_platform(path, options),
                    path +
                        ": the process in which SimGrid loads this platform takes more than 1 "
                        "us, its time limit");
  options.limits = {Seconds{60}, Bytes{4e9}};
  const auto network = load_platform(path, options);
  CHECK(network->hops(HostId{0}, HostId{1}) > 0);
}
