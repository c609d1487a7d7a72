#include "cli/command/command_line.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "cli/command/completion.hpp"
#include "cli/command/help.hpp"
#include "cli/command/scenario_file.hpp"
#include "cli/command/words.hpp"
#include "cli/mpirun/smpi_options.hpp"
#include "cli/output/output.hpp"
#include "sim/study/scenario_settings.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

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

/// A verb, and how many of the words name it.
struct NamedVerb {
  const Verb* verb;
  std::size_t depth = 0;
};

NamedVerb named_verb(const Verb& command, std::span<const std::string> words) {
  NamedVerb named{&command};
  while (named.depth < words.size()) {
    const Verb* sub = named.verb->find_verb(words[named.depth]);
    if (sub == nullptr) break;
    named = {sub, named.depth + 1};
  }
  return named;
}

/// `vtopo platform lint` for `lint`, if a verb has such a subcommand.
std::string verb_with(const Verb& command, const std::string& subcommand) {
  for (const Verb& verb : command.verbs)
    if (const Verb* sub = verb.find_verb(subcommand))
      return fmt::format("; did you mean \"vtopo {}\"?", sub->path);
  return {};
}

/// What people type for a verb of another name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> other_names{
    {{"run", "mpirun"},
     {"exec", "mpirun"},
     {"mpiexec", "mpirun"},
     {"srun", "mpirun"},
     {"optimize", "map"},
     {"optimise", "map"},
     {"place", "map"},
     {"embed", "map"},
     {"predict", "simulate"},
     {"estimate", "simulate"},
     {"replay", "simulate"},
     {"verify", "check"},
     {"version", "--version"},
     {"list", "help"},
     {"show", "platform describe"}}};

/// Sentence on a word that should be a verb.
std::string unknown_verb(const Verb& command, const Verb& verb, const std::string& word) {
  std::vector<std::string> verbs;
  for (const Verb& sub : verb.verbs) verbs.push_back(sub.name);
  if (verb.path.empty()) verbs.push_back("help");
  std::string hint = verb_with(command, word);
  for (const auto& [other, here] : other_names)
    if (other == word && verb.path.empty())
      hint = fmt::format("; did you mean \"vtopo {}\"?", here);
  if (hint.empty()) hint = suggestion(word, verbs);
  if (hint.empty())
    hint = verb.path.empty() ? "; vtopo help lists them" : "; accepted: " + join(verbs, ", ");
  return fmt::format("unknown {} \"{}\"{}", verb.path.empty() ? "verb" : verb.name + " subcommand",
                     word, hint);
}

/// Verbs of earlier versions.
std::vector<std::string> with_new_names(std::vector<std::string> words) {
  constexpr std::array<std::string_view, 3> compilers{"cc", "cxx", "fc"};
  if (std::find(compilers.begin(), compilers.end(), words.front()) != compilers.end())
    words.insert(words.begin(), "compile");
  return words;
}

/// Sentence on the first option given that needs, or excludes, another one; empty: none does.
std::string broken_relation(const Verb& verb) {
  const auto given = [](const CLI::Option* option) { return option->count() > 0; };
  for (const CLI::Option* option : std::as_const(*verb.app).get_options(given)) {
    for (const CLI::Option* other : option->get_needs())
      if (!given(other)) return fmt::format("{} needs {}", option->get_name(), other->get_name());
    for (const CLI::Option* other : option->get_excludes())
      if (given(other))
        return fmt::format("{} and {} exclude each other: give one of them", option->get_name(),
                           other->get_name());
  }
  return {};
}

/// What was wrong with the words of a verb: no sentence of the parser reaches the user but those of
/// checks, which are the command's own.
std::string sentence_on(const Verb& verb, const CLI::ParseError& error) {
  std::string sentence = error.what();
  if (dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) {
    const std::string relation = broken_relation(verb);
    if (!relation.empty()) sentence = relation;
  }
  return fmt::format("{}; see {} --help", sentence, full_name(verb));
}

/// `vtopo help`, `vtopo help compare`, `vtopo help platform draw --all`.
int run_help(const Verb& command, std::vector<std::string> words) {
  bool all = false;
  std::erase_if(words, [&](const std::string& word) {
    const bool asks = word == "--all" || word == "-a" || word == "--help-all";
    all = all || asks;
    return asks || word == "--help" || word == "-h";
  });
  if (words.empty()) {
    write_output("-", all ? list_of_verbs(command) : front_page(command));
    return 0;
  }
  words = with_new_names(std::move(words));
  const NamedVerb named = named_verb(command, words);
  if (named.depth < words.size())
    throw UsageError(unknown_verb(command, *named.verb, words[named.depth]));
  write_output("-", help_of(*named.verb, all));
  return 0;
}

int run_verb(const Verb& verb, std::vector<std::string> words) {
  CanonicalWords canonical = canonical_words(verb, words);
  if (canonical.help != AskedHelp::none) {
    write_output("-", help_of(verb, canonical.help == AskedHelp::all));
    return 0;
  }
  if (verb.only_rest) return verb.run({{}, std::move(canonical.words)});
  words = with_scenario_file(verb, std::move(canonical.words));
  if (const std::string sentence = missing_part(verb, words); !sentence.empty())
    throw UsageError(sentence);
  const Invocation invocation = parse_options(verb, std::move(words));
  return verb.run(invocation);
}

}  // namespace

Invocation parse_options(const Verb& verb, std::vector<std::string> words) {
  verb.relate_options();
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    verb.app->parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    throw UsageError(sentence_on(verb, error));
  }
  read_values(verb);
  return invocation_of(*verb.app);
}

int run_command(const Verb& command, std::vector<std::string> words) {
  if (words.empty()) {
    write_output("-", front_page(command));
    return exit_usage;
  }
  const std::vector<std::string> behind(words.begin() + 1, words.end());
  const std::string& first = words.front();
  if (first == "__complete") {
    write_output("-", completion_lines(command, behind));
    return 0;
  }
  if (first == "__schema") {
    write_output(behind.empty() ? "-" : behind.front(), scenario_schema());
    return 0;
  }
  if (first == "--version" || first == "-v") {
    write_output("-", version_text() + '\n');
    return 0;
  }
  if (first == "help" || first == "--help" || first == "-h") return run_help(command, behind);
  if (first == "--help-all") return run_help(command, {"--all"});
  words = with_new_names(with_long_np(std::move(words)));
  const NamedVerb named = named_verb(command, words);
  const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(named.depth),
                                      words.end());
  const bool is_word = !rest.empty() && !rest.front().starts_with('-');
  if (!named.verb->run && is_word)
    throw UsageError(unknown_verb(command, *named.verb, rest.front()));
  if (named.depth == 0)
    throw UsageError(
        fmt::format("unknown option \"{}\" of vtopo; vtopo help lists the verbs", rest.front()));
  return run_verb(*named.verb, rest);
}

}  // namespace vtopo::detail
