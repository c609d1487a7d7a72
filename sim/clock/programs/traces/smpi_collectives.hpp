#pragma once

#include <string_view>
#include <vector>

#include "sim/clock/programs/traces/collective_calls.hpp"
#include "sim/clock/programs/traces/rank_calls.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "topology/traffic/smpi_action.hpp"

namespace vtopo::detail {

/// Collectives in time-independent traces of SMPI, which are those of MPI_COMM_WORLD.
class SmpiCollectives {
 public:
  /// @param options must outlive this.
  SmpiCollectives(int num_ranks, const TraceOptions& options);

  /// Appends the messages of a collective, or nothing if the action is not one.
  /// @return whether it is one.
  /// @throws InputError for arguments that it cannot have.
  bool add(const SmpiAction& action, RankCalls& calls);

 private:
  bool add_even(std::string_view name, const SmpiAction& action, RankCalls& calls);
  bool add_uneven(std::string_view name, const SmpiAction& action, RankCalls& calls);

  const TraceOptions& options_;
  CollectiveCalls collectives_;
  std::vector<Rank> world_;
};

/// Appends local work of so many flops; none: nothing.
void add_flops(double flops, const TraceOptions& options, RankCalls& calls);

}  // namespace vtopo::detail
