#include <unistd.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "netmodels/process/memory_file.hpp"
#include "netmodels/process/subprocess.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

Executable shell(const std::string& script) {
  return {.words = {"/bin/sh", "-c", script}};
}

/// What a script writes to standard output.
std::string output_of(Executable program) {
  const MemoryFile output;
  program.output = output.descriptor();
  Subprocess(program).wait();
  return output.text();
}

}  // namespace

TEST_CASE("A forked function and a program end in the same words") {
  // 3 is what each asks for, 9 is SIGKILL; a shell reports 128 + 9.
  const auto check = [](Subprocess& three, Subprocess& killed) {
    CHECK(three.wait().description() == "ended with exit code 3");
    CHECK(three.wait().exit_code() == 3);
    CHECK(killed.wait().description() == "was ended by signal 9 (Killed)");
    CHECK(killed.wait().exit_code() == 137);
  };
  Subprocess function([] { _exit(3); }), killed_function([] { raise(SIGKILL); });
  check(function, killed_function);
  Subprocess program(shell("exit 3")), killed_program(shell("kill -KILL $$"));
  check(program, killed_program);
  CHECK(Subprocess(shell("")).wait().status == 0);
  CHECK(Subprocess([] {}).wait().status == 0);
}

TEST_CASE("What a forked function throws is on standard error and exit code 1") {
  const MemoryFile errors;
  Subprocess child([&] {
    dup2(errors.descriptor(), STDERR_FILENO);
    throw std::runtime_error("thrown words");
  });
  CHECK(child.wait().exit_code() == 1);
  CHECK(errors.text() == "thrown words\n");
}

TEST_CASE("A program has the streams and the environment that it is given, and no more") {
  const MemoryFile input("a line\n");
  lseek(input.descriptor(), 0, SEEK_SET);
  Executable program =
      shell("read line; echo \"$line, $VTOPO_A, ${VTOPO_B-unset}\"; echo lost >&2");
  program.input = input.descriptor();
  program.environment = {{"VTOPO_A", "a = b"}, {"VTOPO_B", std::nullopt}};
  setenv("VTOPO_A", "of this process", 1);
  setenv("VTOPO_B", "of this process", 1);
  CHECK(output_of(program) == "a line, a = b, unset\n");
  unsetenv("VTOPO_A");
  unsetenv("VTOPO_B");
  CHECK(output_of(shell("read line || echo nothing to read")) == "nothing to read\n");
}

TEST_CASE("A program inherits further descriptors only if asked to") {
  const int inherited = dup(STDERR_FILENO);
  Executable program =
      shell("test -e /proc/self/fd/" + std::to_string(inherited) + " && echo there");
  CHECK(output_of(program).empty());
  program.inherits_descriptors = true;
  CHECK(output_of(program) == "there\n");
  close(inherited);
}

TEST_CASE("A program starts with no signal blocked and none ignored that this command ignores") {
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_BLOCK, &every, &before);
  const auto pipes_before = std::signal(SIGPIPE, SIG_IGN);
  const std::string masks = output_of(shell("grep -E 'SigBlk|SigIgn' /proc/self/status"));
  std::signal(SIGPIPE, pipes_before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  CHECK(masks == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");  // proc(5)
}

TEST_CASE("A program that cannot be executed is an error with the reason") {
  CHECK_THROWS_WITH(Subprocess(Executable{.words = {"/no/such/program"}}),
                    "\"/no/such/program\" cannot be run: No such file or directory");
}

TEST_CASE("What a program leaves behind in its group ends with it") {
  // It waits for a file, so that it cannot be faster than the end that it is to be reached by.
  const std::string sign = tests::own_folder() + "/subprocess-sign", go = sign + "-go";
  std::filesystem::remove(sign);
  std::filesystem::remove(go);
  const std::string leaves =
      "(until [ -e '" + go + "' ]; do sleep 0.02; done; touch '" + sign + "') & ";
  Subprocess(shell(leaves + "exit 0")).wait();
  Subprocess killed(shell(leaves + "sleep 1000"));
  killed.signal(SIGKILL);
  killed.wait();
  { const Subprocess forgotten(shell(leaves + "sleep 1000")); }
  tests::write_file("subprocess-sign-go", "");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK_FALSE(std::filesystem::exists(sign));
}

TEST_CASE("A process can be asked for its end without waiting, and its use is measured") {
  Subprocess busy([] {
    std::string memory(std::size_t{32} << 20, 'x');
    const auto end = Subprocess::Clock::now() + std::chrono::milliseconds(60);
    while (Subprocess::Clock::now() < end) memory[0] ^= 1;
  });
  CHECK_FALSE(busy.has_ended());
  const ProcessEnd& end = busy.wait();
  CHECK(busy.has_ended());
  CHECK(end.wall.value >= 0.06);
  CHECK(end.cpu.value > 0);
  CHECK(end.peak.value >= 32.0 * 1048576);  // what the string takes
}

TEST_CASE("A program's limits are of its addresses and of its time") {
  Executable program = shell("ulimit -v");
  program.limits.memory = Bytes{1048576.0 * 1024};
  CHECK(output_of(program) == "1048576\n");  // sh counts in KiB
  const auto deadline_under = [](std::optional<Seconds> time) {
    Executable limited = shell("");
    limited.limits.time = time;
    return Subprocess(limited).deadline();
  };
  CHECK_FALSE(deadline_under(std::nullopt));
  CHECK_FALSE(deadline_under(Seconds{1e300}));
  const auto now = Subprocess::Clock::now();
  CHECK(*deadline_under(Seconds{60}) >= now + std::chrono::seconds(60));
  CHECK(*deadline_under(Seconds{60}) < now + std::chrono::seconds(120));
}

TEST_CASE("Last words are the last line that is more than a blank or a part of a backtrace") {
  CHECK(last_words("first\n  second \n\n").compare("second") == 0);
  CHECK(last_words("what happened\nBacktrace (displayed in process):\n  ->  1# main\n") ==
        "what happened");
  CHECK(last_words("Traceback (most recent call last):\n  File \"map.py\", line 1\n"
                   "ValueError: no host is left\n")
            .compare("ValueError: no host is left") == 0);  // of Python
  CHECK(last_words("").empty());
}

TEST_CASE("A file in memory gives its text, or the last whole lines of it") {
  const MemoryFile file("one\ntwo\nthree\n");
  CHECK(file.text() == "one\ntwo\nthree\n");
  CHECK(file.text(9) == "three\n");  // of "wo\nthree\n" the first line is not whole
  CHECK(MemoryFile().text().empty());
}
