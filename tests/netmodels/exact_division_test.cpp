#include "topology/base/exact_division.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using vtopo::detail::ExactDivision;

// The oracle is the processor's own division.

TEST_CASE("Division by multiplication is exact at every border of a quotient") {
  constexpr int largest = 2147483647;
  std::vector<int> divisors{1,     2,     3,          5,          7,          641,        65535,
                            65536, 65537, 1073741823, 1073741824, 1073741825, 2147483646, largest};
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i)
    divisors.push_back(static_cast<int>(random() >> (1 + random() % 31)) + 1);
  for (const int divisor : divisors) {
    const ExactDivision division(divisor);
    const int quotients = largest / divisor;
    std::vector<int> numbers{0, 1, divisor - 1, largest - 1, largest};
    for (int i = 0; i < 100; ++i) {
      const int quotient = static_cast<int>(random() % (static_cast<unsigned>(quotients) + 1));
      numbers.push_back(quotient * divisor);
      numbers.push_back(quotient == 0 ? 0 : quotient * divisor - 1);
    }
    bool exact = true;
    for (const int n : numbers)
      exact = exact && division.quotient(n) == n / divisor && division.remainder(n) == n % divisor;
    INFO("divisor " << divisor);
    CHECK(exact);
  }
}
