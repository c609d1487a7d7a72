#include "topology/traffic/node_names.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// `name` up to the number at its end.
std::string_view stem_of(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return name.substr(0, last == name.npos ? 0 : last + 1);
}

/// The numbers behind the prefix that all names have; nothing if there is none, or one has no
/// number.
std::optional<std::vector<std::int64_t>> numbers_in(std::span<const std::string> names) {
  std::vector<std::int64_t> numbers;
  for (const std::string& name : names) {
    const std::string_view stem = stem_of(name);
    const auto number = parse_integer(std::string_view(name).substr(stem.size()));
    if (!number || stem != stem_of(names.front())) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// The numbers as ranks; nothing unless they are 0 to N-1.
std::optional<std::vector<Rank>> ranks_in(std::span<const std::int64_t> numbers) {
  std::vector<Rank> ranks;
  std::vector<bool> seen(numbers.size());
  for (const std::int64_t number : numbers) {
    if (number < 0 || number >= int_size(numbers) || seen[index(number)]) return std::nullopt;
    seen[index(number)] = true;
    ranks.push_back(Rank{narrow<int>(number)});
  }
  return ranks;
}

/// @param name of the n-th node.
template <class Name>
NodeRanks in_order(int count, Name name) {
  NodeRanks result;
  for (int r = 0; r < count; ++r) result.ranks.push_back(Rank{r});
  constexpr int shown = 3;
  std::string who;
  for (int r = 0; r < count; ++r) {
    if (r >= shown && r + 1 < count) continue;
    who += fmt::format("{}\"{}\" is rank {}",
                       r == 0      ? ""
                       : r > shown ? ", ..., "
                                   : ", ",
                       name(r), r);
  }
  result.remark = fmt::format(
      "the names of the nodes are not the numbers 0 to {}: nodes are ranks in the order of the "
      "file, {}",
      count - 1, who);
  return result;
}

}  // namespace

NodeRanks ranks_of_names(std::span<const std::string> names) {
  if (const auto numbers = numbers_in(names))
    if (auto ranks = ranks_in(*numbers)) return {*std::move(ranks), ""};
  return in_order(int_size(names), [&](int n) { return names[index(n)]; });
}

NodeRanks ranks_of_numbers(std::span<const std::int64_t> numbers) {
  if (auto ranks = ranks_in(numbers)) return {*std::move(ranks), ""};
  return in_order(int_size(numbers), [&](int n) { return numbers[index(n)]; });
}

}  // namespace vtopo::detail
