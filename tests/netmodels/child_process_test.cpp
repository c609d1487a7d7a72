#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "netmodels/child_process.hpp"

using namespace vtopo;

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
  CHECK(child.end_in_words() == "ended with exit code 0");
}

TEST_CASE("The end of a child is told in words, with the last thing it said") {
  ChildProcess aborting([](Channel&) {
    std::fprintf(stderr, "first words\nlast words\n");
    std::abort();
  });
  CHECK(aborting.end_in_words() == "was ended by signal 6 (Aborted): last words");
  ChildProcess exiting([](Channel&) { _exit(7); });
  CHECK(exiting.end_in_words() == "ended with exit code 7");
  ChildProcess throwing([](Channel&) { throw std::runtime_error("thrown words"); });
  CHECK(throwing.end_in_words() == "ended with exit code 1: thrown words");
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
  CHECK(child.end_in_words() == "ended with exit code 3");
}
