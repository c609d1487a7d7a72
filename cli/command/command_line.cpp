#include "cli/command/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command/completion.hpp"
#include "cli/command/scenario_file.hpp"
#include "cli/mpirun/smpi_options.hpp"
#include "cli/output/output.hpp"
#include "sim/scenario/scenario_settings.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t help_width = 100;

/// The text in lines of at most `width` characters, broken at blanks; its own lines are kept.
std::string broken(const std::string& text, std::size_t width) {
  std::string result;
  for (const auto line : split(text, '\n')) {
    if (!result.empty()) result += '\n';
    std::size_t used = 0;
    for (const auto word : split(line, ' ')) {
      const bool fits = used + 1 + word.size() <= width;
      if (used > 0) result += fits ? ' ' : '\n';
      if (used > 0 && !fits) used = 0;
      used += word.size() + (used > 0 ? 1 : 0);
      result += word;
    }
  }
  return result;
}

void remove(std::string& text, const std::string& part) {
  if (const auto at = text.find(part); at != std::string::npos) text.erase(at, part.size());
}

/// Sorts the names of options behind `label`, which come in an order that changes from run to run.
void sort_names(std::string& text, std::string_view label) {
  const std::size_t at = text.find(label);
  if (at == std::string::npos) return;
  const std::size_t first = at + label.size();
  const std::size_t end = std::min(text.find(" Excludes: ", first), text.size());
  const auto words = split(std::string_view(text).substr(first, end - first), ' ');
  std::vector<std::string> names(words.begin(), words.end());
  std::sort(names.begin(), names.end());
  text.replace(first, end - first, join(names, " "));
}

/// Help of a verb with its footer, the examples, in front of the options; descriptions are broken
/// so that lines have at most 100 columns, and defaults that say nothing are left out.
class ExamplesFirst : public CLI::Formatter {
 public:
  /// @param rest `Verb::rest`.
  explicit ExamplesFirst(std::string rest) : rest_(std::move(rest)) {}

  std::string make_help(const CLI::App* verb, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_usage(const CLI::App* verb, std::string name) const override;
  std::string make_description(const CLI::App* verb) const override;
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* verb) const override;
  std::string make_footer(const CLI::App*) const override { return {}; }

 private:
  std::string rest_;
};

std::string ExamplesFirst::make_help(const CLI::App* verb, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(verb, std::move(name), mode);
  text.erase(text.find_last_not_of('\n') + 1);  // versions of CLI11 differ in empty lines
  return text + '\n';
}

std::string ExamplesFirst::make_description(const CLI::App* verb) const {
  const std::string examples = verb->get_footer();
  const std::string description = CLI::Formatter::make_description(verb);
  return examples.empty() ? description : description + '\n' + examples + "\n\n";
}

std::string ExamplesFirst::make_usage(const CLI::App* verb, std::string name) const {
  std::string text = CLI::Formatter::make_usage(verb, std::move(name));
  if (!rest_.empty()) text.insert(text.find_last_not_of('\n') + 1, ' ' + rest_);
  return text;
}

std::string ExamplesFirst::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  const bool follows = !is_positional && group != "Options";  // and a blank line is there already
  const std::string text =
      CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  return follows ? text.substr(1) : text;
}

std::string ExamplesFirst::make_option_desc(const CLI::Option* option) const {
  return broken(CLI::Formatter::make_option_desc(option), help_width - get_column_width());
}

std::string ExamplesFirst::make_option_opts(const CLI::Option* option) const {
  std::string text = CLI::Formatter::make_option_opts(option);
  const std::string in_brackets = " [" + option->get_default_str() + "] ";  // of CLI11 2.4
  if (const auto at = text.find(in_brackets); at != std::string::npos)
    text.replace(at, in_brackets.size(), "=" + option->get_default_str());
  for (const char* list : {"Needs: ", "Excludes: "}) sort_names(text, list);
  for (const char* nothing : {"=[]", "={}"}) remove(text, nothing);
  if (option->get_required()) remove(text, '=' + option->get_default_str());
  return text;
}

std::string ExamplesFirst::make_subcommand(const CLI::App* verb) const {
  std::stringstream text;
  CLI::detail::format_help(text, verb->get_name(),
                           broken(verb->get_description(), help_width - get_column_width()),
                           get_column_width());
  return text.str();
}

/// In the order of `VerbHeading`.
constexpr std::array<std::string_view, 6> headings{
    "Placing ranks", "MPI programs on simulated ranks",
    "Many runs",     "Topologies and interconnects by themselves",
    "This command",  "Others"};

/// Help of the command: its verbs under headings, a line each.
class VerbsByGroup : public CLI::Formatter {
 public:
  /// @param command must outlive the formatter.
  explicit VerbsByGroup(const Verb& command) : command_(&command) {}

  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override;

 private:
  const Verb* command_;
};

std::string VerbsByGroup::make_subcommands(const CLI::App*, CLI::AppFormatMode) const {
  std::map<VerbHeading, std::multimap<int, const Verb*>> listed;
  for (const Verb& verb : command_->verbs)
    listed[verb.listed.heading].emplace(verb.listed.number, &verb);
  std::string text;
  for (const auto& [heading, verbs] : listed) {
    text += fmt::format("\n{}:\n", headings[static_cast<std::size_t>(heading)]);
    for (const auto& [number, verb] : verbs)
      text += fmt::format("  {:<12}{}\n", verb->name, verb->summary);
  }
  return text;
}

constexpr int exit_usage = 2;

/// Hands the values of a verb to those who read them.
void read_values(const Verb& verb) {
  for (const CLI::Option* option : verb.app->get_options()) {
    const OptionExtras* extras = verb.find_extras(option);
    if (extras == nullptr || !extras->read || option->count() == 0) continue;
    if (argument_of(*option).empty())
      extras->read(option->as<bool>() ? "true" : "false");
    else
      for (const std::string& value : option->results()) extras->read(value);
  }
}

