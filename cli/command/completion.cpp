#include "cli/command/completion.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// `vtopo __complete` gets the words up to the cursor. Readline replaces what follows the last
/// character that breaks words.
constexpr const char* bash_script = R"(# bash completion of vtopo, written by: vtopo completion bash
_vtopo() {
  local line=${COMP_LINE:0:COMP_POINT} words word current broken
  read -ra words <<<"$line"
  if [[ $line == *[[:blank:]] ]]; then words+=(""); fi
  current=${words[${#words[@]} - 1]} COMPREPLY=()
  broken=${current%"${current##*[$COMP_WORDBREAKS]}"}
  while IFS=$'\t' read -r word _; do COMPREPLY+=("${word#"$broken"}"); done \
    < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _vtopo vtopo
)";

constexpr const char* fish_script = R"(# fish completion of vtopo, written by: vtopo completion fish
function __vtopo_complete
  set -l current (commandline -ct)
  set -l words (commandline -opc)
  set -l found ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c vtopo -f -a '(__vtopo_complete)'
)";

constexpr const char* zsh_script = R"(#compdef vtopo
# zsh completion of vtopo, written by: vtopo completion zsh
_vtopo() {
  local -a lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  lines=(${lines:#})
  if (( ! $#lines )); then _files; return; fi
  local -a values=("${(@)lines%%$'\t'*}") shown=("${(@)lines//$'\t'/  }")
  compadd -l -d shown -- $values
}
compdef _vtopo vtopo
)";

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == ',';
  });
}

/// Words of `a, b or c: ...`; none if a text starts otherwise.
std::vector<std::string> listed_words(std::string_view description) {
  constexpr std::string_view last = " or ";
  const std::string_view list = description.substr(0, description.find_first_of(":("));
  const std::size_t at = list.rfind(last);
  std::vector<std::string> words;
  if (const std::size_t comma_or = list.find(", or "); comma_or != std::string_view::npos) {
    words = {std::string(list.substr(0, comma_or)), std::string(trim(list.substr(comma_or + 5)))};
  } else if (at != std::string_view::npos) {
    std::string_view front = list.substr(0, at);
    for (std::size_t comma; (comma = front.find(", ")) != std::string_view::npos;
         front.remove_prefix(comma + 2))
      words.emplace_back(front.substr(0, comma));
    words.emplace_back(front);
    words.emplace_back(trim(list.substr(at + last.size())));
  }
  const bool all_words = std::all_of(words.begin(), words.end(), is_word);
  return all_words ? words : std::vector<std::string>();
}

/// Values to offer: the words of the option, or what the help lists at its start (`table, csv or
/// json`).
std::vector<std::string> offered(const CLI::Option& option, const OptionExtras* extras) {
  if (argument_of(option).empty()) return {};
  return extras == nullptr || extras->words.empty() ? listed_words(option.get_description())
                                                    : extras->words;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Gathers the lines of what fits to the start of a word.
struct Candidates {
  std::string start;
  std::string lines = {};

  void add(const std::string& word, const std::string& description) {
    if (!word.starts_with(start)) return;
    lines += description.empty() ? word + '\n' : fmt::format("{}\t{}\n", word, description);
  }

  /// @param front of the word before the value: `--mapper=`.
  void add_values(const Verb& verb, const CLI::Option& option, std::string front) {
    const OptionExtras* extras = verb.find_extras(&option);
    const std::size_t comma = start.rfind(',');
    if (extras != nullptr && extras->comma_list && comma != std::string::npos &&
        comma >= front.size())
      front = start.substr(0, comma + 1);
    for (const std::string& word : offered(option, extras)) add(front + word, "");
  }
};

/// The option of which the last word is the value; null if it is none.
const CLI::Option* option_before(const Verb& verb, std::span<const std::string> words) {
  if (words.size() < 2) return nullptr;
  const CLI::Option* option = verb.find_option(words[words.size() - 2]);
  return option == nullptr || argument_of(*option).empty() || option->get_positional() ? nullptr
                                                                                       : option;
}

}  // namespace

std::string completion_lines(const Verb& command, std::span<const std::string> words) {
  Candidates candidates{words.empty() ? std::string() : words.back()};
  const std::string& current = candidates.start;
  const Verb* verb = &command;
  if (!words.empty() && words.front() == "help") words = words.subspan(1);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (const Verb* sub = verb->find_verb(words[i])) verb = sub;
  if (const CLI::Option* before = option_before(*verb, words)) {
    candidates.add_values(*verb, *before, "");
  } else if (const auto sign = current.find('=');
             current.starts_with("--") && sign != std::string::npos) {
    if (const CLI::Option* named = verb->find_option(current.substr(0, sign)))
      candidates.add_values(*verb, *named, current.substr(0, sign + 1));
  } else if (current.starts_with('-')) {
    for (const CLI::Option* option : verb->app->get_options())
      if (!option->get_positional())
        for (const std::string& name : all_names(*option))
          candidates.add(name, first_line(option->get_description()));
  } else {
    for (const Verb& sub : verb->verbs) candidates.add(sub.name, sub.summary);
    if (verb->path.empty()) candidates.add("help", "examples and options of a verb");
    for (const CLI::Option* option : verb->app->get_options())
      if (option->get_positional()) candidates.add_values(*verb, *option, "");
  }
  return candidates.lines;
}

std::string completion_script(const std::string& shell) {
  static const std::map<std::string, const char*> scripts{
      {"bash", bash_script}, {"fish", fish_script}, {"zsh", zsh_script}};
  if (const auto at = scripts.find(shell); at != scripts.end()) return at->second;
  std::vector<std::string> names;
  names.reserve(scripts.size());
  for (const auto& [name, script] : scripts) names.push_back(name);
  throw UsageError(fmt::format("unknown shell \"{}\"; accepted: {}{}", shell, join(names, ", "),
                               suggestion(shell, names)));
}

}  // namespace vtopo::detail
