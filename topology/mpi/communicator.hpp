#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/mpi/virtual_topology.hpp"

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

/// Communicator as a value: an ordered group of processes, a context of its own, and at most one
/// virtual topology over its ranks. Copies are handles of the same communicator; each construction
/// makes another one. A process that gets no communicator (MPI_COMM_NULL) gets no value.
class Communicator {
 public:
  /// New communicator.
  /// @throws MpiError (MPI_ERR_TOPOLOGY) if the topology has another number of ranks than the
  /// group.
  explicit Communicator(ProcessGroup group, std::optional<VirtualTopology> topology = std::nullopt);

  /// Its processes in the order of ranks (MPI_Comm_group).
  const ProcessGroup& group() const { return group_; }

  /// Number of processes (MPI_Comm_size).
  int size() const { return group_.size(); }

  /// Rank of a process (MPI_Comm_rank of that process); none if it does not belong here.
  std::optional<Rank> rank_of(ProcessId process) const { return group_.rank_of(process); }

  /// Process behind a rank.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside 0..size-1.
  ProcessId process(Rank rank) const { return group_.process(rank); }

  /// The virtual topology; null if there is none.
  const VirtualTopology* topology() const { return topology_.get(); }

  /// Another communicator with the same group and the same virtual topology (MPI_Comm_dup).
  Communicator dup() const;

  /// Another communicator of other processes, with the same virtual topology.
  /// @param group as many processes as this one has.
  /// @throws MpiError (MPI_ERR_TOPOLOGY) if it has more or fewer and there is a virtual topology.
  Communicator with_group(ProcessGroup group) const;

  /// Whether both are handles of the same communicator.
  bool same_context(const Communicator& other) const { return context_ == other.context_; }

 private:
  struct Context {};

  ProcessGroup group_;
  std::shared_ptr<const VirtualTopology> topology_;
  std::shared_ptr<const Context> context_;
};

/// Communicator of processes 0..size-1, each at the rank of its id (MPI_COMM_WORLD).
/// @throws MpiError (MPI_ERR_GROUP) if the size is < 1.
Communicator world(int size);

/// Communicator of one process alone (MPI_COMM_SELF).
Communicator self(ProcessId process);

/// How two communicators relate (MPI_Comm_compare); topologies do not count.
Comparison compare(const Communicator& a, const Communicator& b);

/// What one collective call that divides a communicator gives to each of its processes.
class Partition {
 public:
  /// @param part_of one per rank of the divided communicator: position in `parts`, or none.
  Partition(std::vector<Communicator> parts, std::vector<std::optional<std::int32_t>> part_of)
      : parts_(std::move(parts)), part_of_(std::move(part_of)) {}

  /// The new communicators, in ascending order of colour.
  std::span<const Communicator> parts() const { return parts_; }

  /// Communicator of the process that has `rank` in the divided one; none stands for MPI_COMM_NULL.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the divided communicator.
  std::optional<Communicator> of(Rank rank) const;

 private:
  std::vector<Communicator> parts_;
  std::vector<std::optional<std::int32_t>> part_of_;
};

/// What one process passes to `split`.
struct SplitChoice {
  std::optional<int> colour;  ///< processes of one colour (>= 0) get one communicator; none: none
  int key = 0;                ///< order in the new communicator; ties by the old rank
};

/// Divides a communicator (MPI_Comm_split); the new ones carry no virtual topology.
/// @param choices one per rank.
/// @throws MpiError (MPI_ERR_ARG) for a negative colour or another number of choices than ranks.
Partition split(const Communicator& communicator, std::span<const SplitChoice> choices);

}  // namespace vtopo
