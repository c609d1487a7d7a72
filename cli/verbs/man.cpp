#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::verbs {

namespace {

/// What every page names: the version and the date of the release, `2026-01-31`.
struct ManualEdition {
  std::string version;
  std::string date;
};

/// `text` as roff shows it, character by character.
std::string roff_text(const std::string& text) {
  static constexpr std::pair<char, const char*> escapes[] = {
      {'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
      {'^', "\\(ha"},  {'~', "\\(ti"}, {'"', "\\(dq"}};
  std::string result;
  for (const char c : text) {
    const auto escape = std::find_if(std::begin(escapes), std::end(escapes),
                                     [&](const auto& entry) { return entry.first == c; });
    if (escape != std::end(escapes))
      result += escape->second;
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

/// Name of the page of a verb: `vtopo-platform-route`.
std::string man_page_name(const Verb& verb) {
  std::string name = verb.path.empty() ? "vtopo" : "vtopo-" + verb.path;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string bold(const std::string& text) {
  return fmt::format("\\fB{}\\fR", roff_text(text));
}

std::string italic(const std::string& text) {
  return fmt::format("\\fI{}\\fR", roff_text(text));
}

/// A description of several lines: each on one of its own.
std::string lines_of(const std::string& text) {
  std::string result;
  for (const auto line : split(text, '\n')) {
    if (!result.empty()) result += ".br\n";
    result += roff_text(std::string(trim(line))) + '\n';
  }
  return result;
}

std::string option_head(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : all_names(option)) text += (text.empty() ? "" : ", ") + bold(name);
  if (const std::string argument = argument_of(option); !argument.empty())
    text += ' ' + italic(argument);
  const bool repeated = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  return text + (repeated ? " ...\n" : "\n");
}

std::string option_entry(const CLI::Option& option) {
  std::string text = ".TP\n" + option_head(option) + lines_of(option.get_description());
  if (option.get_required()) text += ".br\nRequired.\n";
  const std::string value = option.get_default_str();
  if (!value.empty() && value != "[]" && value != "{}")
    text += fmt::format(".br\nDefault: {}\n", roff_text(value));
  return text;
}

std::vector<const CLI::Option*> options_of(const Verb& verb, bool positional) {
  return std::as_const(*verb.app).get_options(
      [positional](const CLI::Option* option) { return option->get_positional() == positional; });
}

/// Options under the headings of the help, in its order.
std::string option_sections(const Verb& verb) {
  const auto options = options_of(verb, false);
  std::vector<std::string> groups;
  for (const CLI::Option* option : options)
    if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end())
      groups.push_back(option->get_group());
  std::string text = options.empty() ? "" : ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (group != "Options") text += fmt::format(".SS \"{}\"\n", roff_text(group));
    for (const CLI::Option* option : options)
      if (option->get_group() == group) text += option_entry(*option);
  }
  return text;
}

std::string synopsis(const Verb& verb) {
  std::string text = ".SH SYNOPSIS\n.B " + roff_text("vtopo " + verb.path);
  text.erase(text.find_last_not_of(' ') + 1);
  text += "\n[" + italic("OPTIONS") + "]\n";
  for (const CLI::Option* positional : options_of(verb, true))
    text += (positional->get_required() ? italic(positional->get_name(true))
                                        : fmt::format("[{}]", italic(positional->get_name(true)))) +
            '\n';
  if (!verb.rest.empty()) text += roff_text(verb.rest) + '\n';
  return text + (verb.verbs.empty() ? "" : italic("VERB") + " ...\n");
}

/// Indented lines as they stand, the rest as paragraphs.
std::string examples(const Verb& verb) {
  std::string text;
  bool verbatim = false;
  const auto be_verbatim = [&](bool wanted) {
    if (wanted != verbatim) text += wanted ? ".PP\n.nf\n.RS 2\n" : ".RE\n.fi\n.PP\n";
    verbatim = wanted;
  };
  for (const auto line : split(verb.examples, '\n')) {
    if (line == "Examples:" || (line.empty() && text.empty())) continue;
    const bool blank = trim(line).empty();
    if (!blank) be_verbatim(line.starts_with("  "));
    if (blank)
      be_verbatim(false);
    else
      text += roff_text(std::string(verbatim ? line.substr(2) : line)) + '\n';
  }
  be_verbatim(false);
  for (constexpr std::string_view end = ".PP\n"; text.ends_with(end);)
    text.erase(text.size() - end.size());
  if (text.starts_with(".PP\n")) text.erase(0, 4);  // a heading starts a paragraph by itself
  return text.empty() ? text : ".SH EXAMPLES\n" + text;
}

std::string arguments(const Verb& verb) {
  const auto positionals = options_of(verb, true);
  std::string text = positionals.empty() ? "" : ".SH ARGUMENTS\n";
  for (const CLI::Option* positional : positionals)
    text += ".TP\n" + italic(positional->get_name(true)) + '\n' +
            lines_of(positional->get_description());
  return text;
}

std::string verbs(const Verb& verb) {
  std::string text = verb.verbs.empty() ? "" : ".SH VERBS\n";
  for (const Verb& sub : verb.verbs)
    text += fmt::format(".TP\n{}\n{}\n", bold(sub.path), roff_text(sub.summary));
  return text;
}

std::string exit_status() {
  constexpr std::pair<int, const char*> codes[] = {
      {0, "Success."},
      {1, "An error inside the program."},
      {2, "An option or a value that is not accepted."},
      {3, "An input file that cannot be read or is wrong."},
      {4, "The ranks do not fit on the hosts."},
      {5, "The condition of \\fB\\-\\-fail\\-if\\fR was met."}};
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : codes) text += fmt::format(".TP\n{}\n{}\n", code, meaning);
  return text;
}

/// The pages below, or else the page above.
std::string see_also(const Verb& verb, const Verb& command) {
  std::vector<std::string> names;
  if (!verb.path.empty()) names.push_back(man_page_name(command));
  for (const Verb& sub : verb.verbs) names.push_back(man_page_name(sub));
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", roff_text(names[i]), i + 1 < names.size() ? "," : "");
  return text;
}

/// Manual page of section 1 in the macros of man(7), the same in groff and mandoc.
/// @param command the whole command, to which the page belongs; `verb` is part of it.
std::string man_page(const Verb& verb, const Verb& command, const ManualEdition& edition) {
  const std::string name = man_page_name(verb);
  return fmt::format(
             ".TH {} 1 {} \"vtopo {}\" \"vtopo manual\"\n"
             ".SH NAME\n"
             "{} \\- {}\n",
             roff_text(upper(name)), edition.date, edition.version, roff_text(name),
             roff_text(verb.summary)) +
         synopsis(verb) + arguments(verb) + verbs(verb) + option_sections(verb) + examples(verb) +
         (verb.path.empty() ? exit_status() : "") + see_also(verb, command);
}

struct ManOptions {
  std::vector<std::string> words;  ///< of the verb
  std::string folder;              ///< of all pages, if given
};

const Verb& find_verb(const Verb& command, const std::string& path) {
  const auto verbs = all_verbs(command);
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const Verb* verb) { return verb->path == path; });
  if (found != verbs.end()) return **found;
  std::vector<std::string> paths;
  for (const Verb* verb : verbs)
    if (!verb->path.empty()) paths.push_back(verb->path);
  const std::string hint = suggestion(path, paths);
  throw UsageError(fmt::format("unknown verb \"{}\"{}", path,
                               hint.empty() ? "; accepted: " + join(paths, ", ") : hint));
}

