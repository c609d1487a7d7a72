#pragma once

#include <string>
#include <vector>

#include "sim/clock/simgrid/rank_stage.hpp"

namespace vtopo::detail {

/// What a rank waits for.
struct RankWait {
  enum class Kind { nothing, send, receive, barrier, finished };

  Kind kind = Kind::nothing;
  MessageEnds ends = {};  ///< of a send or receive; of a barrier the context alone
  Bytes volume = {};      ///< of a send
};

/// The sentence of a deadlock: who waits for whom, as a cycle if there is one, else the first few.
/// @param waits one per rank of the job.
/// @param missing ranks that have not come to the barrier of a context, by context.
std::string describe_deadlock(Seconds time, const std::vector<RankWait>& waits,
                              const std::vector<std::vector<Rank>>& missing);

}  // namespace vtopo::detail
