#include "topology/patterns/pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/library_rules.hpp"

namespace vtopo {

using namespace detail;

namespace {

void check_number(std::string_view text, std::int64_t smallest, std::int64_t largest) {
  const auto value = parse_integer(text);
  if (!value || *value < smallest || *value > largest)
    throw UsageError(
        fmt::format("\"{}\" is not a whole number from {} to {}", text, smallest, largest));
}

void check_sub(std::string_view text) {
  if (names_axes(text)) return;
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
  names.emplace_back("auto");
  entry_named("unknown algorithm", text, names);
}

void check_library(std::string_view text) {
  entry_named("unknown library", text, ruled_libraries());
}

void check_segment(std::string_view text) {
  if (parse_bytes(text).value <= 0)
    throw UsageError(fmt::format("\"{}\" is not more than 0 bytes", text));
}

void check_value(const std::string& pattern, std::string_view key, const std::string& value) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t largest_int = std::numeric_limits<int>::max();
  if ((key == "name" || key == "with") && value.empty())
    throw UsageError("expected a name, such as name=halo and with=halo");
  if (key == "bytes") parse_bytes(value);
  if (key == "repeat") check_number(value, 1, 1'000'000'000);
  if (key == "sub") check_sub(value);
  if (key == "dims") check_dims(value);
  if (key == "algorithm") check_algorithm(pattern, value);
  if (key == "library") check_library(value);
  if (key == "segment") check_segment(value);
  if (key == "segments") check_number(value, 1, max_segments);
  if (key == "children") entry_named("unknown value", value, std::array{"together", "in_turn"});
  if (key == "shape")
    for (const std::string_view size : split(value, 'x')) check_number(size, 1, largest_int);
  if (key == "ports") check_number(value, 1, max_ports);
  if (key == "radix" || key == "window" || key == "channels" || key == "ranks_per_node")
    check_number(value, 1, largest_int);
  if (key == "root") check_number(value, 0, largest_int);
  if (key == "offset") check_number(value, -largest, largest);
  if (key == "seed") check_number(value, 0, largest);
}

/// Of a collective that a name stands for too.
std::string_view without_alias(std::string_view name) {
  return name == "broadcast" ? "bcast" : name;
}

const PatternInfo& find_pattern(std::string_view name) {
  return entry_named("unknown pattern", without_alias(name), pattern_infos());
}

void check_key(const PatternInfo& info, std::string_view key) {
  std::vector<std::string> keys{"bytes", "repeat", "name", "with"};
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

bool has_key(const CollectiveAlgorithm& algorithm, std::string_view key) {
  if (key == "order") return !algorithm.orders.empty();
  const std::string_view needed = key == "segment" ? "segments" : key;
  return std::find(algorithm.keys.begin(), algorithm.keys.end(), needed) != algorithm.keys.end();
}

/// Keys that only some algorithms of a collective have.
constexpr std::string_view algorithm_keys[] = {"order",    "segments",      "segment", "radix",
                                               "window",   "children",      "shape",   "ports",
                                               "channels", "ranks_per_node"};

/// Options of all algorithms of a collective together.
std::vector<std::string_view> collective_keys(std::string_view name, bool rooted) {
  std::vector<std::string_view> keys{"algorithm", "library"};
  for (const std::string_view key : algorithm_keys)
    for (const CollectiveAlgorithm& algorithm : collective_algorithms())
      if (algorithm.collective == name && has_key(algorithm, key)) {
        keys.push_back(key);
        break;
      }
  if (rooted) keys.push_back("root");
  keys.push_back("sub");
  return keys;
}

PatternInfo collective(std::string_view name, std::string_view summary, bool rooted) {
  return {name, summary, collective_keys(name, rooted)};
}

/// Options that an algorithm does not have, or that contradict each other.
void check_options(const PatternSpec& spec) {
  const bool automatic = is_automatic(spec);
  if (automatic != spec.options.contains("library"))
    throw UsageError(fmt::format(
        "pattern {}: algorithm=auto and library={} go together", spec.name,
        join(std::vector<std::string>{ruled_libraries().begin(), ruled_libraries().end()}, "|")));
  if (spec.options.count("segment") + spec.options.count("segments") > 1)
    throw UsageError(fmt::format(
        "pattern {}: segment= and segments= say the same; accepted is one of them", spec.name));
  const CollectiveAlgorithm* algorithm = automatic ? nullptr : algorithm_of(spec);
  std::vector<std::string> accepted;
  for (const std::string_view key : algorithm_keys)
    if (algorithm != nullptr ? has_key(*algorithm, key)
                             : key == "ranks_per_node" && depends_on_nodes(spec))
      accepted.emplace_back(key);
  for (const std::string_view key : algorithm_keys)
    if (spec.options.find(key) != spec.options.end() &&
        std::find(accepted.begin(), accepted.end(), key) == accepted.end())
      throw UsageError(fmt::format(
          "pattern {}: algorithm {} has no option \"{}\"; {}", spec.name,
          algorithm == nullptr ? "auto" : algorithm->name, key,
          accepted.empty() ? "it has none of its own" : "accepted: " + join(accepted, ", ")));
}

}  // namespace

bool depends_on_nodes(const PatternSpec& spec) {
  const auto library = spec.options.find("library");
  if (is_automatic(spec)) return library != spec.options.end() && library->second == "nccl";
  const CollectiveAlgorithm* algorithm = algorithm_of(spec);
  if (algorithm == nullptr || !has_key(*algorithm, "ranks_per_node")) return false;
  const bool only_in_channels = algorithm->name == "ring" || algorithm->name == "chain";
  return !only_in_channels || spec.options.contains("channels");
}

const std::vector<PatternInfo>& pattern_infos() {
  static const std::vector<PatternInfo> infos{
      {"halo", "every neighbour of the topology at once", {}},
      {"phased", "one neighbour after the other: MPI_Cart_shift by dimension and direction", {}},
      {"neighbor_alltoall", "every neighbour at once, the same volume to each", {}},
      collective("allreduce", "MPI_Allreduce of a vector", false),
      collective("allgather", "MPI_Allgather, volume of one rank", false),
      collective("reduce_scatter", "MPI_Reduce_scatter_block, volume that each rank gets", false),
      collective("alltoall", "MPI_Alltoall, volume from each rank to each other", false),
      collective("bcast", "MPI_Bcast of a message", true),
      collective("reduce", "MPI_Reduce of a vector", true),
      collective("gather", "MPI_Gather, volume of one rank", true),
      collective("scatter", "MPI_Scatter, volume of one rank", true),
      collective("barrier", "MPI_Barrier", false),
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
  for (const PatternSpec& spec : specs) check_options(spec);
  return specs;
}

std::string to_string(const PatternSpec& spec) {
  std::string text = spec.name;
  for (const auto& [key, value] : spec.options)
    text += fmt::format("{}{}={}", text.size() == spec.name.size() ? ":" : ",", key, value);
  return text;
}

bool names_axes(std::string_view sub) {
  const auto pieces = split(sub, '-');
  return std::all_of(pieces.begin(), pieces.end(),
                     [](std::string_view piece) { return is_axis_name(piece); });
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
