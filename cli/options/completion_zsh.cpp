#include <fmt/format.h>

#include <algorithm>

#include "cli/options/completion_scripts.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

constexpr const char* zsh_head = "#compdef vtopo\n# written by: vtopo completion zsh\n";

/// Text between the brackets of a specification of `_arguments`: its first line.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// What completes a value.
std::string zsh_action(const CommandOption& option) {
  if (option.words.empty()) return "_files";
  std::vector<std::string> words;
  for (const std::string& word : option.words) words.push_back(zsh_text(word));
  const std::string list = join(words, " ");
  return option.comma_list ? fmt::format("_sequence compadd - {}", list)
                           : fmt::format("({})", list);
}

std::string zsh_option(const CommandOption& option, const std::string& name) {
  std::string spec = option.repeated ? "*" : "";
  spec += name;
  if (option.argument.empty())
    return single_quoted(fmt::format("{}[{}]", spec, zsh_text(option.description)));
  return single_quoted(fmt::format("{}{}[{}]:{}:{}", spec, name.starts_with("--") ? "=" : "+",
                                   zsh_text(option.description), zsh_text(option.argument),
                                   zsh_action(option)));
}

std::string zsh_function_name(const CommandVerb& verb) {
  std::string name = "_vtopo";
  if (!verb.path.empty()) name += '_' + verb.path;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string zsh_arguments(const CommandVerb& verb) {
  std::string text;
  for (const CommandOption& option : verb.options)
    for (const std::string& name : option.names) text += " \\\n    " + zsh_option(option, name);
  return text;
}

/// Lines that complete the subcommands and call the function of the one that is there.
std::string zsh_subcommands(const CommandVerb& verb) {
  std::string calls;
  for (const CommandVerb& sub : verb.verbs) {
    const std::string name = sub.path.substr(sub.path.rfind(' ') + 1);
    calls += fmt::format("        {}) {} ;;\n", name, zsh_function_name(sub));
  }
  return fmt::format(
      " \\\n    '1: :->verb' '*:: :->rest'\n"
      "  case $state in\n"
      "    verb) _describe verb verbs ;;\n"
      "    rest)\n"
      "      case $line[1] in\n{}      esac ;;\n"
      "  esac\n"
      "}}\n",
      calls);
}

std::string zsh_function(const CommandVerb& verb) {
  std::string text =
      fmt::format("\n{}() {{\n  local context state state_descr line\n  typeset -A opt_args\n",
                  zsh_function_name(verb));
  if (!verb.verbs.empty()) {
    text += "  local -a verbs=(\n";
    for (const CommandVerb& sub : verb.verbs)
      text += fmt::format("    {}\n", single_quoted(sub.path.substr(sub.path.rfind(' ') + 1) + ':' +
                                                    zsh_text(sub.description)));
    text += "  )\n";
  }
  text += fmt::format("  _arguments{}{}", verb.verbs.empty() ? "" : " -C", zsh_arguments(verb));
  if (!verb.verbs.empty()) return text + zsh_subcommands(verb);
  for (const CommandOption& positional : verb.positionals)
    if (!positional.words.empty())
      text += " \\\n    " + single_quoted(fmt::format(":{}:{}", zsh_text(positional.names.front()),
                                                      zsh_action(positional)));
  return text + " \\\n    '*:file:_files'\n}\n";
}

}  // namespace

std::string zsh_completion(const CommandVerb& command) {
  std::string text = zsh_head;
  for (const CommandVerb* verb : all_verbs(command)) text += zsh_function(*verb);
  return text + "\n_vtopo \"$@\"\n";
}

}  // namespace vtopo
