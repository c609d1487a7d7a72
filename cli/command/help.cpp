#include "cli/command/help.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command/words.hpp"
#include "cli/output/output.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Where descriptions of options begin, and those of verbs.
constexpr std::size_t option_column = 24, verb_column = 12;

/// `text` in lines of at most `width` characters, broken at blanks and in lists.
std::vector<std::string> lines_of(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const auto paragraph : split(text, '\n')) {
    lines.emplace_back();
    for (const auto word : split(paragraph, ' ')) {
      if (word.empty()) continue;
      if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
        lines.emplace_back();
      if (!lines.back().empty()) lines.back() += ' ';
      lines.back() += word;
      while (lines.back().size() > width) {  // a list without blanks
        const std::size_t comma = lines.back().rfind(',', width - 1);
        if (comma == std::string::npos || comma == 0) break;
        const std::string rest = lines.back().substr(comma + 1);
        lines.back().erase(comma + 1);
        lines.push_back(rest);
      }
    }
  }
  return lines;
}

/// An entry of a list: what it is called, and from `column` on what it is.
std::string entry(const std::string& name, std::string_view text, std::size_t column,
                  std::size_t width) {
  std::string result = "  " + name;
  const auto lines = lines_of(text, width - column);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool same_line = i == 0 && result.size() + 2 <= column;
    if (!same_line) result += '\n';
    const std::size_t used = same_line ? result.size() : 0;
    result += std::string(column - used, ' ') + lines[i];
  }
  return result + '\n';
}

/// Where the first statement of a description ends: behind a full stop or a semicolon.
std::size_t end_of_statement(std::string_view text) {
  constexpr std::size_t max_size = 150;
  std::size_t stop = text.find(". ");
  while (stop != text.npos && stop > 0 && text[stop - 1] == '.') stop = text.find(". ", stop + 1);
  const std::size_t end = std::min({text.size(), stop, text.find("; ")});
  if (end <= max_size) return end;
  const std::size_t comma = text.rfind(", ", max_size);
  return comma == text.npos ? end : comma;
}

std::string description(const CLI::Option& option, bool all) {
  std::string text = option.get_description();
  if (!all) {
    const std::size_t end = end_of_statement(text);
    const bool is_list = end < text.size() && text[end] == ',';
    const bool is_open =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '(') >
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), ')');
    text = text.substr(0, end) + (is_list ? ", ..." : "") + (is_open ? ")" : "");
  }
  const std::string value = option.get_default_str();
  const bool says_default = text.find("default") != std::string::npos;
  const bool has_value = !value.empty() && value != "[]" && value != "{}" && value != "-";
  if (has_value && !says_default && !option.get_required() && !option.get_positional())
    text += fmt::format(" (default: {})", value);
  if (option.get_required() && !option.get_positional()) text += " (required)";
  return text;
}

std::string head(const CLI::Option& option) {
  std::string text = join(all_names(option), ", ");
  const std::string argument = argument_of(option);
  return argument.empty() || option.get_positional() ? text : text + ' ' + argument;
}

bool is_common(const Verb& verb, const CLI::Option& option) {
  if (verb.common.empty()) return true;
  const auto names = all_names(option);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(verb.common.begin(), verb.common.end(), name) != verb.common.end();
  });
}

/// Options but the arguments, under their headings.
std::string options_text(const Verb& verb, bool all, std::size_t width) {
  std::vector<std::string> groups;
  std::map<std::string, std::string> texts;
  for (const CLI::Option* option : std::as_const(*verb.app).get_options()) {
    const bool asks_for_help =
        option == verb.app->get_help_ptr() || option == verb.app->get_help_all_ptr();
    if (option->get_positional() || asks_for_help || (!all && !is_common(verb, *option))) continue;
    const std::string group = all ? option->get_group() : "Options";
    if (!texts.contains(group)) groups.push_back(group);
    texts[group] += entry(head(*option), description(*option, all), option_column, width);
  }
  std::string text;
  for (const std::string& group : groups) text += fmt::format("\n{}:\n{}", group, texts[group]);
  return text;
}

std::string usage(const Verb& verb) {
  std::string text = full_name(verb);
  for (const CLI::Option* option : std::as_const(*verb.app).get_options()) {
    if (!option->get_positional()) continue;
    const bool several = option->get_expected_max() > 1;
    const std::string name = option->get_name(true) + (several ? "..." : "");
    text += ' ' + (option->get_required() ? name : '[' + name + ']');
  }
  if (!verb.run) text += " VERB";
  text += " [OPTIONS]";
  return verb.rest.empty() ? text : text + ' ' + verb.rest;
}

/// Words of a command as a shell reads them, an option with its value as one.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0 ? c == quote : c == '\'' || c == '"') quote = quote != 0 ? '\0' : c;
    std::string& word = words.back();
    const bool is_option = word.starts_with('-') && word.find(' ') == std::string::npos;
    const bool has_value = is_option && i + 1 < line.size() && line[i + 1] != '-';
    if (c != ' ' || quote != 0 || has_value)
      word += c;
    else if (!word.empty())
      words.emplace_back();
  }
  return words;
}

