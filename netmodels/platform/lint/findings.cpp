#include "netmodels/platform/lint/findings.hpp"

#include <algorithm>

#include "netmodels/platform/lint/source.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_findings = 10000;

const LintRule& rule_named(std::string_view name) {
  const auto rules = lint_rules();
  return *std::lower_bound(rules.begin(), rules.end(), name,
                           [](const LintRule& rule, std::string_view n) { return rule.name < n; });
}

}  // namespace

std::string_view to_string(LintSeverity severity) {
  return severity == LintSeverity::error ? "error" : "warning";
}

std::int64_t LintReport::count(LintSeverity severity) const {
  return std::count_if(findings.begin(), findings.end(),
                       [severity](const LintFinding& f) { return f.severity == severity; });
}

namespace lint {

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

}  // namespace lint

}  // namespace vtopo::detail
