#include "cli/command/command_line.hpp"

#include <fmt/format.h>

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/clock/simgrid/run_ranks.hpp"

namespace vtopo::detail {

namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string version_text() {
  std::string text = fmt::format("vtopo {}\n", VTOPO_VERSION);
  const auto add = [&](std::string_view name, std::string_view version) {
    text += fmt::format("  {:<14} {}\n", name, version);
  };
  add("SimGrid", simgrid_version());
  add("Boost", VTOPO_BOOST_VERSION);
  add("CLI11", CLI11_VERSION);
  add("fmt",
      fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
  add("nlohmann json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                   NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
  add("pugixml", VTOPO_PUGIXML_VERSION);
  add("yaml-cpp", VTOPO_YAML_CPP_VERSION);
  const std::string_view scotch = VTOPO_SCOTCH_VERSION;
  add("Scotch", scotch.empty() ? "not built in" : scotch);
  add("compiler", compiler());
  add("build", VTOPO_BUILD_TYPE);
  text.pop_back();
  return text;
}

}  // namespace vtopo::detail
