#pragma once

#include <vector>

#include "sim/draw/row_pictures.hpp"

namespace vtopo::detail {

/// Pictures of one row of a report.
struct RowFigures {
  std::size_t row = 0;
  std::vector<Figure> figures;
};

/// All pictures of a report; those of different rows have the same scales.
struct ReportFigures {
  Figure traffic_by_rank;
  std::vector<RowFigures> rows;  ///< baseline and best among them, in the order of the report
};

/// Draws the rows of a report, at most `max_rows` of them (at least 2): the baseline, the best
/// one, then the others in order.
/// @param source has the rows of the report.
ReportFigures draw_report(const Report& report, const PictureSource& source, std::size_t max_rows);

}  // namespace vtopo::detail
