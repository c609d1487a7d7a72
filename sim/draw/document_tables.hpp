#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/report/text_columns.hpp"

namespace vtopo::detail {

/// A table for documents, whatever the width: the headings without groups, then a row per line.
std::string markdown_table(std::span<const TextColumn> columns);

/// A `tabular` that needs no package; `-` as `--`.
std::string latex_table(std::span<const TextColumn> columns);

/// An element `table` with a head.
std::string html_table(std::span<const TextColumn> columns);

/// Text with what LaTeX reads as commands escaped.
std::string latex_text(std::string_view text);

}  // namespace vtopo::detail
