#pragma once

#include <nlohmann/json.hpp>

#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Bytes per second; null: unlimited.
nlohmann::ordered_json json_of(BytesPerSecond bandwidth);

}  // namespace vtopo::detail
