#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vtopo::detail {

/// Options and values in order; an option that was given several times becomes an array.
nlohmann::ordered_json scenario_object(
    const std::vector<std::pair<std::string, std::string>>& scenario);

/// Visitor of the value of a field; what is absent is null.
struct JsonValue {
  nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
  template <class Value>
  nlohmann::ordered_json operator()(const Value& value) const {
    return value;
  }
};

}  // namespace vtopo::detail