/// An example, in several lines where it is too long for one.
std::string broken_command(std::string_view line, std::size_t width) {
  constexpr std::string_view first = "  ", next = " \\\n      ";
  std::string result(first);
  std::size_t used = first.size();
  bool is_first = true;
  for (const std::string& word : words_of(trim(line))) {
    const bool fits = used + 1 + word.size() + 2 <= width;
    if (!is_first) result += fits ? std::string_view(" ") : next;
    used = is_first || fits ? used + 1 + word.size() : 6 + word.size();
    result += word;
    is_first = false;
  }
  return result;
}

/// Examples as they stand, remarks in lines of the width.
std::string examples_text(const std::string& text, std::size_t width) {
  std::string result, paragraph;
  const auto flush = [&] {
    for (const std::string& line : lines_of(paragraph, width))
      if (!line.empty()) result += line + '\n';
    paragraph.clear();
  };
  for (const auto line : split(text, '\n')) {
    const bool verbatim = line.starts_with("  ") || trim(line).empty();
    if (verbatim) flush();
    if (!verbatim)
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    else if (line.starts_with("  vtopo") && line.size() > width &&
             line.find("  #") == std::string_view::npos)
      result += broken_command(line, width) + '\n';
    else
      result += std::string(line) + '\n';
    if (line == "Examples:") flush();
  }
  flush();
  return result;
}

/// In the order of `VerbHeading`.
constexpr std::array<std::string_view, 6> headings{
    "Place ranks", "Run MPI programs on simulated ranks",
    "Run many",    "Look at topologies and machines",
    "More",        "This command"};

/// Verbs by heading and number.
std::vector<std::pair<VerbHeading, std::vector<const Verb*>>> listed_verbs(const Verb& command) {
  std::map<VerbHeading, std::multimap<int, const Verb*>> listed;
  for (const Verb& verb : command.verbs)
    listed[verb.listed.heading].emplace(verb.listed.number, &verb);
  std::vector<std::pair<VerbHeading, std::vector<const Verb*>>> result;
  for (const auto& [heading, verbs] : listed) {
    result.push_back({heading, {}});
    for (const auto& [number, verb] : verbs) result.back().second.push_back(verb);
  }
  return result;
}

bool is_in_front(VerbHeading heading) {
  return heading < VerbHeading::others;
}

/// Of the terminal; longer lines are hard to read.
std::size_t help_width() {
  constexpr std::size_t most = 200;
  return std::min(text_style().width, most);
}

}  // namespace

std::string front_page(const Verb& command) {
  const std::size_t width = help_width();
  std::string text = examples_text(command.examples, width);
  for (const auto& [heading, verbs] : listed_verbs(command)) {
    if (!is_in_front(heading)) continue;
    text += fmt::format("\n{}:\n", headings[static_cast<std::size_t>(heading)]);
    for (const Verb* verb : verbs) text += entry(verb->name, verb->summary, verb_column, width);
  }
  text += '\n' + entry("help", "help VERB: examples and options; help --all: every verb",
                       verb_column, width);
  return text;
}

std::string list_of_verbs(const Verb& command) {
  constexpr std::size_t column = 22;
  const std::size_t width = help_width();
  std::string text = "Every verb; vtopo help VERB says more.\n";
  for (const auto& [heading, verbs] : listed_verbs(command)) {
    text += fmt::format("\n{}:\n", headings[static_cast<std::size_t>(heading)]);
    for (const Verb* verb : verbs) {
      text += entry(verb->path, verb->summary, column, width);
      for (const Verb& sub : verb->verbs) text += entry(sub.path, sub.summary, column, width);
    }
  }
  return text;
}

std::string help_of(const Verb& verb, bool all) {
  const std::size_t width = help_width();
  std::string text;
  for (const std::string& line : lines_of(full_name(verb) + ": " + verb.summary, width))
    text += line + '\n';
  text += "\nUsage: " + usage(verb) + '\n';
  if (!verb.examples.empty()) text += '\n' + examples_text(verb.examples, width);
  std::string arguments;
  for (const CLI::Option* option : std::as_const(*verb.app).get_options())
    if (option->get_positional())
      arguments += entry(option->get_name(true), description(*option, true), option_column, width);
  if (!arguments.empty()) text += "\nArguments:\n" + arguments;
  if (!verb.verbs.empty()) {
    text += "\nVerbs:\n";
    for (const Verb& sub : verb.verbs) text += entry(sub.name, sub.summary, verb_column, width);
  }
  text += options_text(verb, all, width);
  if (!all && !verb.common.empty())
    text += fmt::format("\nAll options: {} --help-all\n", full_name(verb));
  return text;
}

}  // namespace vtopo::detail
