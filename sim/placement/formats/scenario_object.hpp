#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vtopo::detail {

/// Options and values in order; an option that was given several times becomes an array.
inline nlohmann::ordered_json scenario_object(
    const std::vector<std::pair<std::string, std::string>>& scenario) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [option, value] : scenario) {
    auto& entry = object[option];
    if (entry.is_null()) {
      entry = value;
    } else {
      if (!entry.is_array()) entry = nlohmann::ordered_json::array({entry});
      entry.push_back(value);
    }
  }
  return object;
}

}  // namespace vtopo::detail
