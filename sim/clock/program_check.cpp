#include <fmt/format.h>

#include <algorithm>

#include "sim/clock/program_times.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

void MarkTimes::add(Seconds time) {
  first = std::min(first, time);
  last = std::max(last, time);
}

int num_marks(const Program& program) {
  int marks = 0;
  for (const auto& operations : program.ranks)
    for (const Operation& operation : operations)
      if (operation.kind == Operation::Kind::mark) marks = std::max(marks, operation.request + 1);
  return marks;
}

void check_program(const Program& program, const Network& network, const Embedding& embedding) {
  if (const auto reason = why_not_run(program)) throw InputError(*reason);
  if (embedding.num_ranks() != program.num_ranks())
    throw FitError(fmt::format("an embedding of {} ranks for a program of {}",
                               embedding.num_ranks(), program.num_ranks()));
  if (network.routed({}) != nullptr)
    throw UsageError(
        fmt::format("routing \"{}\" follows from a whole traffic, which a program has not at any "
                    "time; expected a rule that chooses the routes of each message",
                    to_string(network.routing())));
}

}  // namespace vtopo::detail
