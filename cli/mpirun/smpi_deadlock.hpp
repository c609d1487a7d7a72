#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vtopo::detail {

/// `rank 3`, `ranks 0, 1, 2 and 5 more`.
std::string ranks_in_words(const std::vector<int>& ranks);

/// The sentence of a deadlock that the overlay reports (`vtopo/ending/v1`, sim/mpi/README.md): who
/// waits for whom in which call, and a ring of them if there is one; in full for at most
/// eight.
std::string deadlock_in_words(const nlohmann::json& ending);

}  // namespace vtopo::detail
