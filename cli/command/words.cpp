#include "cli/command/words.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/shipped_machines.hpp"
#include "netmodels/network_table.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "sim/scenario/placed_json.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

namespace {

/// `-5us` is a value, `-o` an option.
bool is_option_word(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word.find_first_of("0123456789.", 1) != 1;
}

/// The name by which the parser takes the option.
std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                     : "--" + option.get_lnames().front();
}

bool is_flag(const CLI::Option& option) {
  return argument_of(option).empty();
}

/// What launchers and batch systems call an option of vtopo.
constexpr std::pair<std::string_view, const char*> words_of_launchers[] = {
    {"--ppn", "--ranks-per-node"},
    {"--ntasks-per-node", "--ranks-per-node"},
    {"--tasks-per-node", "--ranks-per-node"},
    {"-N", "--nodes"},
    {"-n", "--ranks"},
    {"-np", "--ranks"},
    {"--np", "--ranks"},
    {"--ntasks", "--ranks"}};

std::string unknown_option(const Verb& verb, const std::string& name) {
  const auto meant = [&](std::string_view here) {
    return fmt::format("unknown option \"{}\" of {}; did you mean \"{}\"?", name, full_name(verb),
                       here);
  };
  for (const auto& [other, here] : verb.instead)
    if (other == name) return meant(here);
  for (const auto& [other, here] : words_of_launchers)
    if (other == name && verb.find_option(here) != nullptr) return meant(here);
  std::vector<std::string> known;
  for (const CLI::Option* other : verb.app->get_options())
    for (const std::string& word : all_names(*other))
      if (word.starts_with("--")) known.push_back(word);
  // Of names that are equally near, the one that begins as what was typed.
  const auto same_letters = [&](const std::string& other) {
    return std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin();
  };
  std::stable_sort(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
    return same_letters(a) > same_letters(b);
  });
  const std::string hint = suggestion(name, known);
  return fmt::format(
      "unknown option \"{}\" of {}{}", name, full_name(verb),
      hint.empty() ? fmt::format("; {} --help-all lists them", full_name(verb)) : hint);
}

/// A word of the command line with an option in it.
struct OptionWord {
  CLI::Option* option;
  std::string name;                  ///< as written
  std::optional<std::string> value;  ///< in the same word
};

OptionWord read_option_word(const Verb& verb, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (CLI::Option* option = verb.find_option(name))
    return {option, name,
            equals == word.npos ? std::nullopt : std::optional(word.substr(equals + 1))};
  if (!word.starts_with("--") && word.size() > 2) {  // -oFILE
    CLI::Option* option = verb.find_option(word.substr(0, 2));
    if (option != nullptr && !is_flag(*option)) return {option, word.substr(0, 2), word.substr(2)};
  }
  throw UsageError(unknown_option(verb, name));
}

std::string first_statement(const std::string& text) {
  return text.substr(0, std::min(text.find("; "), text.find(". ")));
}

/// Reads the words of a verb one after the other.
class WordReader {
 public:
  explicit WordReader(const Verb& verb) : verb_(verb) {}

  void read(const std::vector<std::string>& words) {
    if (verb_.only_rest && words != std::vector<std::string>{"--help"}) {
      rest_ = words;
      return;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--" || (!verb_.rest.empty() && !is_option_word(word))) {
        rest_.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
        break;
      }
      if (!is_option_word(word)) {
        arguments.push_back(word);
      } else if (word == "-h" || word == "--help") {
        result.help = std::max(result.help, AskedHelp::common);
      } else if (word == "--help-all") {
        result.help = AskedHelp::all;
      } else {
        add(read_option_word(verb_, word), words, i);
      }
    }
  }

  void add(const std::string& option, const std::string& value) {
    add_value(verb_.find_option(option), option, value);
  }

  bool has(const std::string& option) const { return values_.contains(verb_.find_option(option)); }

  CanonicalWords finished() {
    result.words.insert(result.words.end(), arguments.begin(), arguments.end());
    result.words.insert(result.words.end(), rest_.begin(), rest_.end());
    return std::move(result);
  }

  CanonicalWords result;
  std::vector<std::string> arguments;

 private:
  void add(const OptionWord& word, const std::vector<std::string>& words, std::size_t& i) {
    if (is_flag(*word.option)) {
      if (word.value && *word.value != "true" && *word.value != "false")
        throw UsageError(fmt::format("{} takes no value, not \"{}\"", word.name, *word.value));
      // A name with ! in front of it takes its flag back: the parser knows which.
      result.words.push_back(word.value ? word.name + '=' + *word.value : word.name);
      return;
    }
    if (word.value) return add_value(word.option, word.name, *word.value);
    const bool missing =
        i + 1 >= words.size() ||
        (is_option_word(words[i + 1]) &&
         verb_.find_option(words[i + 1].substr(0, words[i + 1].find('='))) != nullptr);
    if (missing)
      throw UsageError(fmt::format("{}: a value is missing: {}", word.name,
                                   first_statement(word.option->get_description())));
    add_value(word.option, word.name, words[++i]);
  }

  void add_value(const CLI::Option* option, const std::string& name, const std::string& value) {
    std::vector<std::string>& given = values_[option];
    given.push_back(value);
    if (static_cast<int>(given.size()) > option->get_expected_max())
      throw UsageError(fmt::format("{} is given {} times, \"{}\" and \"{}\": {} takes one{}", name,
                                   given.size(), given[0], given.back(), full_name(verb_),
                                   verb_.several));
    result.words.push_back(long_name(*option));
    if (value.empty())  // behind = the parser would take the next word instead
      result.words.push_back(value);
    else
      result.words.back() += '=' + value;
  }

  const Verb& verb_;
  std::vector<std::string> rest_;
  std::map<const CLI::Option*, std::vector<std::string>> values_;
};

