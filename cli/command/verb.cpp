#include "cli/command/verb.hpp"

#include <algorithm>
#include <utility>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// What the help calls the value; empty for a flag.
std::string argument_of(const OptionTarget& target) {
  return std::visit(
      Overloaded{[](std::monostate) { return ""; }, [](bool*) { return ""; },
                 [](std::optional<bool>*) { return ""; }, [](int*) { return "INT"; },
                 [](std::optional<int>*) { return "INT"; },
                 [](std::optional<std::int64_t>*) { return "INT"; },
                 [](std::uint64_t*) { return "UINT"; }, [](const auto&) { return "TEXT"; }},
      target);
}

/// What the target holds before options are read; empty: nothing worth mentioning.
std::string default_of(const OptionTarget& target) {
  return std::visit(Overloaded{[](std::string* text) { return *text; },
                               [](std::vector<std::string>* list) {
                                 return list->empty() ? std::string()
                                                      : '[' + join(*list, ",") + ']';
                               },
                               [](int* number) { return std::to_string(*number); },
                               [](std::uint64_t* number) { return std::to_string(*number); },
                               [](const OptionReader& reader) { return reader.default_text; },
                               [](const auto&) { return std::string(); }},
                    target);
}

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

/// Gives a verb and those below their paths and `--help`, which the parser adds by itself.
void complete(Verb& verb, const std::string& path) {
  verb.path = path;
  verb.options.push_front(
      {"-h,--help", std::monostate(), "Print this help message and exit", "Options", "", ""});
  for (Verb& sub : verb.verbs) complete(sub, path.empty() ? sub.name : path + ' ' + sub.name);
}

}  // namespace

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::within(std::int64_t least, std::int64_t most) {
  range = OptionRange{least, most, true};
  return *this;
}

Option& Option::whole_number(std::int64_t most) {
  range = OptionRange{0, most, false};
  return *this;
}

Option& Option::takes(std::vector<std::string> accepted, bool several) {
  words = std::move(accepted);
  comma_list = several;
  return *this;
}

Option& Option::called(std::string argument_name) {
  argument = std::move(argument_name);
  return *this;
}

Option& Option::or_empty() {
  may_be_empty = true;
  return *this;
}

Option& Option::needs(std::string other) {
  needed.push_back(std::move(other));
  return *this;
}

Option& Option::excludes(std::string other) {
  excluded.push_back(std::move(other));
  return *this;
}

bool Option::is_repeated() const {
  const auto* reader = std::get_if<OptionReader>(&target);
  return std::holds_alternative<std::vector<std::string>*>(target) ||
         (reader != nullptr && reader->repeated);
}

std::vector<std::string> Option::all_names() const {
  std::vector<std::string> result;
  for (const auto name : split(names, ',')) result.emplace_back(name.substr(name.starts_with('!')));
  return result;
}

std::vector<std::string> Option::offered() const {
  if (is_flag()) return {};
  return words.empty() ? listed_words(help) : words;
}

Verb& Verb::group(std::string heading_of_options) {
  group_of_next = std::move(heading_of_options);
  return *this;
}

Option& Verb::add(std::string names, OptionTarget target, std::string help) {
  std::string argument = argument_of(target), default_text = default_of(target);
  return options.emplace_back(Option{std::move(names), std::move(target), std::move(help),
                                     group_of_next, std::move(argument), std::move(default_text)});
}

const Option* Verb::find_option(std::string_view dashed) const {
  for (const Option& option : options) {
    const auto names = option.all_names();
    if (std::find(names.begin(), names.end(), dashed) != names.end()) return &option;
  }
  return nullptr;
}

const Verb* Verb::find_verb(std::string_view word) const {
  for (const Verb& verb : verbs)
    if (verb.name == word) return &verb;
  return nullptr;
}

std::vector<const Verb*> all_verbs(const Verb& verb) {
  std::vector<const Verb*> result{&verb};
  for (const Verb& sub : verb.verbs) {
    const auto below = all_verbs(sub);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

Verb whole_command() {
  Verb command{"vtopo",
               "What a virtual topology costs on an interconnect, and which placement is better"};
  command.add("--version", std::monostate(), "version, and what it was built from");
  command.verbs = verb_table();
  complete(command, "");
  return command;
}

void throw_named(const UsageError& error, std::string_view option) {
  const std::string_view sentence = error.what();
  if (sentence.substr(0, sentence.find('"')).find(option) != sentence.npos) throw error;
  throw UsageError(fmt::format("--{}: {}", option, sentence));
}

}  // namespace vtopo::detail
