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
  void add_values(const Option& option, std::string front) {
    const std::size_t comma = start.rfind(',');
    if (option.comma_list && comma != std::string::npos && comma >= front.size())
      front = start.substr(0, comma + 1);
    for (const std::string& word : option.offered()) add(front + word, "");
  }
};

/// The option of which `word` is the value; null if it is none.
const Option* option_before(const Verb& verb, std::span<const std::string> words) {
  if (words.size() < 2) return nullptr;
  const Option* option = verb.find_option(words[words.size() - 2]);
  return option == nullptr || option->is_flag() || option->is_positional() ? nullptr : option;
}

}  // namespace

std::string completion_lines(const Verb& command, std::span<const std::string> words) {
  Candidates candidates{words.empty() ? std::string() : words.back()};
  const std::string& current = candidates.start;
  const Verb* verb = &command;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (const Verb* sub = verb->find_verb(words[i])) verb = sub;
  if (const Option* before = option_before(*verb, words)) {
    candidates.add_values(*before, "");
  } else if (const auto sign = current.find('=');
             current.starts_with("--") && sign != std::string::npos) {
    if (const Option* named = verb->find_option(current.substr(0, sign)))
      candidates.add_values(*named, current.substr(0, sign + 1));
  } else if (current.starts_with('-')) {
    for (const Option& option : verb->options)
      if (!option.is_positional())
        for (const std::string& name : option.all_names())
          candidates.add(name, first_line(option.help));
  } else {
    for (const Verb& sub : verb->verbs) candidates.add(sub.name, sub.summary);
    for (const Option& option : verb->options)
      if (option.is_positional()) candidates.add_values(option, "");
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
