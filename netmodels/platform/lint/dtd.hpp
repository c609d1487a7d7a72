#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo::detail::lint {

/// An attribute that an element may have.
struct DtdAttribute {
  std::string name;
  bool required = false;
  std::vector<std::string> values;  ///< accepted; none: any text
};

/// An element of SimGrid's DTD 4.1, as SimGrid 3.32 reads it.
struct DtdElement {
  std::vector<DtdAttribute> attributes;
  /// Names of children, in groups: children of a group come in any order, groups one after another.
  std::vector<std::vector<std::string>> groups;
  std::string instead;  ///< for deprecated elements: what to write

  const DtdAttribute* attribute(std::string_view name) const;
};

/// The element of this name, or null. For zones see `zone_groups`.
const DtdElement* dtd_element(std::string_view name);

/// Names of all elements.
const std::vector<std::string>& dtd_names();

/// A zone holds zones or hosts, and SimGrid decides by its first child that is not a property:
/// groups of children of a zone whose first child has this name.
const std::vector<std::vector<std::string>>& zone_groups(std::string_view first_child);

/// What to write instead of a name: what it is called today, what it was probably meant to be, or
/// all that there is.
std::string known_name(std::string_view name, std::span<const std::string> known);

}  // namespace vtopo::detail::lint
