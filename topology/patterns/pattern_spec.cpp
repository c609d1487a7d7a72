#include "topology/patterns/pattern_spec.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"
#include "topology/patterns/collectives.hpp"

namespace vtopo {

namespace {

void check_number(std::string_view text, std::int64_t smallest, std::int64_t largest) {
  const auto value = parse_integer(text);
  if (!value || *value < smallest || *value > largest)
    throw UsageError(
        fmt::format("\"{}\" is not a whole number from {} to {}", text, smallest, largest));
}

void check_sub(std::string_view text) {
  for (const int number : dashed_numbers(text))
    if (number > 1)
      throw UsageError(fmt::format("\"{}\" holds {}; accepted is 1 or 0 per dimension, such as 1-0",
                                   text, number));
}

void check_dims(std::string_view text) {
  const auto dims = dashed_numbers(text);
  if (dims.size() != 2 || dims[0] == dims[1])
    throw UsageError(
        fmt::format("\"{}\" does not name two dimensions; accepted is such as 0-1", text));
}

void check_algorithm(const std::string& pattern, std::string_view text) {
  std::vector<std::string> names;
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    if (algorithm.collective == pattern) names.emplace_back(algorithm.name);
  if (std::find(names.begin(), names.end(), text) == names.end())
    throw UsageError(fmt::format("unknown algorithm \"{}\"; accepted: {}{}", text,
                                 join(names, ", "), suggestion(text, names)));
}

void check_value(const std::string& pattern, std::string_view key, const std::string& value) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  if (key == "bytes") parse_bytes(value);
  if (key == "repeat") check_number(value, 1, 1'000'000'000);
  if (key == "sub") check_sub(value);
  if (key == "dims") check_dims(value);
  if (key == "algorithm") check_algorithm(pattern, value);
  if (key == "root") check_number(value, 0, std::numeric_limits<int>::max());
  if (key == "offset") check_number(value, -largest, largest);
  if (key == "seed") check_number(value, 0, largest);
}

const PatternInfo& find_pattern(std::string_view name) {
  std::vector<std::string> names;
  for (const PatternInfo& info : pattern_infos()) {
    if (info.name == name) return info;
    names.emplace_back(info.name);
  }
  throw UsageError(fmt::format("unknown pattern \"{}\"; accepted: {}{}", name, join(names, ", "),
                               suggestion(name, names)));
}

void check_key(const PatternInfo& info, std::string_view key) {
  std::vector<std::string> keys{"bytes", "repeat"};
  keys.insert(keys.end(), info.keys.begin(), info.keys.end());
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    throw UsageError(fmt::format("pattern {} has no option \"{}\"; accepted: {}{}", info.name, key,
                                 join(keys, ", "), suggestion(key, keys)));
}

/// @param word `key=value`.
void add_option(PatternSpec& spec, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(
        fmt::format("option \"{}\" of pattern {}: accepted is key=value", word, spec.name));
  const std::string key(word.substr(0, equals)), value(word.substr(equals + 1));
  check_key(find_pattern(spec.name), key);
  try {
    check_value(spec.name, key, value);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("pattern {}, {}: {}", spec.name, key, error.what()));
  }
  if (!spec.options.emplace(key, value).second)
    throw UsageError(fmt::format("pattern {}: {} is given twice", spec.name, key));
}

}  // namespace

const std::vector<PatternInfo>& pattern_infos() {
  static const std::vector<PatternInfo> infos{
      {"halo", "every neighbour of the topology at once", {}},
      {"phased", "one neighbour after the other: MPI_Cart_shift by dimension and direction", {}},
      {"neighbor_alltoall", "every neighbour at once, the same volume to each", {}},
      {"allreduce", "MPI_Allreduce of a vector", {"algorithm", "sub"}},
      {"allgather", "MPI_Allgather, volume of one rank", {"algorithm", "sub"}},
      {"alltoall", "MPI_Alltoall, volume from each rank to each other", {"algorithm", "sub"}},
      {"broadcast", "MPI_Bcast of a message", {"algorithm", "root", "sub"}},
      {"reduce", "MPI_Reduce of a vector", {"algorithm", "root", "sub"}},
      {"shift", "rank r to rank r + offset, around the end", {"offset", "sub"}},
      {"transpose",
       "two coordinates of a grid, or two halves of the bits, swapped",
       {"dims", "sub"}},
      {"tornado", "just short of half way around every dimension of a grid", {"sub"}},
      {"bit_reversal", "bits of the rank reversed", {"sub"}},
      {"bit_complement", "bits of the rank flipped", {"sub"}},
      {"bit_rotation", "bits of the rank one place down, around the end", {"sub"}},
      {"bit_shuffle", "bits of the rank one place up, around the end", {"sub"}},
      {"random", "a random permutation", {"seed", "sub"}},
  };
  return infos;
}

std::vector<PatternSpec> parse_patterns(std::string_view list) {
  std::vector<PatternSpec> specs;
  for (const std::string_view word : split(list, ',')) {
    const auto colon = word.find(':');
    const bool continues = word.find('=') < colon;
    if (continues && specs.empty())
      throw UsageError(fmt::format("\"{}\" has an option before the first pattern", list));
    if (continues) {
      add_option(specs.back(), word);
      continue;
    }
    specs.push_back({std::string(find_pattern(word.substr(0, colon)).name), {}});
    if (colon != std::string_view::npos) add_option(specs.back(), word.substr(colon + 1));
  }
  return specs;
}

std::string to_string(const PatternSpec& spec) {
  std::string text = spec.name;
  for (const auto& [key, value] : spec.options)
    text += fmt::format("{}{}={}", text.size() == spec.name.size() ? ":" : ",", key, value);
  return text;
}

std::vector<int> dashed_numbers(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string_view piece : split(text, '-')) {
    const auto value = parse_integer(piece);
    if (!value || *value > std::numeric_limits<int>::max())
      throw UsageError(
          fmt::format("\"{}\" is not a list of whole numbers with - between them", text));
    numbers.push_back(static_cast<int>(*value));
  }
  return numbers;
}

}  // namespace vtopo
