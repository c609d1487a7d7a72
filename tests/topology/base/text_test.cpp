#include "topology/base/text.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("An integer is the whole text or nothing") {
  CHECK(parse_integer("42") == 42);
  CHECK(parse_integer("-7") == -7);
  CHECK(parse_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "9223372036854775808", "p"})
    CHECK_FALSE(parse_integer(text));
}

TEST_CASE("A number is the whole text or nothing, and never NaN") {
  CHECK(parse_number("0.25") == 0.25);
  CHECK(parse_number("1e6") == 1e6);
  CHECK(parse_number("-3") == -3);
  CHECK(parse_number("inf") == std::numeric_limits<double>::infinity());
  CHECK(parse_number("+8") == 8);
  CHECK(parse_number("8.0D0") == 8);  // as Fortran writes numbers of double precision
  CHECK(parse_number("-0.25d+02") == -25);
  for (const char* text : {"", "nan", "-nan", "+-1", "++1", " 1", "1,5", "1e400", "0x10", "1B",
                           "1d2", "d.1", "1.D", "1.0D1D1"})
    CHECK_FALSE(parse_number(text));
}

TEST_CASE("Splitting keeps empty pieces, so that none goes unnoticed") {
  using Pieces = std::vector<std::string_view>;
  CHECK(split("8x8", 'x') == Pieces{"8", "8"});
  CHECK(split("", 'x') == Pieces{""});
  CHECK(split("x8x", 'x') == Pieces{"", "8", ""});
}

TEST_CASE("Trimming takes blanks, tabs and carriage returns from both ends only") {
  CHECK(trim(" \ta b\r") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \t\r").empty());
}

TEST_CASE("Joining puts the separator between words") {
  const std::vector<std::string> words{"a", "b", "c"};
  CHECK(join(words, ", ") == "a, b, c");
  CHECK(join({}, ", ").empty());
}

TEST_CASE("A slip gets the nearest candidate suggested, a different word gets none") {
  const std::vector<std::string> names{"greedy", "gray", "hilbert"};
  CHECK(nearest("gredy", names) == "greedy");     // one letter left out
  CHECK(nearest("hilbret", names) == "hilbert");  // two letters swapped: two replacements
  CHECK_FALSE(nearest("annealing", names));
  CHECK(suggestion("gredy", names) == "; did you mean \"greedy\"?");
  CHECK(suggestion("annealing", names).empty());
}

TEST_CASE("Among equally near candidates the first wins") {
  const std::vector<std::string> names{"fold", "gold"};
  CHECK(nearest("hold", names) == "fold");
}
