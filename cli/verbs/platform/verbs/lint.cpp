#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/platform/lint/lint.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

using Json = nlohmann::ordered_json;

struct LintOptions {
  std::vector<std::string> files;
  std::string format = "table";
  bool strict = false;
  bool rules = false;
};

/// Findings of all files.
struct Totals {
  std::int64_t errors = 0;
  std::int64_t warnings = 0;
  std::int64_t left_out = 0;

  void add(const LintReport& report) {
    errors += report.count(LintSeverity::error);
    warnings += report.count(LintSeverity::warning);
    left_out += report.left_out;
  }
};

/// The sentence on one line: what a file holds may be any text.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      line += c;
  return line;
}

/// The finding in one line, with the value that it is about.
std::string line_of(const LintFinding& finding) {
  const bool quoted =
      finding.value.empty() || finding.sentence.find(finding.value) != std::string::npos;
  return one_line(fmt::format("{}: {}: {}{} [{}]", to_string(finding.position),
                              to_string(finding.severity), finding.sentence,
                              quoted ? "" : fmt::format(" (\"{}\")", finding.value), finding.rule));
}

std::string render_table(const std::vector<LintReport>& reports, const Totals& totals) {
  std::string text;
  for (const LintReport& report : reports)
    for (const LintFinding& finding : report.findings)
      text += folded(line_of(finding) + "\n    instead: " + one_line(finding.instead) + '\n',
                     text_style().width, 6);
  text += fmt::format("{}, {} in {}", counted(totals.errors, "error"),
                      counted(totals.warnings, "warning"),
                      counted(static_cast<std::int64_t>(reports.size()), "file"));
  if (totals.left_out > 0) text += fmt::format("; {} more not listed", totals.left_out);
  return text + '\n';
}

Json place_value(int number) {
  return number > 0 ? Json(number) : Json(nullptr);
}

Json finding_object(const LintFinding& finding) {
  return {{"line", place_value(finding.position.line)},
          {"column", place_value(finding.position.column)},
          {"severity", to_string(finding.severity)},
          {"rule", finding.rule},
          {"value", finding.value},
          {"message", finding.sentence},
          {"instead", finding.instead}};
}

std::string dump(const Json& document) {
  // Names and values may hold any bytes; an answer with U+FFFD in one is better than none.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string render_json(const std::vector<LintReport>& reports, const Totals& totals) {
  Json document{{"schema", "vtopo/lint/v1"},
                {"errors", totals.errors},
                {"warnings", totals.warnings},
                {"not_listed", totals.left_out},
                {"files", Json::array()}};
  for (const LintReport& report : reports) {
    Json file{{"file", report.path},
              {"errors", report.count(LintSeverity::error)},
              {"warnings", report.count(LintSeverity::warning)},
              {"findings", Json::array()}};
    for (const auto& finding : report.findings) file["findings"].push_back(finding_object(finding));
    document["files"].push_back(std::move(file));
  }
  return dump(document);
}

std::string rules_table() {
  std::string text;
  for (const LintRule& rule : lint_rules())
    text += fmt::format("{:<21}  {:<7}  {}\n", rule.name, to_string(rule.severity), rule.summary);
  return text;
}

std::string rules_json() {
  Json document{{"schema", "vtopo/lint-rules/v1"}, {"rules", Json::array()}};
  for (const LintRule& rule : lint_rules())
    document["rules"].push_back(
        {{"rule", rule.name}, {"severity", to_string(rule.severity)}, {"summary", rule.summary}});
  return dump(document);
}

int run_lint(const LintOptions& options) {
  constexpr int bad_input = 3;
  check_format(options.format, std::array<std::string, 2>{"table", "json"});
  const bool json = options.format == "json";
  if (options.rules) {
    if (!options.files.empty()) throw UsageError("--rules lists the rules and takes no FILE");
    write_output("-", json ? rules_json() : rules_table());
    return 0;
  }
  if (options.files.empty()) throw UsageError("platform lint needs a FILE, or --rules");
  std::vector<LintReport> reports;
  Totals totals;
  for (const auto& file : options.files) {
    reports.push_back(lint_platform(machine_path(file), options.strict));
    totals.add(reports.back());
  }
  write_output("-", json ? render_json(reports, totals) : render_table(reports, totals));
  const bool failed = totals.errors > 0 || (options.strict && totals.warnings > 0);
  return failed ? bad_input : 0;
}

}  // namespace

Verb platform_lint() {
  auto options = std::make_shared<LintOptions>();
  Verb verb{"lint",
            "traps of SimGrid platform files: what SimGrid 3.32 crashes on, or takes silently"};
  verb.examples =
      "Examples:\n"
      "  vtopo platform lint platforms/theta.xml\n"
      "  vtopo platform lint platforms/*.xml --strict      # exit code 3 also for warnings\n"
      "  vtopo platform lint platforms/theta.xml --format json   # schema vtopo/lint/v1\n"
      "  vtopo platform lint --rules                       # every rule with a sentence\n"
      "\n"
      "Exit codes: 0 no errors, 3 errors (with --strict also warnings).";
  verb.add("FILE", &options->files, "platform files (DTD 4.1)");
  verb.add("--strict", &options->strict, "fail on warnings too, and warn of bandwidths in bits");
  verb.add("--format", &options->format, "table or json");
  verb.add("--rules", &options->rules, "list the rules instead");
  verb.run = [options](const Invocation&) { return run_lint(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
