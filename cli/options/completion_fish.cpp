#include <fmt/format.h>

#include "cli/options/completion_scripts.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

/// fish knows two escapes between single quotes.
std::string fish_quoted(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') escaped += '\\';
    escaped += c;
  }
  return single_quoted(escaped, "\\'");
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Condition that the words so far are those of a verb.
std::string fish_condition(const CommandVerb& verb) {
  if (verb.path.empty()) return "__fish_use_subcommand";
  std::string condition;
  for (const auto word : split(verb.path, ' '))
    condition +=
        fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", word);
  return condition;
}

std::string fish_subcommands(const CommandVerb& verb) {
  std::vector<std::string> names;
  for (const CommandVerb& sub : verb.verbs)
    names.push_back(sub.path.substr(sub.path.rfind(' ') + 1));
  std::string condition = fish_condition(verb);
  if (!verb.path.empty())
    condition += fmt::format("; and not __fish_seen_subcommand_from {}", join(names, " "));
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("complete -c vtopo -n {} -f -a {} -d {}\n", fish_quoted(condition),
                        names[i], fish_quoted(first_line(verb.verbs[i].description)));
  return text;
}

/// `-a` with the words of an option.
std::string fish_words(const CommandOption& option) {
  if (option.words.empty()) return {};
  if (!option.comma_list) return fmt::format(" -f -a {}", fish_quoted(join(option.words, " ")));
  const std::string list = "printf \"%s\\n\" " + join(option.words, " ");
  return fmt::format(" -f -a {}",
                     fish_quoted(fmt::format("(__fish_complete_list , {})", single_quoted(list))));
}

std::string fish_option(const CommandVerb& verb, const CommandOption& option,
                        const std::string& name) {
  const bool is_long = name.starts_with("--");
  return fmt::format("complete -c vtopo -n {} -{} {}{}{} -d {}\n",
                     fish_quoted(fish_condition(verb)), is_long ? 'l' : 's',
                     name.substr(is_long ? 2 : 1), option.argument.empty() ? "" : " -r",
                     fish_words(option), fish_quoted(first_line(option.description)));
}

}  // namespace

std::string fish_completion(const CommandVerb& command) {
  std::string text = "# fish completion of vtopo, written by: vtopo completion fish\n";
  for (const CommandVerb* verb : all_verbs(command)) {
    text += fish_subcommands(*verb);
    for (const CommandOption& positional : verb->positionals)
      if (!positional.words.empty())
        text += fmt::format("complete -c vtopo -n {}{}\n", fish_quoted(fish_condition(*verb)),
                            fish_words(positional));
    for (const CommandOption& option : verb->options)
      for (const std::string& name : option.names) text += fish_option(*verb, option, name);
  }
  return text;
}

}  // namespace vtopo
