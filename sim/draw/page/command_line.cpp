#include <algorithm>
#include <cctype>

#include "sim/draw/page/page.hpp"

namespace vtopo::detail {

namespace {

std::string quoted(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=+:,./%@").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + '\'';
}

}  // namespace

std::string command_line(const Report& report) {
  std::string text = report.rows.size() == 1 ? "vtopo evaluate" : "vtopo compare";
  for (const auto& [option, value] : report.scenario) {
    text += " --" + option;
    if (value != "true") text += ' ' + quoted(value);
  }
  return text;
}

}  // namespace vtopo::detail
