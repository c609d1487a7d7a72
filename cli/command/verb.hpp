#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo::detail {

/// An option whose values are read, after all options were parsed, by the code that owns them.
struct OptionReader {
  std::function<void(const std::string&)> read;  ///< each value
  std::string default_text;
  bool repeated = false;
};

/// Where the value of an option goes. The type says what is accepted: a flag, text, text that may
/// be repeated, or a number; `std::monostate` is `--help` and its like.
using OptionTarget =
    std::variant<std::monostate, bool*, std::optional<bool>*, std::string*,
                 std::optional<std::string>*, std::vector<std::string>*, int*, std::optional<int>*,
                 std::optional<std::int64_t>*, std::uint64_t*, OptionReader>;

/// Accepted numbers, both ends included.
struct OptionRange {
  std::int64_t least = 0, most = 0;
  bool shown = false;  ///< in the help
};

/// One option or argument of a verb. Parser, help, completion and manual page are derived from it.
struct Option {
  std::string names;  ///< `-o,--output`; without dashes: an argument
  OptionTarget target;
  std::string help;
  std::string group;         ///< heading in the help
  std::string argument;      ///< `TEXT`, `NAME`, ...; empty: a flag
  std::string default_text;  ///< empty: none
  std::optional<OptionRange> range = {};
  std::vector<std::string> words = {};  ///< what a value may be, or start with (`torus:`)
  bool comma_list = false;              ///< whether a value may be several of them
  bool is_required = false;
  bool may_be_empty = false;             ///< an empty value is one: of a list
  std::vector<std::string> needed = {};  ///< other options, with dashes
  std::vector<std::string> excluded = {};

  Option& required();
  Option& within(std::int64_t least, std::int64_t most);
  /// From 0.
  Option& whole_number(std::int64_t most = std::numeric_limits<std::int64_t>::max());
  Option& takes(std::vector<std::string> accepted, bool several = false);
  Option& called(std::string argument_name);
  Option& or_empty();
  Option& needs(std::string other);
  Option& excludes(std::string other);

  bool is_flag() const { return argument.empty(); }
  bool is_positional() const { return !names.starts_with('-'); }
  bool is_repeated() const;
  /// `-o` and `--output`, or the name of an argument.
  std::vector<std::string> all_names() const;
  /// Values to offer: `words`, or what the help lists at its start (`table, csv or json`).
  std::vector<std::string> offered() const;
};

/// What the parser makes of a command line.
struct Invocation {
  /// Options that were given, with their values, in the order of the help: `output`, `a.csv`.
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> rest;  ///< words behind the options, where the verb runs a program
};

/// Headings of the verbs in the help of the command, in its order.
enum class VerbHeading { placing, programs, many, by_themselves, this_command, others };

/// Where the help of the command lists a verb.
struct VerbPlace {
  VerbHeading heading = VerbHeading::others;
  int number = 0;  ///< under the heading, from 1
};

/// A verb of the command, a subcommand of one, or the whole command.
struct Verb {
  std::string name;
  std::string summary;
  std::string examples = {};  ///< examples and remarks of the help
  VerbPlace listed = {};      ///< where the help of the command has it
  std::deque<Option> options = {};
  std::vector<Verb> verbs = {};
  /// What the words are, as the help has it, that the first word which is not an option begins: it
  /// ends the options. Empty: there are none.
  std::string rest = {};
  std::function<int(const Invocation&)> run = {};  ///< empty: a subcommand must follow
  std::string path = {};                           ///< `platform route`; empty: the command
  /// Options of other verbs, with dashes, and how this one says the same.
  std::vector<std::pair<std::string, std::string>> instead = {};

  /// Heading of the options that follow.
  Verb& group(std::string heading_of_options);
  Option& add(std::string names, OptionTarget target, std::string help);

  /// Null if there is none.
  const Option* find_option(std::string_view dashed) const;
  const Verb* find_verb(std::string_view word) const;

  std::string group_of_next = "Options";  ///< set by `group`
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
