#include "tests/fuzz/mutators.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

namespace vtopo::fuzz {

namespace {

using Json = nlohmann::json;
using Random = std::mt19937;

constexpr std::array<std::string_view, 20> odd_words{
    "0",     "1",    "-1",  "2147483647", "2147483648", "4294967296", "9007199254740993",
    "1e308", "nan",  "inf", "0.1",        "1e-320",     "16777216",   "99999999999999999999",
    "1GiB",  "0x10", "1e6", "+5",         "",           "\xc3\xa9"};

std::size_t below(Random& random, std::size_t count) {
  return random() % count;
}

std::string odd_word(Random& random) {
  return std::string(odd_words[below(random, odd_words.size())]);
}

/// The first line, if it is only one word and more follows.
std::string_view format_line(std::string_view input) {
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos || end + 1 == input.size()) return {};
  const auto line = input.substr(0, end);
  return line.find_first_of(" \t,:<{[") == std::string_view::npos ? input.substr(0, end + 1)
                                                                  : std::string_view();
}

/// Whether a text is JSON that can be walked through and written by recursion; what is nested deeper
/// counts as lines.
bool is_json(std::string_view text) {
  constexpr int max_depth = 200;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return false;
  int deepest = 0;
  const auto measure = [&](int depth, Json::parse_event_t, const Json&) {
    deepest = std::max(deepest, depth);
    return true;
  };
  return !Json::parse(text, measure, false).is_discarded() && deepest <= max_depth;
}

bool is_xml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  pugi::xml_document document;
  return first != std::string_view::npos && text[first] == '<' &&
         document.load_buffer(text.data(), text.size(), pugi::parse_full) &&
         document.document_element();
}

void collect(Json& value, std::vector<Json*>& values) {
  values.push_back(&value);
  for (Json& item : value)
    if (value.is_structured()) collect(item, values);
}

Json odd_value(Random& random) {
  const Json whole[] = {0, -1, 1, 2147483648LL, 16777216, -0.0, 1e308, 1e-320, 0.1, nullptr};
  const Json other[] = {"", true, Json::array(), Json::object(), "1e6", "\xc3\xa9"};
  return below(random, 4) > 0 ? whole[below(random, std::size(whole))]
                              : other[below(random, std::size(other))];
}

/// Takes an item out, doubles it, or exchanges it with another.
void change_items(Json& list, Random& random) {
  const auto at = [&] {
    return std::next(list.begin(), static_cast<std::ptrdiff_t>(below(random, list.size())));
  };
  switch (below(random, 3)) {
    case 0:
      list.erase(at());
      return;
    case 1:
      if (list.is_array())
        list.insert(at(), Json(*at()));
      else
        list[odd_word(random)] = Json(*at());
      return;
    default: {
      const Json one = *at();
      const auto other = at();
      *at() = *other;
      *other = one;
    }
  }
}

void change_json(Json& document, Random& random) {
  std::vector<Json*> values;
  collect(document, values);
  Json& value = *values[below(random, values.size())];
  if (value.is_structured() && !value.empty() && below(random, 4) > 0)
    return change_items(value, random);
  if (below(random, 2) == 0)
    value = Json(*values[below(random, values.size())]);  // may be one that holds it: a copy
  else if (value.is_number() && below(random, 2) == 0)
    value = value.get<double>() * (below(random, 2) == 0 ? 2 : -1) + 1;
  else
    value = odd_value(random);
}

std::string mutated_json(std::string_view text, std::size_t changes, Random& random) {
  Json document = Json::parse(text);
  while (changes-- > 0) change_json(document, random);
  return document.dump(below(random, 2) == 0 ? -1 : 1, ' ', false, Json::error_handler_t::replace);
}

void collect(pugi::xml_node node, std::vector<pugi::xml_node>& elements) {
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_element) elements.push_back(child);
    collect(child, elements);
  }
}

