#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vtopo::detail::lint {

enum class UnitKind { bandwidth, time, speed };

/// What SimGrid 3.32 multiplies a number with this unit with; no unit: its base unit.
std::optional<double> unit_factor(UnitKind kind, std::string_view unit);

/// `Bps`, `s` or `f`.
std::string_view base_unit(UnitKind kind);

/// The unit that `unit` was probably meant to be: spelt with other cases, blanks or `/s`.
std::optional<std::string> likely_unit(UnitKind kind, std::string_view unit);

/// The units that people write.
std::string_view unit_names(UnitKind kind);

}  // namespace vtopo::detail::lint
