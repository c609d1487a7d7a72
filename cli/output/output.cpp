#include "cli/output/output.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// The sentence on one line of bearable length.
std::string printable(std::string_view sentence) {
  constexpr std::size_t longest = 2000, kept = 900;
  std::string text;
  for (const char c : sentence) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  if (text.size() <= longest) return text;
  return text.substr(0, kept) + " ... " + text.substr(text.size() - kept);
}

}  // namespace

OutputFormat parse_output_format(std::string_view name) {
  if (name == "table") return OutputFormat::table;
  if (name == "csv") return OutputFormat::csv;
  if (name == "json") return OutputFormat::json;
  throw UsageError(
      fmt::format("unknown output format \"{}\"; accepted: table, csv, json{}", name,
                  suggestion(name, std::array<std::string, 3>{"table", "csv", "json"})));
}

OutputFormat output_format_of(std::string_view path) {
  if (path == "-") return OutputFormat::table;
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (extension == ".txt") return OutputFormat::table;
  if (extension == ".csv") return OutputFormat::csv;
  if (extension == ".json") return OutputFormat::json;
  throw UsageError(fmt::format("output file \"{}\" has {}; accepted: .txt, .csv, .json", path,
                               extension.empty()
                                   ? "no extension that names a format"
                                   : fmt::format("the unknown extension \"{}\"", extension)));
}

OutputFormat choose_output_format(const std::optional<std::string>& name,
                                  const std::optional<std::string>& path) {
  if (name) return parse_output_format(*name);
  return path ? output_format_of(*path) : OutputFormat::table;
}

void say(std::string_view sentence) noexcept {
  try {
    const std::string line = "vtopo: " + printable(sentence) + '\n';
    std::fflush(stdout);
    std::fputs(line.c_str(), stderr);
  } catch (...) {
    std::fputs("vtopo: an error that there is no memory to describe\n", stderr);
  }
}

}  // namespace vtopo::detail
