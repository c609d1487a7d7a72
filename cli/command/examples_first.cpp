#include "cli/command/examples_first.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

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

}  // namespace

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

}  // namespace vtopo::detail
