#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vtopo::detail {

enum class Trend { cut, same, raise };

/// How a quantity differs from a reference value.
struct Change {
  Trend trend = Trend::same;
  std::optional<double> percent;  ///< size of the difference, >= 0; absent if the reference is 0
};

/// Change from `reference` to `value`, both >= 0. Differences of less than 1e-9 of the reference
/// are rounding of sums and count as none.
Change change(double reference, double value);

/// `38 %`; one decimal below ten percent: `0.4 %`.
std::string percent_text(double percent);

/// `4 %` of 0.04: two digits.
std::string share_text(double share);
/// `4 %, measured: 3.9 % less to 4.1 % more is a tie`, or that it was not measured.
std::string noise_fact(double noise);

/// How far `value` is from `bound`, for sentences: `9.0 % above the lower bound`, `at the lower
/// bound`, `less than 0.1 % below the static bound`, `above the lower bound of 0`.
/// @param bound_name with its article.
std::string gap_text(double bound, double value, std::string_view bound_name);

/// `38 %`, or `less than 0.1 %` where one decimal would be 0; for sentences.
std::string amount_text(double percent);

/// For a column: `-38 %`, `+0.4 %`, `0 %`, `250x` where percentages lose their meaning, or `-`
/// where the reference is 0 and the value is not.
std::string signed_text(const Change& change);

}  // namespace vtopo::detail
