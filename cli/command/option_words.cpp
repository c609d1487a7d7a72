#include "cli/command/option_words.hpp"

#include <algorithm>

#include "sim/placement/embedding_files.hpp"
#include "sim/scenario/scenario_options.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == ',';
  });
}

}  // namespace

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

std::vector<std::string> mapper_words() {
  return scenario_option("mapper").words;
}

std::vector<std::string> embedding_format_names() {
  std::vector<std::string> names;
  for (const EmbeddingFormat& format : embedding_formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string> objective_words() {
  return scenario_option("objective").words;
}

std::vector<std::string> network_words() {
  return scenario_option("network").words;
}

void throw_named(const UsageError& error, std::string_view option) {
  const std::string_view sentence = error.what();
  if (sentence.substr(0, sentence.find('"')).find(option) != sentence.npos) throw error;
  throw UsageError(fmt::format("--{}: {}", option, sentence));
}

}  // namespace vtopo::detail
