#include "cli/options/option_words.hpp"

#include <algorithm>

#include "netmodels/network_table.hpp"
#include "sim/embedding/embedding_files.hpp"
#include "sim/embedding/host_parts.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

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
  std::vector<std::string> names{"all"};
  for (const MapperInfo& mapper : all_mappers()) names.push_back(mapper.name);
  return names;
}

std::vector<std::string> embedding_format_names() {
  std::vector<std::string> names;
  for (const EmbeddingFormat& format : embedding_formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string> objective_words() {
  return objective_names();
}

std::vector<std::string> network_words() {
  std::vector<std::string> words;
  for (const std::string& name : network_names()) words.push_back(name + ':');
  return words;
}

std::vector<std::string> host_words() {
  std::vector<std::string> words{
      "all", "block:", "file:", "first:", "list:", "random:", "slurm:", "spaced:"};
  for (const std::string& kind : host_part_kinds()) words.push_back(kind + ':');
  return words;
}

}  // namespace vtopo
