#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// Options and values in order; an option that was given several times becomes an array.
nlohmann::ordered_json scenario_object(
    const std::vector<std::pair<std::string, std::string>>& scenario);

/// Bytes per second; null: unlimited.
nlohmann::ordered_json json_of(BytesPerSecond bandwidth);

}  // namespace vtopo
