#include "sim/run/page_scenario.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "topology/base/line_file.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view report_start = R"(<script type="application/json" id="report">)";
constexpr std::string_view report_end = "</script>";

/// Whether a path ends in `.html` or `.htm`, of which case does not count, as for `--output`.
bool names_page(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".html" || extension == ".htm";
}

/// The report of a page with blanks around it, so that everything stays in its place.
std::string without_markup(std::string page, const std::string& path) {
  const std::size_t start = page.find(report_start);
  const std::size_t end = start == std::string::npos ? start : page.find(report_end, start);
  if (end == std::string::npos)
    throw InputError(
        fmt::format("\"{}\" is not an HTML page that vtopo wrote: it holds no JSON report", path));
  for (std::size_t i = 0; i < page.size(); ++i)
    if ((i < start + report_start.size() || i >= end) && page[i] != '\n') page[i] = ' ';
  return page;
}

}  // namespace

PlacedDocument read_scenario_document(const std::string& path) {
  if (!names_page(path)) return read_placed_json(path);
  return parse_placed_json(without_markup(read_lines(path), path), path);
}

}  // namespace vtopo::detail
