#include "topology/base/line_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"

#include "tests/support/folders.hpp"
#include "tests/topology/data.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;
using tests::TemporaryFile;

namespace {

std::string open_error(const std::string& path) {
  return message_of<InputError>([&] { LineFile file(path); });
}

}  // namespace

TEST_CASE("Lines come without CRLF and byte order mark, the last one also without line end") {
  const TemporaryFile text("crlf",
                           "\xEF\xBB\xBF"
                           "a,b\r\n\r\nlast");
  LineFile file(text.path());
  REQUIRE(file.next());
  CHECK(file.line() == "a,b");
  CHECK(file.has_line_end());
  REQUIRE(file.next());
  CHECK(file.line().empty());
  REQUIRE(file.next());
  CHECK(file.line() == "last");
  CHECK_FALSE(file.has_line_end());
  CHECK(to_string(file.line_end()) == text.path() + ":3:5");
  CHECK_FALSE(file.next());
}

TEST_CASE("Content skips blank lines and comments, and cuts comments off") {
  const TemporaryFile text("content", "# first\n \t\n a b # c\n#\n");
  LineFile file(text.path());
  REQUIRE(file.next_content());
  CHECK(file.line() == " a b");
  CHECK(to_string(file.at(2)) == text.path() + ":3:2");
  CHECK_FALSE(file.next_content());
}

TEST_CASE("Fields keep empty pieces and know their columns") {
  const TemporaryFile text("fields", "a, bc ,,d\n");
  LineFile file(text.path());
  REQUIRE(file.next());
  const auto fields = file.fields(',');
  REQUIRE(fields.size() == 4);
  CHECK(fields[1].text == "bc");
  CHECK(fields[1].column == 4);  // behind "a, "
  CHECK(fields[2].text.empty());
  CHECK(fields[2].column == 8);  // between the two commas
  CHECK(fields[3].column == 9);
}

TEST_CASE("Words stand between blanks and tabs and know their columns") {
  const TemporaryFile text("words", "  one\ttwo  \n \n");
  LineFile file(text.path());
  REQUIRE(file.next());
  REQUIRE(file.words().size() == 2);
  CHECK(file.words()[0].column == 3);
  CHECK(file.words()[1].text == "two");
  CHECK(file.words()[1].column == 7);
  CHECK(file.words(6).size() == 1);
  REQUIRE(file.next());
  CHECK(file.words().empty());
}

TEST_CASE("Lines longer than a read are put together") {
  // Lines of 100,000 and 70,000 bytes; a read takes 65,536.
  const TemporaryFile text("chunks", std::string(100000, 'x') + "\n" + std::string(70000, 'y'));
  LineFile file(text.path());
  REQUIRE(file.next());
  CHECK(file.line() == std::string(100000, 'x'));
  REQUIRE(file.next());
  CHECK(file.line() == std::string(70000, 'y'));
  CHECK_FALSE(file.next());
}

TEST_CASE("What is no readable regular file is refused with one sentence") {
  CHECK(open_error("/no/such/file") == "/no/such/file: no such file");
  CHECK(open_error("") == ": no such file");
  const std::string folder = tests::source_path("tests");
  CHECK(open_error(folder) == folder + ": is a folder where a file is needed");
  CHECK(open_error("/dev/null") == "/dev/null: is not a regular file; accepted are files on disk");
  CHECK_THAT(open_error("/" + std::string(5000, 'x')), Catch::Contains("cannot be read: "));
}

TEST_CASE("A file above the size cap is refused before it is read") {
  const TemporaryFile text("huge", "");
  std::filesystem::resize_file(text.path(), 2147483648U);  // one byte too many, no block on disk
  CHECK(open_error(text.path()) ==
        text.path() + ": has 2147483648 bytes; accepted are files of up to 2147483647 bytes");
}

TEST_CASE("A line above the length cap is refused, with and without line end") {
  const std::string line(LineFile::max_line_bytes + 1, 'x');
  for (const std::string end : {"", "\n"}) {
    const TemporaryFile text("long-line", "short\n" + line + end);
    LineFile file(text.path());
    REQUIRE(file.next());
    CHECK(message_of<InputError>([&] { file.next(); }) ==
          text.path() + ":2: line of more than 16777216 bytes");
  }
}

TEST_CASE("A NUL byte is refused with its place") {
  LineFile file(data("nul-byte.csv"));
  REQUIRE(file.next());
  REQUIRE(file.next());
  CHECK(message_of<InputError>([&] { file.next(); }) ==
        data("nul-byte.csv") + ":3:3: NUL byte where text is needed: a binary file?");
}