int run_man(const ManOptions& options) {
  const ManualEdition edition{VTOPO_VERSION, VTOPO_DATE};
  const Verb command = whole_command();
  if (options.folder.empty()) {
    const std::string path = join(options.words, " ");
    const Verb& verb = find_verb(command, path);
    write_output("-", man_page(verb, command, edition));
    return 0;
  }
  std::error_code error;  // a folder that is not there is reported when the first page is written
  std::filesystem::create_directories(options.folder, error);
  for (const Verb* verb : all_verbs(command))
    write_output((std::filesystem::path(options.folder) / (man_page_name(*verb) + ".1")).string(),
                 man_page(*verb, command, edition));
  return 0;
}

}  // namespace

Verb man() {
  auto options = std::make_shared<ManOptions>();
  Verb verb{"man", "the manual page of a verb, or all of them"};
  verb.listed = {VerbHeading::this_command, 2};
  verb.examples =
      "Examples:\n"
      "  vtopo man compare | man -l -\n"
      "  vtopo man platform route | man -t -l - >route.ps\n"
      "  vtopo man --folder share/man/man1        # a file for every verb\n"
      "\n"
      "cmake --install puts them where man looks for them.";
  verb.add("VERB", &options->words, "verb, and its subcommand (default: vtopo)");
  verb.add("--folder", &options->folder, "write all pages to this folder, which is made if need be")
      ->excludes("VERB");
  verb.run = [options](const Invocation&) { return run_man(*options); };
  return verb;
}

}  // namespace vtopo::detail::verbs
