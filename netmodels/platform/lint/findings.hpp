#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

#include "netmodels/platform/lint/lint.hpp"
#include "netmodels/platform/platform_file.hpp"

namespace vtopo::detail::lint {

/// Part of a sentence in quotes, shortened to what a line can bear.
std::string in_quotes(std::string_view text);

/// `text` shortened to about 80 bytes, whole UTF-8 characters kept.
std::string shortened(std::string_view text);

/// The file under inspection and what has been found in it.
class Findings {
 public:
  Findings(const PlatformFile& file, LintReport& report) : file_(file), report_(report) {}

  const PlatformFile& file() const { return file_; }

  /// A finding at an element.
  void add(std::string_view rule, pugi::xml_node element, std::string_view value,
           std::string sentence, std::string instead);

  /// A finding at an attribute of an element; its value is quoted.
  void add(std::string_view rule, pugi::xml_node element, pugi::xml_attribute attribute,
           std::string sentence, std::string instead);

  /// A finding at a byte of the text.
  void add_at(std::string_view rule, std::size_t offset, std::string_view value,
              std::string sentence, std::string instead);

  /// Remembers that there is an error at the element, if the rule is one.
  void mark(std::string_view rule, pugi::xml_node element);

  /// Whether an error has been found at the element or one of its attributes.
  bool has_error(pugi::xml_node element) const {
    return with_error_.contains(element.offset_debug());
  }

 private:
  const PlatformFile& file_;
  LintReport& report_;
  std::unordered_set<std::ptrdiff_t> with_error_;
};

/// Adds a finding to a report unless it has too many.
void add_finding(LintReport& report, std::string_view rule, FilePosition position,
                 std::string_view value, std::string sentence, std::string instead);

}  // namespace vtopo::detail::lint
