#include <nlohmann/json.hpp>

#include "sim/scenario/placed_json.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

/// Number of values, and that each is inside the text.
std::size_t count(const PlacedJson& value, std::size_t bytes) {
  require(value.line >= 1 && value.column >= 1, "a value without a place");
  require(
      static_cast<std::size_t>(value.line) + static_cast<std::size_t>(value.column) <= bytes + 2,
      "a place behind the end");
  require(value.kind != PlacedJson::Kind::object || value.keys.size() == value.items.size(),
          "keys without values");
  std::size_t total = 1;
  for (const PlacedJson& item : value.items) total += count(item, bytes);
  return total;
}

/// What is read is JSON to the library, too.
void run_json(std::string_view input) {
  const std::string text(input);
  const PlacedDocument document = parse_placed_json(text, "file");
  require(nlohmann::json::accept(text), "no JSON");
  require(count(document.root, text.size()) <= text.size(), "more values than bytes");
}

}  // namespace

Target json() {
  return {"JSON with places", run_json, {}};
}

}  // namespace vtopo::fuzz::targets