/// Whether an element may be copied into another without an end: not into itself.
void change_elements(const std::vector<pugi::xml_node>& elements, Random& random) {
  pugi::xml_node one = elements[below(random, elements.size())];
  pugi::xml_node other = elements[below(random, elements.size())];
  switch (below(random, 4)) {
    case 0:
      if (one != elements.front()) one.parent().remove_child(one);
      return;
    case 1:
      if (one != elements.front()) one.parent().insert_copy_after(one, one);
      return;
    case 2:
      one.set_name(other.name());
      return;
    default:
      if (one != other) other.append_copy(one);
  }
}

void change_attributes(const std::vector<pugi::xml_node>& elements, Random& random) {
  std::vector<pugi::xml_attribute> attributes;
  for (const pugi::xml_node element : elements)
    for (const pugi::xml_attribute attribute : element.attributes())
      attributes.push_back(attribute);
  if (attributes.empty()) return;
  pugi::xml_attribute one = attributes[below(random, attributes.size())];
  const pugi::xml_attribute other = attributes[below(random, attributes.size())];
  switch (below(random, 4)) {
    case 0:
      one.set_value(other.value());
      return;
    case 1:
      one.set_name(other.name());
      return;
    case 2:
      one.set_value((one.value() + odd_word(random)).c_str());
      return;
    default:
      one.set_value(odd_word(random).c_str());
  }
}

std::string mutated_xml(std::string_view text, std::size_t changes, Random& random) {
  pugi::xml_document document;
  document.load_buffer(text.data(), text.size(), pugi::parse_full);
  while (changes-- > 0) {
    std::vector<pugi::xml_node> elements;
    collect(document, elements);
    if (below(random, 2) == 0)
      change_elements(elements, random);
    else
      change_attributes(elements, random);
  }
  std::ostringstream result;
  document.save(result, "", pugi::format_raw | pugi::format_no_declaration);
  return result.str();
}

/// Pieces that a separator follows each, but the last one.
std::vector<std::string> pieces(std::string_view text, std::string_view separators) {
  std::vector<std::string> result{""};
  for (const char letter : text) {
    result.back() += letter;
    if (separators.find(letter) != std::string_view::npos) result.emplace_back();
  }
  return result;
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& piece : list) text += piece;
  return text;
}

void change_pieces(std::vector<std::string>& list, Random& random) {
  const std::size_t one = below(random, list.size()), other = below(random, list.size());
  switch (below(random, 4)) {
    case 0:
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(one));
      if (list.empty()) list.emplace_back();
      return;
    case 1:
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(one), std::string(list[other]));
      return;
    case 2:
      std::swap(list[one], list[other]);
      return;
    default:
      list[one] = list[other];
  }
}

std::string mutated_lines(std::string_view text, std::size_t changes, Random& random) {
  std::vector<std::string> lines = pieces(text, "\n");
  while (changes-- > 0) {
    if (below(random, 2) == 0) {
      change_pieces(lines, random);
      continue;
    }
    std::string& line = lines[below(random, lines.size())];
    std::vector<std::string> words = pieces(line, " \t,:;=()[]\n");
    if (below(random, 2) == 0) {
      change_pieces(words, random);
    } else {
      std::string& word = words[below(random, words.size())];
      const std::string end = word.empty() ? "" : word.substr(word.size() - 1);
      word = odd_word(random) + (end.find_first_of(" \t,:;=()[]\n") == 0 ? end : "");
    }
    line = joined(words);
  }
  return joined(lines);
}

}  // namespace

Structure structure_of(std::string_view input) {
  for (const std::string_view text : {input, input.substr(format_line(input).size())}) {
    if (is_json(text)) return Structure::json;
    if (is_xml(text)) return Structure::xml;
  }
  return Structure::lines;
}

std::string mutated(std::string_view input, std::uint32_t seed) {
  Random random(seed);
  const Structure structure = structure_of(input);
  const bool is_named = structure == Structure::lines || (!is_json(input) && !is_xml(input));
  const auto head = is_named ? format_line(input) : std::string_view();
  const auto text = input.substr(head.size());
  const std::size_t changes = 1 + below(random, 4);
  return std::string(head) + (structure == Structure::json  ? mutated_json(text, changes, random)
                              : structure == Structure::xml ? mutated_xml(text, changes, random)
                                                            : mutated_lines(text, changes, random));
}

}  // namespace vtopo::fuzz
