#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace vtopo::detail {

/// Character beyond ASCII that word processors and web pages put in the place of one of ASCII.
struct LookAlike {
  std::string_view bytes;  ///< in UTF-8
  std::string_view code;   ///< of Unicode
  std::string_view ascii;  ///< what it looks like
};

inline constexpr std::array<LookAlike, 19> look_alikes{{{"\xe2\x80\x90", "U+2010", "-"},
                                                        {"\xe2\x80\x91", "U+2011", "-"},
                                                        {"\xe2\x80\x92", "U+2012", "-"},
                                                        {"\xe2\x80\x93", "U+2013", "-"},
                                                        {"\xe2\x80\x94", "U+2014", "-"},
                                                        {"\xe2\x80\x95", "U+2015", "-"},
                                                        {"\xe2\x88\x92", "U+2212", "-"},
                                                        {"\xef\xbc\x8d", "U+FF0D", "-"},
                                                        {"\xef\xb9\xa3", "U+FE63", "-"},
                                                        {"\xc3\x97", "U+00D7", "x"},
                                                        {"\xc2\xa0", "U+00A0", " "},
                                                        {"\xe2\x80\xaf", "U+202F", " "},
                                                        {"\xe2\x80\x98", "U+2018", "'"},
                                                        {"\xe2\x80\x99", "U+2019", "'"},
                                                        {"\xe2\x80\x9c", "U+201C", "\""},
                                                        {"\xe2\x80\x9d", "U+201D", "\""},
                                                        {"\xef\xbc\x8c", "U+FF0C", ","},
                                                        {"\xef\xbc\x9a", "U+FF1A", ":"},
                                                        {"\xe2\x80\x8b", "U+200B", "nothing"}}};

/// `; the character U+2212 in it only looks like "-"` for what a sentence quotes; empty if it has
/// no such character.
inline std::string look_alike_note(std::string_view sentence) {
  std::string note;
  for (const LookAlike& one : look_alikes)
    if (sentence.find(one.bytes) != sentence.npos)
      note += fmt::format(
          "; the character {} in it only looks like {}", one.code,
          one.ascii.size() == 1 ? fmt::format("\"{}\"", one.ascii) : std::string(one.ascii));
  return note;
}

}  // namespace vtopo::detail
