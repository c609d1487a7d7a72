#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "netmodels/child_process.hpp"

using namespace vtopo;

TEST_CASE("A child sends values, vectors and text home") {
  ChildProcess child(EndsWith::thread, [](Channel& channel) {
    channel.send_value(42);
    channel.send_vector(std::vector<double>{1.5, 2.5});
    channel.send_text("done");
  });
  CHECK(child.channel().receive_value<int>() == 42);
  CHECK(child.channel().receive_vector<double>() == std::vector<double>{1.5, 2.5});
  CHECK(child.channel().receive_text() == "done");
  CHECK_FALSE(child.channel().receive_value<int>());
  CHECK(child.end_in_words() == "ended with exit code 0");
}

TEST_CASE("The end of a child is told in words, with the last thing it said") {
  ChildProcess aborting(EndsWith::thread, [](Channel&) {
    std::fprintf(stderr, "first words\nlast words\n");
    std::abort();
  });
  CHECK(aborting.end_in_words() == "was ended by signal 6 (Aborted): last words");
  CHECK(aborting.end_in_words() == "was ended by signal 6 (Aborted): last words");
  ChildProcess exiting(EndsWith::thread, [](Channel&) { _exit(7); });
  CHECK(exiting.end_in_words() == "ended with exit code 7");
  ChildProcess throwing(EndsWith::thread,
                        [](Channel&) { throw std::runtime_error("thrown words"); });
  CHECK(throwing.end_in_words() == "ended with exit code 1: thrown words");
}

TEST_CASE("A parent can send to a child and outlive it") {
  ChildProcess child(EndsWith::thread, [](Channel& channel) {
    while (const auto number = channel.receive_value<int>()) {
      if (*number < 0) _exit(3);
      channel.send_value(2 * *number);
    }
  });
  child.channel().send_value(21);
  CHECK(child.channel().receive_value<int>() == 42);
  child.channel().send_value(-1);
  CHECK_FALSE(child.channel().receive_value<int>());
  CHECK(child.end_in_words() == "ended with exit code 3");
}

TEST_CASE("Frames of a backtrace are not a child's last words") {
  ChildProcess child(EndsWith::thread, [](Channel&) {
    std::fprintf(stderr, "what happened\n  ->  1# main in some/where\n\n");
    std::abort();
  });
  CHECK(child.end_in_words() == "was ended by signal 6 (Aborted): what happened");
}

TEST_CASE("A child that waits on its channel outlives the thread that started it") {
  std::unique_ptr<ChildProcess> child;
  std::thread([&] {
    child = std::make_unique<ChildProcess>(EndsWith::channel, [](Channel& channel) {
      while (const auto number = channel.receive_value<int>()) channel.send_value(2 * *number);
    });
  }).join();
  child->channel().send_value(21);
  CHECK(child->channel().receive_value<int>() == 42);
}
