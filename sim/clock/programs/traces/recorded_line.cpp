#include "sim/clock/programs/traces/recorded_line.hpp"

#include <fmt/format.h>

#include <cmath>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

void RecordedLine::fail(std::size_t word, std::string_view sentence) const {
  const FilePosition place = word < words.size() ? file_.at(words[word].column) : file_.line_end();
  throw input_error(place, fmt::format("rank {}: {}", number(rank_), sentence));
}

std::string_view RecordedLine::word(std::size_t i) const {
  if (i >= words.size()) fail(i, fmt::format("\"{}\" ends too early", words[0].text));
  return words[i].text;
}

std::int64_t RecordedLine::integer(std::size_t i, std::int64_t least) const {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto value = parse_integer(word(i));
  if (!value || *value < least || *value > most)
    fail(i, fmt::format("\"{}\" is not an integer from {} to {}", word(i), least, most));
  return *value;
}

std::int32_t RecordedLine::small(std::size_t i) const {
  const auto value = integer(i);
  if (value > 2147483647 / 2 - 1) fail(i, fmt::format("\"{}\" is too large", word(i)));
  return narrow<std::int32_t>(value);
}

Rank RecordedLine::peer(std::size_t i) const {
  const auto value = integer(i);
  if (value >= num_ranks_)
    fail(i, fmt::format("rank {} in a trace of {} ranks", value, num_ranks_));
  return Rank{narrow<std::int32_t>(value)};
}

Bytes RecordedLine::bytes(std::size_t i) const {
  return {static_cast<double>(integer(i))};
}

RecordedPart RecordedLine::part(std::size_t i) const {
  const auto ends = split(word(i).substr(1), ':');
  const auto rank = parse_integer(ends.front());
  const auto volume = parse_number(ends.back());
  if (ends.size() != 2 || !rank || *rank < 0 || *rank >= num_ranks_ || !volume || *volume < 0 ||
      !std::isfinite(*volume))
    fail(i, fmt::format("\"{}\"; expected >RANK:BYTES", word(i)));
  return {word(i)[0], Rank{narrow<std::int32_t>(*rank)}, *volume};
}

}  // namespace vtopo::detail
