#pragma once

#include <string>

#include "sim/run/placed_json.hpp"

namespace vtopo::detail {

/// A JSON file, or the JSON report inside an HTML page that the command wrote (`.html`, `.htm`);
/// lines and columns are those of the file.
/// @throws InputError as `read_placed_json`, and for a page without a report.
PlacedDocument read_scenario_document(const std::string& path);

}  // namespace vtopo::detail
