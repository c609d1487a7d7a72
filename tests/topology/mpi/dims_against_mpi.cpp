// Compares dims_create with answers of MPI libraries, for dims_against_mpi.sh:
//   dims_against_mpi calls                     prints calls as mpi_dims.c reads them
//   dims_against_mpi check RULE CALLS ANSWERS  prints what differs; exit code 1 if anything does
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "topology/base/random.hpp"
#include "topology/mpi/dims_create.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

void print_call(int num_ranks, const std::vector<int>& fixed) {
  fmt::print("{} {} {}\n", num_ranks, fixed.size(), fmt::join(fixed, " "));
}

/// Up to five dimensions with sizes of 1 to 5, at least one of them free, and a number of ranks
/// that their product divides.
void print_call_with_fixed_sizes(Random& random) {
  std::vector<int> fixed(1 + random.below(5));
  int product = 1;
  for (int& size : fixed) {
    size = static_cast<int>(random.below(6));
    product *= size > 0 ? size : 1;
  }
  fixed.push_back(0);
  print_call(product * static_cast<int>(1 + random.below(2000)), fixed);
}

/// Numbers of many small factors below 2^31-1 (which MPICH divides by zero), up to 20 dimensions.
void print_large_call(Random& random) {
  constexpr int primes[] = {2, 2, 2, 3, 3, 5, 7, 11, 13, 101, 1009, 46349};
  std::int64_t number = static_cast<std::int64_t>(1 + random.below(2000));
  for (;;) {
    const std::int64_t next = number * primes[random.below(std::size(primes))];
    if (next >= 2147483647) break;
    number = next;
  }
  print_call(static_cast<int>(number), std::vector<int>(1 + random.below(20)));
}

int print_calls() {
  for (std::size_t count = 1; count <= 6; ++count)
    for (int num_ranks = 1; num_ranks <= 2000; ++num_ranks)
      print_call(num_ranks, std::vector<int>(count));
  Random random(1);
  for (int i = 0; i < 3000; ++i) print_call_with_fixed_sizes(random);
  for (int i = 0; i < 1000; ++i) print_large_call(random);
  return 0;
}

/// Integers of a line.
std::vector<int> numbers(const std::string& line) {
  std::istringstream stream(line);
  std::vector<int> result;
  for (int number = 0; stream >> number;) result.push_back(number);
  return result;
}

int check(DimsRule rule, const std::string& calls_path, const std::string& answers_path) {
  std::ifstream calls(calls_path);
  std::ifstream answers(answers_path);
  int num_calls = 0;
  int differ = 0;
  std::string answer;
  for (std::string call; std::getline(calls, call); ++num_calls) {
    const auto values = numbers(call);
    const bool answered = static_cast<bool>(std::getline(answers, answer));
    const auto dims = dims_create(values[0], std::span(values).subspan(2), rule);
    if (answered && dims == numbers(answer)) continue;
    if (++differ <= 10)
      fmt::print("{}: the library says {}, rule {} says {}\n", call, answered ? answer : "nothing",
                 to_string(rule), fmt::join(dims, " "));
  }
  fmt::print("{} of {} calls agree\n", num_calls - differ, num_calls);
  return differ > 0 || num_calls == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments == std::vector<std::string>{"calls"}) return print_calls();
  if (arguments.size() == 4 && arguments[0] == "check")
    return check(parse_dims_rule(arguments[1]), arguments[2], arguments[3]);
  fmt::print(stderr, "dims_against_mpi calls | check RULE CALLS ANSWERS\n");
  return 2;
}
