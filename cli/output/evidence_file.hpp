#pragma once

#include <cstddef>
#include <string>

namespace vtopo::detail {

/// Evidence above this size stands in a file of its own.
inline constexpr std::size_t max_evidence_in_report = std::size_t{1} << 20;

/// Name of the file of evidence beside a report: `result.evidence.json` of `result.json`.
std::string evidence_path(const std::string& report_path);

/// The member `evidence` of a report: the evidence itself, or `{"file": NAME, "sha256": ...}` after
/// writing that file.
/// @throws InputError as `write_output`.
std::string placed_evidence(const std::string& evidence, const std::string& report_path);

}  // namespace vtopo::detail
