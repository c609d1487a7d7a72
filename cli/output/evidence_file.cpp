#include "cli/output/evidence_file.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/output/output.hpp"
#include "cli/output/sha256.hpp"

namespace vtopo::detail {

std::string evidence_path(const std::string& report_path) {
  return std::filesystem::path(report_path).replace_extension(".evidence.json").string();
}

std::string placed_evidence(const std::string& evidence, const std::string& report_path) {
  if (evidence.size() <= max_evidence_in_report) return evidence;
  const std::string path = evidence_path(report_path);
  write_output(path, evidence);
  const nlohmann::json reference{{"file", std::filesystem::path(path).filename().string()},
                                 {"sha256", sha256(evidence)}};
  return reference.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace vtopo::detail
