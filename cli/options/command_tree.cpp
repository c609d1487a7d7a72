#include "cli/options/command_tree.hpp"

#include "cli/options/option_words.hpp"

namespace vtopo {

namespace {

std::vector<std::string> dashed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// `INT` of `INT:INT in [1 - 8]`; nothing for a flag.
std::string argument_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type =
      option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
  return type.empty() ? "TEXT" : type.substr(0, type.find(':'));
}

CommandOption describe(const CLI::Option& option) {
  CommandOption result;
  result.argument = argument_of(option);
  result.description = option.get_description();
  result.group = option.get_group();
  if (!result.argument.empty()) result.default_text = option.get_default_str();
  if (result.default_text == "[]") result.default_text.clear();
  result.required = option.get_required();
  result.repeated = option.get_items_expected_max() > 1;
  if (option.get_positional())
    result.names = {option.get_name(true)};
  else
    result.names = dashed_names(option);
  if (result.argument.empty()) return result;
  OptionWords words = option_words(result.names.back(), result.description);
  result.words = std::move(words.words);
  result.comma_list = words.comma_list;
  return result;
}

CommandVerb describe(const CLI::App& app, const std::string& path) {
  CommandVerb verb{path, app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    (option->get_positional() ? verb.positionals : verb.options).push_back(describe(*option));
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    verb.verbs.push_back(
        describe(*sub, path.empty() ? sub->get_name() : path + ' ' + sub->get_name()));
  return verb;
}

}  // namespace

CommandVerb command_tree(const CLI::App& command) {
  return describe(command, "");
}

std::vector<const CommandVerb*> all_verbs(const CommandVerb& verb) {
  std::vector<const CommandVerb*> result{&verb};
  for (const CommandVerb& sub : verb.verbs) {
    const auto below = all_verbs(sub);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

}  // namespace vtopo
