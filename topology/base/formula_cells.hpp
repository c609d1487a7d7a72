#pragma once

#include <string>
#include <string_view>

#include "topology/base/text.hpp"

namespace vtopo::detail {

/// Whether spreadsheets run a cell as a formula, unless a quote comes before it.
inline bool runs_as_formula(std::string_view cell) {
  return cell.size() > 1 && std::string_view("=+-@\t\r").find(cell[0]) != std::string_view::npos &&
         !parse_number(cell);
}

/// A cell that no spreadsheet runs.
inline std::string without_formula(std::string_view cell) {
  return (runs_as_formula(cell) ? "'" : "") + std::string(cell);
}

/// What `without_formula` was given.
inline std::string_view with_formula(std::string_view cell) {
  return cell.starts_with('\'') && runs_as_formula(cell.substr(1)) ? cell.substr(1) : cell;
}

}  // namespace vtopo::detail
