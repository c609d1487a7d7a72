#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/platform/lint/checks.hpp"

namespace vtopo::detail::lint {

/// An attribute as it stands in the text, entities not replaced.
struct RawAttribute {
  std::size_t offset = 0;  ///< of its name
  std::string_view name;
  std::string_view value;
};

/// Attributes of a start tag whose name begins at `name_offset`; ends where the text does not look
/// like one.
std::vector<RawAttribute> raw_attributes(std::string_view text, std::size_t name_offset);

/// Where an attribute of an element stands in the text.
std::size_t attribute_offset(std::string_view text, pugi::xml_node element,
                             pugi::xml_attribute attribute);

/// Reads a file into `file.text`, checks that it is text in UTF-8 and parses it. False: a finding
/// says why there is nothing to inspect.
bool read_source(PlatformFile& file, LintReport& report);

/// What stands in front of `<platform>`: XML declaration and document type, as SimGrid wants them.
void check_prolog(Findings& findings);

}  // namespace vtopo::detail::lint
