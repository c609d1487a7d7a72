#include "sim/scenario/placed_json.hpp"

#include <catch2/catch.hpp>

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// `line:column kind text` of a value, places counted by hand in the texts below.
std::string told(const PlacedJson& value) {
  return fmt::format("{}:{} {} {}", value.line, value.column, in_words(value.kind), value.text);
}

}  // namespace

TEST_CASE("every JSON value knows where it starts") {
  const PlacedDocument document = parse_placed_json(
      "{\n"
      "  \"a\": -1.50e2, \"b\\\"\\\\\": \"x\\\\\\\"y\",\n"
      "\t\"c\" :[true,\n"
      "null, {\"d\": 7}]}\n",
      "f");
  const PlacedJson& root = document.root;
  REQUIRE(root.keys.size() == 3);
  CHECK(told(root) == "1:1 an object ");
  CHECK(told(root.items[0]) == "2:8 a number -1.50e2");
  CHECK(root.keys[1].name == "b\"\\");
  CHECK(root.keys[1].column == 17);
  CHECK(told(root.items[1]) == "2:26 a string x\\\"y");
  CHECK(root.keys[2].line == 3);
  CHECK(root.keys[2].column == 2);
  CHECK(told(root.items[2]) == "3:7 an array ");
  CHECK(told(root.items[2].items[0]) == "3:8 a boolean true");
  CHECK(told(root.items[2].items[1]) == "4:1 null null");
  const PlacedJson* number = root.items[2].items[2].find("d");
  REQUIRE(number != nullptr);
  CHECK(told(*number) == "4:13 a number 7");
  CHECK(root.find("e") == nullptr);
}

TEST_CASE("a JSON text may be one value alone") {
  CHECK(told(parse_placed_json("\"\"", "f").root) == "1:1 a string ");
  CHECK(told(parse_placed_json("12", "f").root) == "1:1 a number 12");
  CHECK(told(parse_placed_json(" 12\n", "f").root) == "1:2 a number 12");
}

TEST_CASE("what is no JSON is refused at its place") {
  const auto complaint = [](const std::string& text) {
    try {
      parse_placed_json(text, "f");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(complaint("{\"a\": 1,}") == "f:1:9: this is not what JSON allows here");
  CHECK(complaint("{\n\"a\": tru }").starts_with("f:2:"));
  CHECK(complaint("[1").find("ends too early") != std::string::npos);
  CHECK(complaint("").find("ends too early") != std::string::npos);
  CHECK(complaint("{\"a\": 1, \"a\": 2}").starts_with("f:1:10: key \"a\" for the second time"));
  CHECK(complaint(std::string(100000, '[')).starts_with("f:1:65: nested"));
  CHECK(complaint("\"\xff\"").starts_with("f:1:"));
}
