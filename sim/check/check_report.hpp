#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace vtopo::detail {

/// What became of the figures of a report.
struct CheckResult {
  std::optional<std::string> wrong;   ///< sentence on the first wrong figure; empty: none is
  std::vector<std::string> verified;  ///< what was recomputed and agrees
  std::vector<std::string> open;      ///< what could not be verified, with the reason
};

/// Recomputes the figures of a report from its evidence alone. Independent of what makes reports:
/// nothing here uses networks, metrics, bounds or solvers of this project.
/// @param evidence member of the report, or what the file that it names holds.
/// @throws InputError for JSON that is not a report with all of its evidence.
CheckResult check_report(const nlohmann::json& report, const nlohmann::json& evidence);

/// Whether each rank of an embedding (`vtopo/embedding/v1`) is there once, on a slot of its own.
/// @throws InputError for JSON that is not one.
CheckResult check_embedding(const nlohmann::json& embedding);

}  // namespace vtopo::detail
