#include "sim/draw/document_tables.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/draw/markup.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Lines of a document, each the cells of a row with something between them.
std::string document_rows(std::span<const TextColumn> columns, std::string_view begin,
                          std::string_view between, std::string_view end, auto text_of) {
  std::string text;
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    std::vector<std::string> cells;
    for (const TextColumn& column : columns) cells.push_back(text_of(column.cells[row]));
    text += fmt::format("{}{}{}\n", begin, join(cells, std::string(between)), end);
  }
  return text;
}

/// On one line, without what ends a cell.
std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string markdown_table(std::span<const TextColumn> columns) {
  std::string headings = "|", rule = "|";
  for (const TextColumn& column : columns) {
    headings += fmt::format(" {} |", column.heading);
    rule += column.align == Align::left ? "---|" : "---:|";
  }
  return headings + '\n' + rule + '\n' +
         document_rows(columns, "| ", " | ", " |",
                       [](const std::string& cell) { return markdown_text(cell); });
}

std::string latex_table(std::span<const TextColumn> columns) {
  std::string form;
  std::vector<std::string> headings;
  for (const TextColumn& column : columns) {
    form += column.align == Align::left ? 'l' : 'r';
    headings.push_back(latex_text(column.heading));
  }
  return fmt::format("\\begin{{tabular}}{{{}}}\n\\hline\n{} \\\\\n\\hline\n{}\\hline\n", form,
                     join(headings, " & "),
                     document_rows(columns, "", " & ", " \\\\",
                                   [](const std::string& cell) {
                                     return cell == "-" ? "--" : latex_text(cell);
                                   })) +
         "\\end{tabular}\n";
}

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '<' || c == '>')  // others in the default encoding of fonts, OT1
      result += c == '<' ? "\\textless{}" : "\\textgreater{}";
    else if (c == '|')
      result += "\\textbar{}";
    else if (c == '~' || c == '^')
      result += fmt::format("\\{}{{}}", c);
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += fmt::format("\\{}", c);
    else
      result += c;
  }
  return result;
}

std::string html_table(std::span<const TextColumn> columns) {
  std::string headings;
  for (const TextColumn& column : columns)
    headings += fmt::format("<th scope=\"col\">{}</th>", markup_text(column.heading));
  return fmt::format("<table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>\n", headings,
                     document_rows(columns, "<tr><td>", "</td><td>", "</td></tr>",
                                   [](const std::string& cell) { return markup_text(cell); }));
}

}  // namespace vtopo::detail
