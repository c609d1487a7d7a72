#include "cli/verbs/platform/plain_file.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <system_error>

#include "topology/base/error.hpp"

namespace vtopo::detail {

void use_plain_file(Scenario& scenario, const std::string& file) {
  if (file.empty()) return;
  const bool network = !scenario.network.empty();
  if (network || !scenario.platform.empty())
    throw UsageError(fmt::format("the interconnect is given twice: \"{}\" and --{} {}", file,
                                 network ? "network" : "platform",
                                 network ? scenario.network : scenario.platform));
  std::error_code ignored;
  if (file.find(':') != std::string::npos && !std::filesystem::exists(file, ignored))
    throw UsageError(fmt::format("there is no file \"{0}\": did you mean --network {0}?", file));
  scenario.platform = file;
}

}  // namespace vtopo::detail
