#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "topology/base/append_format.hpp"

namespace vtopo::detail {

/// Text for HTML and SVG, in elements and in quoted attributes: `<>&"'` as entities; control
/// characters, which XML forbids, and bytes that are not UTF-8 as U+FFFD.
std::string markup_text(std::string_view text);

/// JSON for a script element: `<`, `>` and `&` inside its strings as `\u003c`, ...; it stays the
/// same JSON and cannot end the element.
std::string script_json(std::string_view json);

/// An SVG element that grows line by line. Text is put in as it is: callers escape it.
class SvgElement {
 public:
  /// @param label what the picture shows, for those who cannot see it; not escaped.
  SvgElement(double width, double height, std::string_view label);

  template <class... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    append_format(text_, format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  /// Words at a place; `attributes` such as `text-anchor="end"`.
  void put_text(double x, double y, std::string_view words, std::string_view attributes = "");

  /// The whole element.
  std::string text() &&;

 private:
  std::string text_;
};

/// Style sheet of all pictures, with their colours on light and dark ground.
std::string_view picture_css();

/// An element of `SvgElement` as a file that needs nothing else, readable on light and dark ground.
std::string svg_file(const std::string& element);

/// One picture of a report in all its forms.
struct Figure {
  std::string name;     ///< of its files, without extension: `links`, `hops`
  std::string title;    ///< human-readable
  std::string caption;  ///< what is aggregated or left out, human-readable; may be empty
  std::string kind;     ///< how a page reads `data`: `links`, `cells`, `bars`, `curve`, ...
  std::string svg;      ///< element without style sheet, see `svg_file`
  std::string data;     ///< JSON: the numbers behind what lies under the pointer
  std::string csv;      ///< the numbers, with a header
};

}  // namespace vtopo::detail
