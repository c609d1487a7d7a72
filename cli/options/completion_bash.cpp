#include <fmt/format.h>

#include "cli/options/completion_scripts.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

constexpr const char* bash_head = R"(# bash completion of vtopo, written by: vtopo completion bash

# Sets verbs, flags and options (those that take a value) of the verb $1.
_vtopo_options() {
  verbs= flags= options=
  case $1 in
)";

constexpr const char* bash_middle = R"(  esac
}

# Sets the values that option $2 of the verb $1 knows, or its arguments; lists=1 if several may stand in a value.
_vtopo_values() {
  values= lists=
  case "$1 $2" in
)";

constexpr const char* bash_tail = R"(  esac
}

_vtopo() {
  local line=${COMP_LINE:0:COMP_POINT} verb= verbs flags options values lists
  local word words current front= i
  read -ra words <<<"$line"
  if [[ $line == *[[:blank:]] ]]; then words+=(""); fi
  current=${words[${#words[@]} - 1]}
  _vtopo_options ""
  for ((i = 1; i < ${#words[@]} - 1; ++i)); do
    if [[ " $verbs " == *" ${words[i]} "* ]]; then
      verb+="${verb:+ }${words[i]}"
      _vtopo_options "$verb"
    fi
  done
  word=${words[${#words[@]} - 2]}
  if [[ $current == --*=* ]]; then
    _vtopo_values "$verb" "${current%%=*}"
    front=${current%%=*}=
  elif [[ $word == -* && " $options " == *" $word "* ]]; then
    _vtopo_values "$verb" "$word"
  elif [[ $current == -* ]]; then
    values="$options $flags"
  else
    _vtopo_values "$verb" ""
    values="$verbs $values"
  fi
  if [[ $lists && ${current#"$front"} == *,* ]]; then front=${current%,*},; fi
  # Readline replaces what follows the last character that breaks words.
  local broken=${current%"${current##*[$COMP_WORDBREAKS]}"}
  COMPREPLY=()
  for word in $values; do
    if [[ $front$word == "$current"* ]]; then
      word=$front$word
      COMPREPLY+=("${word#"$broken"}")
    fi
  done
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

complete -o default -F _vtopo vtopo
)";

std::string verb_case(const CommandVerb& verb) {
  std::vector<std::string> verbs, flags, options;
  for (const CommandVerb& sub : verb.verbs)
    verbs.push_back(sub.path.substr(sub.path.rfind(' ') + 1));
  for (const CommandOption& option : verb.options)
    for (const std::string& name : option.names)
      (option.argument.empty() ? flags : options).push_back(name);
  return fmt::format("    {}) verbs={} flags={} options={} ;;\n", single_quoted(verb.path),
                     single_quoted(join(verbs, " ")), single_quoted(join(flags, " ")),
                     single_quoted(join(options, " ")));
}

std::string value_cases(const CommandVerb& verb) {
  std::string text;
  for (const CommandOption& positional : verb.positionals)
    if (!positional.words.empty())
      text += fmt::format("    {}) values={} ;;\n", single_quoted(verb.path + ' '),
                          single_quoted(join(positional.words, " ")));
  for (const CommandOption& option : verb.options)
    if (!option.words.empty())
      for (const std::string& name : option.names)
        text += fmt::format("    {}) values={}{} ;;\n", single_quoted(verb.path + ' ' + name),
                            single_quoted(join(option.words, " ")),
                            option.comma_list ? " lists=1" : "");
  return text;
}

}  // namespace

std::string single_quoted(const std::string& text, std::string_view quote) {
  std::string result = "'";
  for (const char c : text)
    if (c == '\'')
      result += quote;
    else
      result += c;
  result += '\'';
  return result;
}

std::string bash_completion(const CommandVerb& command) {
  std::string text = bash_head;
  for (const CommandVerb* verb : all_verbs(command)) text += verb_case(*verb);
  text += bash_middle;
  for (const CommandVerb* verb : all_verbs(command)) text += value_cases(*verb);
  return text + bash_tail;
}

}  // namespace vtopo
