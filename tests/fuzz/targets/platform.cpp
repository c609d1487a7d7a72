#include "netmodels/network_spec.hpp"
#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform_file.hpp"
#include "tests/fuzz/target.hpp"

namespace vtopo::fuzz::targets {

using namespace vtopo::detail;

namespace {

void check_clusters(const PlatformFile& file, pugi::xml_node element) {
  for (const auto child : element.children()) {
    const std::string_view name = child.name();
    if (name == "cluster" || name == "cabinet") check_cluster_for_simgrid(file, child);
    check_clusters(file, child);
  }
}

/// All that is done before SimGrid sees the file, as `load_platform` does it.
void read_as_loader(const std::string& path) {
  const PlatformFile file = read_platform_file(path);
  const Declaration declared = read_declaration(file);
  if (declared_network(file, declared, {}, declared.machine.interfaces)) return;
  if (const auto cluster = closed_form_cluster(file))
    make_network(cluster->spec, cluster->defaults);
  check_clusters(file, file.document.child("platform"));
}

/// A file that lint finds no error in passes the checks of the loader.
void run_platform(std::string_view input) {
  const MemoryFile file(input);
  const LintReport report = lint_platform(file.path());
  const bool is_good = report.count(LintSeverity::error) == 0;
  try {
    read_as_loader(file.path());
  } catch (const Error& error) {
    require(!is_good, std::string("lint found no error, but the loader: ") + error.what());
    throw;
  }
}

}  // namespace

Target platform() {
  return {"platform files: lint, and the loader up to SimGrid", run_platform, {}};
}

}  // namespace vtopo::fuzz::targets