Invocation invocation_of(const CLI::App& app) {
  Invocation invocation{{}, app.remaining()};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty()) continue;
    for (const std::string& value : option->results())
      invocation.given.emplace_back(option->get_lnames().front(), value);
  }
  return invocation;
}

/// Sentence on the first of the words, if it is neither an option nor a verb, or else on the next
/// one if the verb has subcommands.
std::optional<std::string> unknown_verb(const Verb& command, std::span<const std::string> words) {
  if (words.empty()) return std::nullopt;
  const std::string& word = words.front();
  if (const Verb* known = command.find_verb(word)) return unknown_verb(*known, words.subspan(1));
  const auto options = command.app->get_options();
  const bool takes_arguments =
      std::any_of(options.begin(), options.end(),
                  [](const CLI::Option* option) { return option->get_positional(); });
  if (command.verbs.empty() || word.starts_with('-') || takes_arguments) return std::nullopt;
  std::vector<std::string> verbs;
  for (const Verb& verb : command.verbs) verbs.push_back(verb.name);
  return fmt::format("unknown {} \"{}\"; accepted: {}{}",
                     command.path.empty() ? "verb" : command.name + " subcommand", word,
                     join(verbs, ", "), suggestion(word, verbs));
}

/// The verb, with its subcommand, that was read last.
const Verb& last_verb(const Verb& command) {
  const auto verbs = command.app->get_subcommands();
  return verbs.empty() ? command : last_verb(*command.find_verb(verbs.back()->get_name()));
}

std::string path_of(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? verb.get_name()
                                      : path_of(*verb.get_parent()) + ' ' + verb.get_name();
}

/// Sentence on a word that the verb does not take: an option, if one is among them.
std::string unexpected(const Verb& verb, const std::vector<std::string>& words) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end())
    return fmt::format("unexpected argument \"{}\" of {}", words.front(), path_of(*verb.app));
  const std::string name = option->substr(0, option->find('='));
  for (const auto& [other, here] : verb.instead)
    if (other == name)
      return fmt::format("unknown option \"{}\" of {}; did you mean \"{}\"?", name,
                         path_of(*verb.app), here);
  std::vector<std::string> known;
  for (const CLI::Option* other : verb.app->get_options())
    for (const std::string& word : all_names(*other))
      if (word.starts_with("--")) known.push_back(word);
  return fmt::format("unknown option \"{}\" of {}{}", name, path_of(*verb.app),
                     suggestion(name, known));
}

int complain(const std::string& sentence) {
  say(sentence);
  return exit_usage;
}

/// What was wrong with the words of the command, and where help is.
int complain_of_words(const Verb& command, const CLI::ParseError& error) {
  const Verb& verb = last_verb(command);
  const auto extras = command.app->remaining(true);
  // A word such as -inf, taken for options, is what an argument lacks; a program is expected.
  const bool are_extras =
      dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
      (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && verb.rest.empty());
  const std::string sentence =
      are_extras && !extras.empty() ? unexpected(verb, extras) : std::string(error.what());
  if (sentence.ends_with('?')) return complain(sentence);
  return complain(fmt::format("{}; see {} --help", sentence, path_of(*verb.app)));
}

/// The words with `-np` in its long form and with what a scenario file says.
std::vector<std::string> completed(const Verb& command, std::vector<std::string> words) {
  words = with_long_np(std::move(words));
  const Verb* verb = command.find_verb(words.front());
  if (verb == nullptr) return words;
  std::vector<std::string> result =
      with_scenario_file(*verb, std::vector<std::string>(words.begin() + 1, words.end()));
  result.insert(result.begin(), words.front());
  return result;
}

int run_verb(const Verb& verb) {
  read_values(verb);
  const auto chosen = verb.app->get_subcommands();
  return chosen.empty() ? verb.run(invocation_of(*verb.app))
                        : run_verb(*verb.find_verb(chosen.back()->get_name()));
}

/// Help of all verbs, and the version.
void add_answers(const Verb& command) {
  for (const Verb* verb : all_verbs(command)) {
    verb->app->formatter(std::make_shared<ExamplesFirst>(verb->rest));
    verb->app->footer(verb->examples);
  }
  command.app->formatter(std::make_shared<VerbsByGroup>(command));
  const std::string help = command.find_option("--version")->get_description();
  command.app->set_version_flag("-v,--version", version_text, help);
}

}  // namespace

Invocation parse_options(const Verb& verb, std::vector<std::string> words) {
  verb.relate_options();
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    verb.app->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  read_values(verb);
  return invocation_of(*verb.app);
}

int run_command(const Verb& command, std::vector<std::string> words) {
  if (!words.empty() && words.front() == "__complete") {
    write_output("-", completion_lines(command, std::span(words).subspan(1)));
    return 0;
  }
  if (!words.empty() && words.front() == "__schema") {
    write_output(words.size() > 1 ? words[1] : "-", scenario_schema());
    return 0;
  }
  add_answers(command);
  CLI::App& app = *command.app;
  if (words.empty()) {
    std::fputs(app.help().c_str(), stderr);
    return exit_usage;
  }
  if (const auto sentence = unknown_verb(command, words)) return complain(*sentence);
  try {
    words = completed(command, std::move(words));
    std::reverse(words.begin(), words.end());  // as the parser takes them
    app.parse(std::move(words));
  } catch (const CLI::Success& answer) {  // --help, --version
    std::ostringstream text;
    const int code = app.exit(answer, text, text);
    write_output("-", text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    return complain_of_words(command, error);
  }
  return run_verb(command);
}

}  // namespace vtopo::detail
