#include "sim/study/sweep_job.hpp"

#include <csignal>
#include <string_view>

namespace vtopo::detail {

namespace {

/// This program, whatever stands at its path by now.
Executable this_program(const std::vector<std::string>& arguments, const Limits& limits,
                        const MemoryFile& output, const MemoryFile& errors) {
  Executable program{.words = {"/proc/self/exe"},
                     .output = output.descriptor(),
                     .errors = errors.descriptor(),
                     .limits = limits};
  program.words.insert(program.words.end(), arguments.begin(), arguments.end());
  return program;
}

std::string last_sentence(const MemoryFile& errors) {
  constexpr std::string_view name = "vtopo: ";
  const std::string words = last_words(errors.text());
  return words.starts_with(name) ? words.substr(name.size()) : words;
}

}  // namespace

SweepJob::SweepJob(const std::vector<std::string>& arguments, const Limits& limits)
    : process_(this_program(arguments, limits, output_, errors_)) {}

std::optional<JobEnd> SweepJob::poll() {
  const auto& deadline = process_.deadline();
  if (deadline && Subprocess::Clock::now() > *deadline && !too_long_) {
    too_long_ = true;
    process_.signal(SIGKILL);
  }
  if (!process_.has_ended()) return std::nullopt;
  return JobEnd{process_.wait(), too_long_, output_.text(), last_sentence(errors_)};
}

}  // namespace vtopo::detail
