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

}  // namespace vtopo::detail
