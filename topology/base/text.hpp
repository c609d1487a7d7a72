#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo::detail {

/// Integer that is the whole of `text`: no sign but '-', no blanks, no trailing characters.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Finite or infinite number (`inf`) that is the whole of `text`; never NaN. Fortran's `8.0D+02`
/// and a sign in front, `+8`, count, too.
std::optional<double> parse_number(std::string_view text);

/// A number in front of other text, as in `10GBps`.
struct LeadingNumber {
  std::optional<double> value;  ///< absent if there is no number, or one that no double can hold
  std::string_view rest;        ///< what follows the number
};

/// Splits off the longest number at the start of `text`; NaN is not a number.
LeadingNumber leading_number(std::string_view text);

/// Pieces of `text` between separators; always at least one, pieces may be empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// `words` joined by `separator`.
std::string join(std::span<const std::string> words, std::string_view separator);

/// The candidate with the smallest edit distance to `word`, if it is close enough to be a slip.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// `; did you mean "greedy"?` for the nearest candidate, or an empty string.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace vtopo::detail
