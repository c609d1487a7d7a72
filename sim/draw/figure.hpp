#pragma once

#include <string>

namespace vtopo::detail {

/// One picture of a report in all its forms.
struct Figure {
  std::string name;     ///< of its files, without extension: `links`, `hops`
  std::string title;    ///< human-readable
  std::string caption;  ///< what is aggregated or left out, human-readable; may be empty
  std::string kind;     ///< how a page reads `data`: `cables`, `cells`, `bars` or `curve`
  std::string svg;      ///< element without style sheet, see `svg_file`
  std::string data;     ///< JSON: what a page says of the things under the pointer
  std::string csv;      ///< the numbers, with a header
};

}  // namespace vtopo::detail
