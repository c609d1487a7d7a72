#pragma once

#include <string>

#include "cli/command/verb.hpp"

namespace vtopo::detail {

/// What every page names: the version and the date of the release, `2026-01-31`.
struct ManualEdition {
  std::string version;
  std::string date;
};

/// Name of the page of a verb: `vtopo-platform-route`.
std::string man_page_name(const Verb& verb);

/// Manual page of section 1 in the macros of man(7), the same in groff and mandoc.
/// @param command the whole command, to which the page belongs; `verb` is part of it.
std::string man_page(const Verb& verb, const Verb& command, const ManualEdition& edition);

/// `text` as roff shows it, character by character.
std::string roff_text(const std::string& text);

}  // namespace vtopo::detail
