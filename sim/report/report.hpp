#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/run/report.hpp"

namespace vtopo {

/// The verdict of a report as a sentence: "greedy is best by static time: it would cut hop-bytes by
/// 38 % and the busiest link by 51 % against block".
std::string verdict(const Report& report);

/// How text for a reader is written.
struct TextStyle {
  std::size_t width = 80;  ///< columns of the terminal; no line is longer if it can be broken
  bool colour = false;     ///< whether with escape sequences
};

/// How the table of a report is written.
struct TableStyle : TextStyle {
  std::string columns = {};  ///< as `--columns`; empty: hop-bytes, busiest link, simulated time
};

/// Table with the change against the baseline, the most loaded links where a row has them, and the
/// verdict.
/// @throws UsageError for columns that there are not.
std::string render_table(const Report& report, const TableStyle& style = {});

/// The end of the table: verdict, assumptions, sensitivity, and how launchers start the placement.
std::string render_answer(const Report& report, const TableStyle& style = {});

/// The same for one row, about time: phases, or one line where there is no schedule.
std::string render_times(const Report& report, const TableStyle& style = {});

/// Header and one line per row, with phases one more per phase, figures of one step, and columns
/// `phase` and `repeat` that are empty for the row itself; numbers in the shortest form that reads
/// back equal.
std::string render_csv(const Report& report);

/// The contract's JSON object, two spaces of indentation, final newline.
/// @param evidence JSON object that becomes its last member; empty: none.
std::string render_json(const Report& report, std::string_view evidence = {});

}  // namespace vtopo
