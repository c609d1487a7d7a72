#include "cli/output/output.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "cli/output/printable.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Bytes of a control character at the start of a text, in UTF-8: those below the blank, delete,
/// and U+0080 to U+009F.
std::size_t control_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < ' ' || byte(0) == 0x7f) return 1;
  return text.size() > 1 && byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

/// The sequence of `Ink` that a text begins with; may be empty.
std::string_view ink(std::string_view text) {
  for (const std::string_view sequence : {"\x1b[0m", "\x1b[1m", "\x1b[2m"})
    if (text.starts_with(sequence)) return sequence;
  return {};
}

/// The sentence on one line of bearable length.
std::string on_one_line(std::string_view sentence) {
  constexpr std::size_t longest = 2000, kept = 900;
  std::string text;
  for (const char c : printable(sentence, false)) {
    if (static_cast<unsigned char>(c) < ' ')
      text += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      text += c;
  }
  if (text.size() <= longest) return text;
  return text.substr(0, kept) + " ... " + text.substr(text.size() - kept);
}

}  // namespace

std::string printable(std::string_view text, bool may_have_colour) {
  std::string result;
  while (!text.empty()) {
    const std::string_view kept = may_have_colour ? ink(text) : std::string_view();
    const std::size_t control = kept.empty() ? control_bytes(text) : 0;
    if (control == 0 || text[0] == '\n' || text[0] == '\t')
      result += text.substr(0, std::max<std::size_t>(kept.size(), 1));
    else
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[control - 1]));
    text.remove_prefix(std::max({kept.size(), control, std::size_t{1}}));
  }
  return result;
}

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
    const std::string line = "vtopo: " + on_one_line(sentence) + '\n';
    std::fflush(stdout);
    std::fputs(line.c_str(), stderr);
  } catch (...) {
    std::fputs("vtopo: an error that there is no memory to describe\n", stderr);
  }
}

}  // namespace vtopo::detail
