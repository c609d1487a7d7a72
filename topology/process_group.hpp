#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo {

/// How two groups or communicators relate (MPI_Comm_compare): the same object; the same processes
/// in the same order; the same processes in another order; different processes.
enum class Comparison { identical, congruent, similar, unequal };

/// Ordered set of one or more processes; the place of a process in it is its rank. Consecutive
/// processes take no memory per process; copies share theirs.
class ProcessGroup {
 public:
  /// `size` processes, `first` at rank 0, each next one with the next id.
  /// @throws MpiError (MPI_ERR_GROUP) if the size is < 1 or the last id exceeds 2^31-1.
  static ProcessGroup consecutive(ProcessId first, int size);

  /// @param processes one per rank.
  /// @throws MpiError (MPI_ERR_GROUP) if there is none or one stands there twice.
  explicit ProcessGroup(std::vector<ProcessId> processes);

  int size() const { return size_; }  ///< number of processes, >= 1

  /// Process at `rank`.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the group.
  ProcessId process(Rank rank) const;

  /// Rank of `process`; none if it does not belong to the group (MPI_UNDEFINED).
  std::optional<Rank> rank_of(ProcessId process) const;

  /// The processes of ranks 0..size-1.
  /// @throws MpiError (MPI_ERR_GROUP) if the size is < 1 or larger than this group.
  ProcessGroup first(int size) const;

  /// Whether both hold the same processes in the same order.
  friend bool same_order(const ProcessGroup& a, const ProcessGroup& b);

 private:
  struct Listed;

  ProcessGroup(ProcessId first, int size) : first_(first), size_(size) {}

  ProcessId first_{};
  int size_ = 0;
  std::shared_ptr<const Listed> listed_;  ///< absent for consecutive processes
};

/// `identical` for the same processes in the same order (MPI_Group_compare), never `congruent`.
Comparison compare(const ProcessGroup& a, const ProcessGroup& b);

}  // namespace vtopo