/// The option that an existing file or folder is the value of.
std::string option_of_file(const Verb& verb, const std::string& path) {
  if (is_machine_file(path)) return "--platform";
  if (path.ends_with(".html")) return "--scenario";
  if (path.ends_with(".json")) {
    const bool phases = read_scenario_document(path).root.find("phases") != nullptr;
    return phases ? "--schedule" : "--scenario";
  }
  const auto formats = trace_formats();
  std::error_code none;
  const bool is_trace =
      std::filesystem::is_directory(path, none)
          ? std::filesystem::exists(std::filesystem::path(path) / "rank-0.trace", none)
          : std::any_of(formats.begin(), formats.end(),
                        [&](const TraceFormat& format) { return format.recognizes(path); });
  return is_trace && verb.find_option("--trace") != nullptr ? "--trace" : "--traffic";
}

/// Whether a word begins as one of these do: `torus:`.
bool begins_as(const std::string& word, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return word.starts_with(beginning); });
}

/// Words without a colon at their end, for suggestions.
std::string nearest_kind(const std::string& word, std::vector<std::string> kinds) {
  for (std::string& kind : kinds) kind.pop_back();
  return suggestion(word.substr(0, word.find(':')), kinds);
}

/// `; did you mean "8x8"?` for `8X8`, `8*8` and `8,8`.
std::string meant_grid(std::string word) {
  for (char& c : word)
    if (c == 'X' || c == '*' || c == ',') c = 'x';
  return is_bare_grid(word) ? fmt::format("; did you mean \"{}\"?", word) : "";
}

std::string applications() {
  return fmt::format(
      "a number of ranks, a recording or a trace (file or folder), or a topology: {}",
      topology_forms());
}

std::string not_an_application(const std::string& word) {
  if (const std::string hint = meant_grid(word); !hint.empty())
    return fmt::format("application \"{}\": neither a file nor a topology{}", word, hint);
  for (const PatternInfo& pattern : pattern_infos())
    if (pattern.name == word)
      return fmt::format(
          "\"{0}\" is a pattern, not an application: give a number of ranks or a topology, and "
          "--pattern {0}",
          word);
  return fmt::format("application \"{}\": neither a file nor a topology{}; accepted: {}", word,
                     nearest_kind(word, scenario_option("topology").words), applications());
}

/// Replaces APPLICATION and MACHINE by the options that they mean.
void read_plain_arguments(const Verb& verb, WordReader& reader) {
  std::vector<std::string> unknown;
  bool has_application = false;
  for (const char* option : {"--topology", "--traffic", "--trace", "--schedule", "--scenario"})
    has_application = has_application || (verb.find_option(option) && reader.has(option));
  const auto add = [&](const std::string& option, const std::string& value) {
    if (option != "--platform" && option != "--network") has_application = true;
    reader.add(option, value);
  };
  std::error_code none;
  for (const std::string& word : std::exchange(reader.arguments, {})) {
    if (std::filesystem::exists(word, none)) {
      add(option_of_file(verb, word), word);
    } else if (parse_integer(word)) {
      if (!verb.own_ranks) add("--topology", std::string(auto_grid));
      add("--ranks", word);
    } else if (is_bare_grid(word) || begins_as(word, scenario_option("topology").words)) {
      add("--topology", word);
    } else if (begins_as(word, scenario_option("network").words)) {
      add("--network", word);
    } else if (word.find(':') != std::string::npos && word.find('/') == std::string::npos) {
      std::vector<std::string> kinds = scenario_option("network").words;
      const auto& topologies = scenario_option("topology").words;
      kinds.insert(kinds.end(), topologies.begin(), topologies.end());
      throw UsageError(
          fmt::format("\"{}\": neither a file nor a topology nor a network{}; vtopo networks lists "
                      "those, vtopo {} --help topologies",
                      word, nearest_kind(word, std::move(kinds)), verb.path));
    } else {
      unknown.push_back(word);
    }
  }
  // What is left is the name of a machine, unless no application is there.
  const bool has_machine = reader.has("--platform") || reader.has("--network");
  const bool are_ranks_given = verb.find_option("--ranks") && reader.has("--ranks");
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const OptionExtras* const extras = verb.find_extras(verb.find_option("--network"));
    const bool is_other_machine = extras != nullptr && extras->excludes.empty() &&
                                  find_shipped_machine(unknown[i]).has_value();
    const bool is_application = (has_machine && !is_other_machine) ||
                                (!has_application && !are_ranks_given && i + 1 < unknown.size());
    if (is_application || !meant_grid(unknown[i]).empty())
      throw UsageError(not_an_application(unknown[i]));
    for (const NetworkInfo& network : all_networks())
      if (network.name == unknown[i])
        throw UsageError(fmt::format("machine \"{}\": its sizes are missing, as in {}", unknown[i],
                                     network.example));
    const auto option = machine_option(unknown[i]);
    reader.add(option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
  }
}

