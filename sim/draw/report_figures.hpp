#pragma once

#include <string>
#include <vector>

#include "sim/draw/row_pictures.hpp"

namespace vtopo::detail {

/// Loads of links of one row, of all of them or of those that are used.
struct PartLoads {
  CellPicture cells;
  std::vector<double> quantiles;
};

/// Pictures of loads of the rows of a report. Where three quarters of the links or more carry
/// nothing under any of the rows, as of a small job on a large machine, they are about the others.
struct UsedPart {
  std::vector<PartLoads> rows;
  std::string caption;  ///< how many links are left out; empty: none
};

/// Chooses the links that pictures of loads are about.
UsedPart used_part(const PictureSource& source);

/// Pictures of one row of a report.
struct RowFigures {
  std::size_t row = 0;
  std::vector<Figure> figures;
};

/// All pictures of a report; those of different rows have the same scales.
struct ReportFigures {
  Figure traffic_by_rank;
  std::vector<RowFigures> rows;  ///< baseline and best among them, in the order of the report
  std::string network;           ///< see `network_data`, of these rows
};

/// Draws the rows of a report, at most `max_rows` of them (at least 2): the baseline, the best
/// one, then the others in order. Scales end at the most of the rows that are drawn.
/// @param source has the rows of the report.
ReportFigures draw_report(const Report& report, const PictureSource& source, std::size_t max_rows);

}  // namespace vtopo::detail
