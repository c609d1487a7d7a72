#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("A CSV cell that a spreadsheet would run as a formula begins with a quote") {
  CHECK(csv_text("=1+1") == "'=1+1");
  CHECK(csv_text("@sum(a,b)") == "\"'@sum(a,b)\"");
  CHECK(csv_text("-host") == "'-host");
  CHECK(csv_text("-1.5e3") == "-1.5e3");
  CHECK(csv_text("-") == "-");
  CHECK(csv_text("a=b") == "a=b");
}

TEST_CASE("A table shows no control characters of names") {
  const std::array columns{TextColumn{"", "host", {"a\x1b[31mb\n", "c\x7f"}, Align::left}};
  CHECK(lay_out(columns) == std::vector<std::string>{"host", "a?[31mb?", "c?"});
}