/// `; for example: vtopo dims 72 2`; empty: the verb has no example.
std::string first_example(const Verb& verb) {
  const std::size_t at = verb.examples.find("\n  vtopo");
  if (at == std::string::npos) return {};
  std::string line = verb.examples.substr(at + 3);
  line = line.substr(0, line.find('\n'));
  return fmt::format("; for example: {}", trim(line.substr(0, line.find("  #"))));
}

}  // namespace

std::string full_name(const Verb& verb) {
  return verb.path.empty() ? (verb.name == "vtopo" ? "vtopo" : "vtopo " + verb.name)
                           : "vtopo " + verb.path;
}

std::string topology_forms() {
  const std::string& help = scenario_option("topology").help;
  const std::size_t from = help.find(": ") + 2;
  return help.substr(from, help.find(", cart:auto") - from);
}

std::string machine_option(const std::string& word) {
  std::error_code none;
  const bool is_network =
      !std::filesystem::exists(word, none) && begins_as(word, scenario_option("network").words);
  return (is_network ? "--network=" : "--platform=") + word;
}

CanonicalWords canonical_words(const Verb& verb, const std::vector<std::string>& words) {
  WordReader reader(verb);
  reader.read(words);
  if (reader.result.help != AskedHelp::none) return reader.finished();
  if (verb.plain_arguments) read_plain_arguments(verb, reader);
  int accepted = 0;
  for (const CLI::Option* option : verb.app->get_options())
    if (option->get_positional() && !verb.plain_arguments) accepted += option->get_expected_max();
  if (static_cast<int>(reader.arguments.size()) > accepted)
    throw UsageError(fmt::format("unexpected argument \"{}\" of {}; see {} --help",
                                 reader.arguments[static_cast<std::size_t>(accepted)],
                                 full_name(verb), full_name(verb)));
  return reader.finished();
}

void add_plain_arguments(Verb& verb) {
  verb.plain_arguments = true;
  const auto add = [&verb](const char* name, const std::string& help,
                           std::vector<std::string> words) {
    const auto accept = [](const CLI::results_t&) { return true; };  // they become options before
    const auto no_default = [] { return std::string(); };
    verb.offer(verb.app->add_option(name, accept, help, false, no_default)->type_name("TEXT"),
               std::move(words));
  };
  add("APPLICATION", applications(), scenario_option("topology").words);
  add("MACHINE", "a name of vtopo machines, a specification (torus:8x8x8) or a file",
      scenario_option("network").words);
}

std::string missing_part(const Verb& verb, const std::vector<std::string>& words) {
  if (!verb.run) {
    std::vector<std::string> names;
    for (const Verb& sub : verb.verbs) names.push_back(sub.name);
    return fmt::format("{} needs one of {}{}", verb.path, join(names, ", "), first_example(verb));
  }
  std::size_t arguments = 0;
  for (const std::string& word : words)
    if (!is_option_word(word)) ++arguments;
  for (const CLI::Option* option : verb.app->get_options()) {
    if (option->get_positional()) {
      if (option->get_required() && arguments == 0)
        return fmt::format("{}: {} is missing{}", verb.path, option->get_name(true),
                           first_example(verb));
      if (arguments > 0) --arguments;
    } else if (option->get_required()) {
      const std::string name = long_name(*option);
      const bool given = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == name || word.starts_with(name + '=');
      });
      if (!given) return fmt::format("{}: {} is missing{}", verb.path, name, first_example(verb));
    }
  }
  return {};
}

}  // namespace vtopo::detail
