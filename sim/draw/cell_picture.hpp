#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/draw/figure.hpp"
#include "sim/draw/value_scale.hpp"

namespace vtopo::detail {

/// A rectangle of cells, first row at the top.
struct CellPanel {
  std::string title;  ///< empty where there is one panel
  int columns = 1;
  int rows = 1;
  std::vector<double> values;      ///< row by row, >= 0
  std::vector<std::string> names;  ///< of cells in the order of values, or empty: by row and column
};

/// Numbers in cells: a matrix, or planes of a network side by side.
struct CellPicture {
  std::string name, title, caption;  ///< see `Figure`
  std::string column_axis;           ///< what columns are, human-readable
  std::string row_axis;
  std::vector<std::string> column_names;  ///< of every panel; empty if cells have names
  std::vector<std::string> row_names;
  std::vector<CellPanel> panels;
};

/// All values of a picture, for a common scale.
std::vector<double> values_of(const CellPicture& picture);

/// Draws the cells; equal levels are one path.
Figure draw_cells(const CellPicture& picture, const ValueScale& scale);

}  // namespace vtopo::detail
