#pragma once

#include <variant>

#include "sim/placement/formats/scenario_object.hpp"

namespace vtopo::detail {

/// Visitor of the value of a field; what is absent is null.
struct JsonValue {
  nlohmann::ordered_json operator()(std::monostate) const { return nullptr; }
  template <class Value>
  nlohmann::ordered_json operator()(const Value& value) const {
    return value;
  }
};

}  // namespace vtopo::detail
