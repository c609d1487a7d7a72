#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/clock/programs/traces/trace.hpp"
#include "topology/traffic/smpi_trace.hpp"

namespace vtopo::detail {

/// The calls of one rank on their way into a program: operations with their lines, and requests,
/// which are numbered anew.
class RankCalls {
 public:
  /// What a request is known by in a trace.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  /// Operations appended from now on belong to this line.
  void set_line(int line) { line_ = line; }

  /// Operations; those appended since the last call of another function have no lines yet.
  std::vector<Operation>& operations() { return operations_; }
  /// Gives the current line to what was appended.
  void end_call() { lines_.resize(operations_.size(), line_); }

  /// Starts `operation` under a new request that is known by `key`; several may be.
  void start(Operation operation, const Key& key);
  /// Waits for the oldest request of that key.
  /// @return whether there is one.
  bool wait_for(const Key& key);
  /// Waits for everything that is open.
  void wait_for_all();
  bool has_open_requests() const { return num_open_ > 0; }
  /// Whether a request of that key is open.
  bool is_open(const Key& key) const { return open_.contains(key); }

  /// Moves what was gathered into a trace.
  void move_to(Trace& trace, Rank rank);

 private:
  std::vector<Operation> operations_;
  std::vector<std::int32_t> lines_;
  std::map<Key, std::deque<std::int32_t>> open_;
  std::set<std::int32_t> free_;
  std::int32_t num_open_ = 0, num_requests_ = 0;
  int line_ = 0;
};

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
