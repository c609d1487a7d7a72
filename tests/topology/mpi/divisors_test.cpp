#include "topology/mpi/divisors.hpp"

#include <catch2/catch.hpp>

#include "tests/topology/mpi/dims_oracle.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Prime factors come in increasing order with their multiplicity") {
  CHECK(prime_factors(1).empty());
  CHECK(prime_factors(360) == std::vector{2, 2, 2, 3, 3, 5});
  CHECK(prime_factors(2147483647) == std::vector{2147483647});
  CHECK(prime_factors(46337 * 46337) == std::vector{46337, 46337});
}

TEST_CASE("Divisors come in increasing order") {
  for (int number = 1; number <= 500; ++number) {
    std::vector<int> expected;
    for (int i = 1; i <= number; ++i)
      if (number % i == 0) expected.push_back(i);
    if (divisors(number) != expected) FAIL_CHECK(number);
  }
  // 2^4 * 3^4 * 5 * 7 * 11 * 13 * 17 * 19 has 5 * 5 * 2^6 divisors: by hand.
  CHECK(divisors(2095133040).size() == 1600);
}

TEST_CASE("Products of bounded factors exist exactly where brute force finds them") {
  for (const int number : {1, 2, 13, 36, 60, 64, 96, 105})
    for (int count = 1; count <= 4; ++count) {
      DivisorProducts products(number, count);
      for (int low = 1; low <= 9; ++low)
        for (int high = low; high <= number; ++high) {
          bool found = false;
          for_each_product(number, count, [&](const std::vector<int>& factors) {
            const auto [least, most] = std::minmax_element(factors.begin(), factors.end());
            found = found || (*least >= low && *most <= high);
          });
          if (products.exists(number, count, low, high) != found)
            FAIL_CHECK(number << " of " << count << " in " << low << ".." << high);
        }
    }
}
