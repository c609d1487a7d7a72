#include "sim/report/json_parts.hpp"

namespace vtopo::detail {

nlohmann::ordered_json scenario_object(
    const std::vector<std::pair<std::string, std::string>>& scenario) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [option, value] : scenario) {
    if (!object.contains(option)) {
      object[option] = value;
      continue;
    }
    auto& entry = object[option];
    if (!entry.is_array()) entry = nlohmann::ordered_json::array({entry});
    entry.push_back(value);
  }
  return object;
}

}  // namespace vtopo::detail
