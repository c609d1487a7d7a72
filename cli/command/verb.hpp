#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// How the values of an option are read, after all options were parsed, by the code that owns them.
struct OptionReader {
  std::function<void(const std::string&)> read;  ///< each value; `true` or `false` of a flag
  std::string default_text;
  bool repeated = false;
  bool is_flag = false;
};

/// What the parser does not know of an option.
struct OptionExtras {
  std::function<void(const std::string&)> read = {};  ///< see `OptionReader`
  std::vector<std::string> words = {};  ///< what a value may be, or start with (`torus:`)
  bool comma_list = false;              ///< whether a value may be several of them
  std::vector<std::string> needs = {};  ///< other options, with dashes, if the verb has them
  std::vector<std::string> excludes = {};
};

/// Check that refuses values which are not whole numbers from `least` to `most`.
CLI::Validator whole_number(std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                            std::int64_t least = 0);

/// A number, and one that may be absent.
template <class Value>
struct NumberOf {
  using Type = Value;
};
template <class Number>
struct NumberOf<std::optional<Number>> {
  using Type = Number;
};

/// Whether an option has a whole number as its value.
template <class Value>
inline constexpr bool is_whole_number = std::is_integral_v<typename NumberOf<Value>::Type>;

/// The most that such an option takes.
template <class Value>
inline constexpr std::int64_t most_of = static_cast<std::int64_t>(
    std::min<std::uint64_t>(std::numeric_limits<typename NumberOf<Value>::Type>::max(),
                            std::numeric_limits<std::int64_t>::max()));

/// Name of the check that every option with a value has; a list may be without it.
inline constexpr const char* not_empty = "not empty";

/// Adds that check, and has an option take one word at a time.
CLI::Option* checked(CLI::Option* option);

/// What the help calls a value; empty: a flag.
std::string argument_of(const CLI::Option& option);

/// `-o` and `--output`, or the name of an argument.
std::vector<std::string> all_names(const CLI::Option& option);

/// What the parser makes of a command line.
struct Invocation {
  /// Options that were given, with their values, in the order of the help: `output`, `a.csv`.
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> rest;  ///< words behind the options, where the verb runs a program
};

/// Headings of the verbs in the help of the command, in its order; `others` and what follows are in
/// `help --all` only.
enum class VerbHeading { placing, programs, many, by_themselves, others, this_command };

/// Where the help of the command lists a verb.
struct VerbPlace {
  VerbHeading heading = VerbHeading::others;
  int number = 0;  ///< under the heading, from 1
};

/// A verb of the command, a subcommand of one, or the whole command. Its options are the parser's:
/// help, completion and manual page are derived from them.
struct Verb {
  Verb(std::string verb_name, std::string verb_summary);

  std::string name;
  std::string summary;
  std::shared_ptr<CLI::App> app;  ///< of the parser
  std::string examples = {};      ///< examples and remarks of the help
  VerbPlace listed = {};          ///< where the help of the command has it
  std::map<const CLI::Option*, OptionExtras> extras = {};
  std::vector<Verb> verbs = {};
  /// What the words are, as the help has it, that the first word which is not an option begins: it
  /// ends the options. Empty: there are none.
  std::string rest = {};
  bool only_rest = false;  ///< whether there are no options: all words are passed on
  std::function<int(const Invocation&)> run = {};  ///< empty: a subcommand must follow
  std::string path = {};                           ///< `platform route`; empty: the command
  /// Options of other verbs, with dashes, and how this one says the same.
  std::vector<std::pair<std::string, std::string>> instead = {};
  /// Options that `--help` shows, with dashes, twenty at most; none: all of them.
  std::vector<std::string> common = {};
  std::string several = {};      ///< what an error adds on an option that is given twice
  bool plain_arguments = false;  ///< whether it takes APPLICATION and MACHINE
  bool own_ranks = false;        ///< whether its `--ranks` needs no topology

  /// Heading of the options that follow.
  Verb& group(std::string heading_of_options);

  /// Adds an option. The type says what is accepted: a flag, text, text that may be repeated, or a
  /// number.
  template <class Value>
  CLI::Option* add(const std::string& names, Value* target, const std::string& help) {
    if constexpr (std::is_same_v<Value, bool>) {
      return app->add_flag(names, *target, help);
    } else {
      CLI::Option* option = checked(app->add_option(names, *target, help));
      if constexpr (is_whole_number<Value>) option->check(whole_number(most_of<Value>));
      return option;
    }
  }
  CLI::Option* add(const std::string& names, std::optional<bool>* flag, const std::string& help);
  CLI::Option* add(const std::string& names, const OptionReader& reader, const std::string& help);

  /// An option takes several values, each read so.
  void read_each(CLI::Option* option, std::function<void(const std::string&)> read);

  /// Words to complete the values of an option.
  void offer(const CLI::Option* option, std::vector<std::string> words, bool comma_list = false);

  /// Relates options that need or exclude each other, once all are there.
  void relate_options() const;

  /// Null if there is none.
  CLI::Option* find_option(const std::string& dashed) const;
  const Verb* find_verb(std::string_view word) const;
  /// Null if there are none.
  const OptionExtras* find_extras(const CLI::Option* option) const;
};

/// The verbs, a file of `cli/verbs` each, sorted by name.
std::vector<Verb> verb_table();

/// The command with every verb, each with its path and `--help`.
Verb whole_command();

/// The verb, its subcommands, theirs, ...: in the order of the help.
std::vector<const Verb*> all_verbs(const Verb& verb);

/// Rethrows a UsageError with the name of the option in front, `--latency: `, unless what is before
/// its first quotation names it.
[[noreturn]] void throw_named(const UsageError& error, std::string_view option);

/// What `read` makes of the value of an option; its UsageError names the option.
template <class Read>
auto read_option(std::string_view option, const Read& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw_named(error, option);
  }
}

}  // namespace vtopo::detail
