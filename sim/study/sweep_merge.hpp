#pragma once

#include <span>
#include <string>

namespace vtopo::detail {

/// Text of all lines of files of sweep results: each key once, sorted by key. A result stands for
/// its scenario where another file has a failure of it.
/// @throws InputError for two different results of one scenario, with their places, and as
/// `read_sweep_lines`.
std::string merged_sweeps(std::span<const std::string> paths);

}  // namespace vtopo::detail
