#include "netmodels/platform/lint/lint.hpp"

#include <algorithm>
#include <tuple>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/platform/lint/checks.hpp"
#include "netmodels/platform/lint/look_alikes.hpp"
#include "netmodels/platform/lint/source.hpp"

namespace vtopo::detail {

namespace lint {

namespace {

constexpr std::size_t max_findings = 10000;

const LintRule& rule_named(std::string_view name) {
  const auto rules = lint_rules();
  return *std::lower_bound(rules.begin(), rules.end(), name,
                           [](const LintRule& rule, std::string_view n) { return rule.name < n; });
}

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
    const Declaration declared = read_declaration(findings.file());
    declared_network(findings.file(), declared, {}, declared.machine.interfaces);
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

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) {
  return '"' + shortened(text) + '"';
}

void add_finding(LintReport& report, std::string_view rule, FilePosition position,
                 std::string_view value, std::string sentence, std::string instead) {
  const LintRule& known = rule_named(rule);
  sentence += look_alike_note(sentence);
  if (report.findings.size() >= max_findings) {
    // An error is never lost among warnings: the verdict depends on it.
    ++report.left_out;
    if (known.severity == LintSeverity::warning ||
        report.findings.back().severity == LintSeverity::error)
      return;
    report.findings.pop_back();
  }
  report.findings.push_back({std::move(position), known.severity, known.name, shortened(value),
                             std::move(sentence), std::move(instead)});
}

void Findings::mark(std::string_view rule, pugi::xml_node element) {
  if (rule_named(rule).severity == LintSeverity::error) with_error_.insert(element.offset_debug());
}

void Findings::add_at(std::string_view rule, std::size_t offset, std::string_view value,
                      std::string sentence, std::string instead) {
  add_finding(report_, rule, file_.position(offset), value, std::move(sentence),
              std::move(instead));
}

void Findings::add(std::string_view rule, pugi::xml_node element, std::string_view value,
                   std::string sentence, std::string instead) {
  mark(rule, element);
  add_finding(report_, rule, file_.position(element), value, std::move(sentence),
              std::move(instead));
}

void Findings::add(std::string_view rule, pugi::xml_node element, pugi::xml_attribute attribute,
                   std::string sentence, std::string instead) {
  mark(rule, element);
  const auto offset = attribute_offset(file_.text, element, attribute);
  add_at(rule, offset, attribute.value(), std::move(sentence), std::move(instead));
}

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
  std::string sentence = "the file has no element: not a SimGrid platform";
  std::string instead = "<platform version=\"4.1\">";
  const MachineFormat format = machine_format_of(findings.file().path);
  if (format != MachineFormat::simgrid) {
    sentence = fmt::format("the file looks like {} and is not a SimGrid platform",
                           format == MachineFormat::slurm_conf   ? "Slurm's topology.conf"
                           : format == MachineFormat::slurm_yaml ? "Slurm's topology.yaml"
                                                                 : "a listing of InfiniBand");
    instead = "--platform FILE of other verbs, or vtopo platform describe FILE, which read it";
  }
  findings.add_at("not-a-platform", 0, "", std::move(sentence), std::move(instead));
}

}  // namespace

std::string_view to_string(LintSeverity severity) {
  return severity == LintSeverity::error ? "error" : "warning";
}

std::int64_t LintReport::count(LintSeverity severity) const {
  return std::count_if(findings.begin(), findings.end(),
                       [severity](const LintFinding& f) { return f.severity == severity; });
}

LintReport lint_platform(const std::string& path, bool strict) {
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
  if (!strict)
    std::erase_if(report.findings,
                  [](const LintFinding& found) { return found.rule == "bits-per-second"; });
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const LintFinding& a, const LintFinding& b) {
                     return std::tie(b.severity, a.position.line, a.position.column, a.rule) <
                            std::tie(a.severity, b.position.line, b.position.column, b.rule);
                   });
  return report;
}

}  // namespace vtopo::detail
