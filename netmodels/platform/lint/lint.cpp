#include "netmodels/platform/lint/lint.hpp"

#include <algorithm>
#include <tuple>

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

LintReport lint_platform(const std::string& path) {
  LintReport report{path, {}};
  PlatformFile file{path, {}, {}};
  if (lint::read_source(file, report)) {
    lint::Findings findings(file, report);
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
