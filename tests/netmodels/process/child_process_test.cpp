#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "netmodels/process/child_process.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("A child sends values, vectors and text home") {
  ChildProcess child([](Channel& channel) {
    channel.send_value(42);
    channel.send_vector(std::vector<double>{1.5, 2.5});
    channel.send_text("done");
  });
  CHECK(child.channel().receive_value<int>() == 42);
  CHECK(child.channel().receive_vector<double>() == std::vector<double>{1.5, 2.5});
  CHECK(child.channel().receive_text() == "done");
  CHECK_FALSE(child.channel().receive_value<int>());
  CHECK(child.exit_description() == "ended with exit code 0");
}

TEST_CASE("The end of a child is described, with the last thing it said") {
  ChildProcess aborting([](Channel&) {
    std::fprintf(stderr, "first words\nlast words\n");
    std::abort();
  });
  CHECK(aborting.exit_description() == "was ended by signal 6 (Aborted): last words");
  CHECK(aborting.exit_description() == "was ended by signal 6 (Aborted): last words");
  ChildProcess exiting([](Channel&) { _exit(7); });
  CHECK(exiting.exit_description() == "ended with exit code 7");
  ChildProcess throwing([](Channel&) { throw std::runtime_error("thrown words"); });
  CHECK(throwing.exit_description() == "ended with exit code 1: thrown words");
}

TEST_CASE("A parent can send to a child and outlive it") {
  ChildProcess child([](Channel& channel) {
    while (const auto number = channel.receive_value<int>()) {
      if (*number < 0) _exit(3);
      channel.send_value(2 * *number);
    }
  });
  child.channel().send_value(21);
  CHECK(child.channel().receive_value<int>() == 42);
  child.channel().send_value(-1);
  CHECK_FALSE(child.channel().receive_value<int>());
  CHECK(child.exit_description() == "ended with exit code 3");
}

TEST_CASE("Frames of a backtrace are not a child's last words") {
  ChildProcess child([](Channel&) {
    std::fprintf(stderr, "what happened\n  ->  1# main in some/where\n\n");
    std::abort();
  });
  CHECK(child.exit_description() == "was ended by signal 6 (Aborted): what happened");
}

TEST_CASE("A busy child ends when its parent is gone") {
  // The parent of the busy child is itself a child, which is ended without warning.
  ChildProcess parent([](Channel& home) {
    ChildProcess busy([](Channel& channel) {
      channel.send_value(getpid());
      for (;;) pause();
    });
    home.send_value(*busy.channel().receive_value<pid_t>());
    std::abort();
  });
  const auto busy = parent.channel().receive_value<pid_t>();
  REQUIRE(busy);
  parent.exit_description();
  bool gone = false;
  for (int attempt = 0; attempt < 1000 && !gone; ++attempt) {
    std::ifstream status("/proc/" + std::to_string(*busy) + "/status");
    std::string text((std::istreambuf_iterator<char>(status)), {});
    gone = text.empty() || text.find("State:\tZ") != std::string::npos;
    if (!gone) usleep(10'000);
  }
  CHECK(gone);
}

TEST_CASE("A child that waits on its channel outlives the thread that started it") {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] {
    child = std::make_unique<ChildProcess>([](Channel& channel) {
      while (const auto number = channel.receive_value<int>()) channel.send_value(2 * *number);
    });
  }).join();
  child->channel().send_value(21);
  CHECK(child->channel().receive_value<int>() == 42);
}
