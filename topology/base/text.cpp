#include "topology/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>

#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"
#include "topology/base/lower_case.hpp"

namespace vtopo {

std::string to_string(const FilePosition& position) {
  std::string text = position.file;
  if (position.line > 0) text += fmt::format(":{}", position.line);
  if (position.line > 0 && position.column > 0) text += fmt::format(":{}", position.column);
  return text;
}

InputError input_error(const FilePosition& position, std::string_view sentence) {
  return InputError(fmt::format("{}: {}", to_string(position), sentence));
}

}  // namespace vtopo

namespace vtopo::detail {

void append_formatted(std::string& text, fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(std::back_inserter(text), format, arguments);
}

namespace {

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// Levenshtein distance, one row of the table at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  auto value = parse_whole<double>(text);
  if (const auto d = text.find_first_of("dD"); !value && text.find('.') < d && d != text.npos)
    value = parse_whole<double>(std::string(text).replace(d, 1, "e"));
  if (!value || std::isnan(*value)) return std::nullopt;
  return value;
}

LeadingNumber leading_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  LeadingNumber result{std::nullopt, text.substr(static_cast<std::size_t>(stop - text.data()))};
  if (error == std::errc{} && !std::isnan(value)) result.value = value;
  return result;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const auto position = text.find(separator);
    pieces.push_back(text.substr(0, position));
    if (position == std::string_view::npos) return pieces;
    text.remove_prefix(position + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_slip = 64;  // beyond it, nobody mistyped a name
  if (word.size() > longest_slip) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > 2 * longest_slip) continue;
    const std::size_t distance = edit_distance(lower_case(word), lower_case(candidate));
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const auto close = nearest(word, candidates);
  return close ? "; did you mean \"" + *close + "\"?" : std::string();
}

}  // namespace vtopo::detail
