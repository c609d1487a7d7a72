#include "netmodels/platform/lint/lint.hpp"

#include <algorithm>
#include <tuple>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/source.hpp"

namespace vtopo::detail {

namespace lint {

namespace {

/// What SimGrid has to build is checked where the file is not taken as a closed form.
void check_clusters_for_simgrid(Findings& findings, pugi::xml_node parent, int nesting) {
  if (nesting > deepest_nesting) return;
  for (const auto child : parent.children()) {
    const std::string_view name = child.name();
    if ((name == "cluster" || name == "cabinet") && !findings.has_error(child)) try {
        check_cluster_for_simgrid(findings.file(), child);
      } catch (const InputError& error) {
        findings.add("refused-by-vtopo", child, "", error.what(), "what the sentence says");
      }
    check_clusters_for_simgrid(findings, child, nesting + 1);
  }
}

/// The properties `vtopo-...` of the top zone; the error names the place of the one at fault.
void check_declared_network(Findings& findings, pugi::xml_node platform) {
  try {
    declared_endpoint(findings.file());
    declared_network(findings.file());
  } catch (const InputError& error) {
    constexpr std::size_t longest = 500;
    const std::string_view sentence = error.what();
    for (const auto zone : platform.children())
      for (const auto property : zone.children("prop")) {
        const std::string place = to_string(findings.file().position(property)) + ": ";
        if (sentence.starts_with(place))
          return findings.add("refused-by-vtopo", property, "",
                              sentence.size() > longest
                                  ? "no network has this description"
                                  : std::string(sentence.substr(place.size())),
                              "what the sentence says is accepted");
      }
  }
}

}  // namespace

void check_as_loader(Findings& findings, pugi::xml_node platform) {
  check_platform_elements(findings.file(),
                          [&findings](pugi::xml_node element, std::string_view sentence) {
                            if (!findings.has_error(element))
                              findings.add("refused-by-vtopo", element, "", std::string(sentence),
                                           "what the sentence says is accepted");
                          });
  check_clusters_for_simgrid(findings, platform, 0);
  check_declared_network(findings, platform);
}

}  // namespace lint

namespace {

bool has_element(const PlatformFile& file) {
  const auto nodes = file.document.children();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](pugi::xml_node node) { return node.type() == pugi::node_element; });
}

/// Of a file without any element: what it looks like, and who reads it.
void check_other_file(lint::Findings& findings) {
  std::string sentence = "the file has no element: no SimGrid platform";
  std::string instead = "<platform version=\"4.1\">";
  const MachineFormat format = machine_format_of(findings.file().path);
  if (format != MachineFormat::simgrid) {
    sentence = fmt::format("the file looks like {} and is not a SimGrid platform",
                           format == MachineFormat::slurm_conf   ? "Slurm's topology.conf"
                           : format == MachineFormat::slurm_yaml ? "Slurm's topology.yaml"
                                                                 : "what ibnetdiscover prints");
    instead = "--platform FILE of other verbs, or vtopo platform describe FILE, which read it";
  }
  findings.add_at("not-a-platform", 0, "", std::move(sentence), std::move(instead));
}

}  // namespace

LintReport lint_platform(const std::string& path) {
  LintReport report{path, {}};
  PlatformFile file{path, {}, {}};
  if (lint::read_source(file, report)) {
    lint::Findings findings(file, report);
    if (!has_element(file)) {
      check_other_file(findings);
      return report;
    }
    lint::check_prolog(findings);
    if (const auto platform = lint::check_root(findings)) {
      lint::check_structure(findings, platform);
      lint::check_routes(findings, platform);
      lint::check_as_loader(findings, platform);
    }
  }
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const LintFinding& a, const LintFinding& b) {
                     return std::tie(a.position.line, a.position.column, a.rule) <
                            std::tie(b.position.line, b.position.column, b.rule);
                   });
  return report;
}

}  // namespace vtopo::detail
