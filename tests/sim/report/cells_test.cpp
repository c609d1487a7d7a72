#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

#include "sim/report/csv_cells.hpp"
#include "sim/report/text_columns.hpp"
#include "topology/base/text.hpp"

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
  CHECK(text_table(columns) == "host\na?[31mb?\nc?\n");
}

TEST_CASE("Text counts in columns of a terminal") {
  CHECK(text_width("Träff") == 5);
  CHECK(text_width("計算") == 4);      // East Asian Wide characters take two
  CHECK(text_width("e\u0301") == 1);   // combined with the character before
  CHECK(text_width("\xff\xfe") == 2);  // not UTF-8: a column per byte
}

TEST_CASE("A table that is too wide breaks headings and text, then goes on in blocks") {
  const std::vector<TextColumn> columns{
      {"", "mapper", {"external:command=/opt/map", "block"}, Align::left},
      {"hop-bytes", "GiB", {"1.00", "2.00"}},
      {"hop-bytes", "vs block", {"-50 %", "-"}},
      {"busiest link", "ms", {"10.0", "20.0"}},
      {"busiest link", "vs block", {"-50 %", "-"}}};
  // By hand: 25 columns of text and twice two columns of numbers with two blanks between any two.
  CHECK(text_table(columns, {{64, false}}) ==
        "                           - hop-bytes --    busiest link\n"
        "mapper                      GiB  vs block    ms  vs block\n"
        "external:command=/opt/map  1.00     -50 %  10.0     -50 %\n"
        "block                      2.00         -  20.0         -\n");
  // Headings are broken at blanks: the text keeps its 26 columns of 52, and 13 of 40.
  CHECK(text_table(columns, {{52, false}}) ==
        "                             hop-bytes  busiest link\n"
        "                                    vs            vs\n"
        "mapper                      GiB  block     ms  block\n"
        "external:command=/opt/map  1.00  -50 %   10.0  -50 %\n"
        "block                      2.00      -   20.0      -\n");
  CHECK(text_table(columns, {{40, false}}) ==
        "                 hop-bytes  busiest link\n"
        "                        vs            vs\n"
        "mapper          GiB  block     ms  block\n"
        "external:      1.00  -50 %   10.0  -50 %\n"
        "command=/opt/\n"
        "map\n"
        "block          2.00      -   20.0      -\n");
  // In 28 columns each quantity has a block of its own, with the mappers.
  const std::string narrow = text_table(columns, {{28, false}});
  for (const std::string_view line : split(narrow, '\n')) CHECK(line.size() <= 28);
  CHECK(narrow.find("hop-bytes") < narrow.find("\n\n"));
  CHECK(narrow.find("busiest") > narrow.find("\n\n"));
  CHECK(narrow.find("20.0") != std::string::npos);
}

TEST_CASE("Sentences are broken at blanks, commands so that they can be pasted") {
  CHECK(folded("one two three four\nfive", 16) == "one two three\n  four\nfive");
  CHECK(folded("network      dragonfly:20,8;1,1;16,1;16", 30, 13) ==
        "network      dragonfly:20,8;1,\n             1;16,1;16");
  CHECK(key_line("routing", 12, "simgrid", 80) == "routing      simgrid\n");
  CHECK(folded_command("A=1 srun -n 64 './my program' --x", 20) ==
        "A=1 srun -n 64 \\\n  './my program' \\\n  --x");
}
