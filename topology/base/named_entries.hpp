#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

/// The entry of a table with this name: a pair that starts with it, a value with a member `name`,
/// or the name itself.
/// @param what in front of the name in the message.
/// @throws UsageError with the names of all entries for another name.
template <class Entries>
const auto& entry_named(std::string_view what, std::string_view name, const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) {
    if constexpr (requires { entry.name; })
      names.emplace_back(entry.name);
    else if constexpr (requires { entry.first; })
      names.emplace_back(entry.first);
    else
      names.emplace_back(entry);
    if (names.back() == name) return entry;
  }
  throw UsageError(fmt::format("{} \"{}\"; accepted: {}{}", what, name, join(names, ", "),
                               suggestion(name, names)));
}

/// The other way round: the name of a value in a table of pairs; empty if it has none.
template <class Entries, class Value>
std::string name_of(const Entries& entries, Value value) {
  for (const auto& [name, named] : entries)
    if (named == value) return std::string(name);
  return {};
}

}  // namespace vtopo::detail
