#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A JSON value that knows where it stands, so that an error in what it says has a place.
struct PlacedJson {
  enum class Kind { null, boolean, number, string, array, object };

  /// Key of an object.
  struct Key {
    std::string name;
    int line = 0, column = 0;
  };

  Kind kind = Kind::null;
  std::string text;               ///< of a string; of a number or a boolean, as written
  std::vector<PlacedJson> items;  ///< of an array, or the values of an object
  std::vector<Key> keys = {};     ///< of an object, one per item
  int line = 0, column = 0;       ///< from 1; columns count bytes

  /// Value of a key of an object; null if there is none.
  const PlacedJson* find(std::string_view key) const;
};

/// `an object`, `a number`, ...
std::string_view in_words(PlacedJson::Kind kind);

/// A JSON file in memory.
struct PlacedDocument {
  std::string file;
  PlacedJson root;

  InputError error(const PlacedJson& value, std::string_view sentence) const;
  InputError error(const PlacedJson::Key& key, std::string_view sentence) const;
};

/// @throws InputError with file, line and column for what is not JSON, a key twice in one object
/// or is nested more than 64 deep, and for files that cannot be read.
PlacedDocument read_placed_json(const std::string& path);

/// The same for a text; `file` is what errors call it.
PlacedDocument parse_placed_json(const std::string& text, const std::string& file);

/// A JSON file, or the JSON report inside an HTML page that the command wrote (`.html`, `.htm`);
/// lines and columns are those of the file.
/// @throws InputError as `read_placed_json`, and for a page without a report.
PlacedDocument read_scenario_document(const std::string& path);

}  // namespace vtopo::detail
