#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/input_limits.hpp"

namespace vtopo::detail {

/// The most names that one list may expand to: a slip such as `n[0-999999999]` must not fill the
/// memory.
inline constexpr std::size_t max_host_list_names = input_limit<std::size_t>(1048576, 4096);

/// The most letters of all these names together.
inline constexpr std::size_t max_host_list_letters = 64 * max_host_list_names;

/// A name up to the number at its end.
std::string_view stem_of(std::string_view name);

/// The pieces of a list between commas outside of brackets.
std::vector<std::string_view> host_list_pieces(std::string_view list);

/// Names of a host list as Slurm writes it: `tux[0-3,12],rack[1-2]n[00-15]`, with steps as
/// ClusterShell has them, `n[0-62/2]` or `n[0-62:2]`. Numbers keep the leading zeros of the start
/// of their range; several brackets in one name count with the last one fastest. Names in the order
/// of the list.
/// @throws UsageError with the list, the piece at fault and what is accepted.
std::vector<std::string> expand_host_list(std::string_view list);

/// The shortest such list of names in their order: names that differ in a number at their end,
/// each one more than the one before, are a range. Nothing if a name has letters that lists give a
/// meaning.
std::optional<std::string> compressed_host_list(std::span<const std::string> names);

}  // namespace vtopo::detail
