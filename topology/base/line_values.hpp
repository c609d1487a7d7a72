#pragma once

#include <string_view>

#include "topology/base/ids.hpp"
#include "topology/base/input_limits.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

/// The most ranks that a file may name: a slip such as rank 2000000000 in a file of one line must
/// not allocate gigabytes.
inline constexpr int max_ranks_in_file = input_limit(16777216, 4096);

/// Rank written in `token` of the current line.
/// @throws InputError unless it is an integer in 0..max_ranks_in_file-1.
Rank read_rank(const LineFile& file, const Token& token);

/// Number of `what` written in `token`, decimal or such as `1e6`.
/// @throws InputError unless it is finite and >= 0.
double read_number(const LineFile& file, const Token& token, std::string_view what);

/// Number of messages written in `token`.
/// @throws InputError unless it is an integer in 0..2147483647.
int read_messages(const LineFile& file, const Token& token);

}  // namespace vtopo::detail
