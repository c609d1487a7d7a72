#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

class RankStage;

}  // namespace vtopo::detail

namespace vtopo {

/// A process of a simulated job as its function sees it: its rank in a communicator, and what it
/// does. Communication is between real data or, where only time matters, volumes. No rank stands
/// for MPI_PROC_NULL: nothing is sent or received. A send ends when its data has arrived, as
/// MPI_Ssend does, whatever the size. Messages between two ranks with the same tag on the same
/// communicator arrive in the order sent.
/// Every function throws MpiError (MPI_ERR_RANK) for a rank outside the communicator; what a rank
/// function lets through ends the run with its words.
class SimulatedRank {
 public:
  /// Internal: `run_ranks` makes them. The communicator and the stage must outlive it.
  SimulatedRank(detail::RankStage& stage, const Communicator& communicator, Rank world_rank);

  Rank rank() const { return rank_; }                 ///< in this communicator (MPI_Comm_rank)
  int size() const { return communicator_->size(); }  ///< number of ranks (MPI_Comm_size)
  /// The communicator that ranks are numbered by.
  const Communicator& communicator() const { return *communicator_; }

  /// Simulated time since the start.
  Seconds time() const;

  /// The same process on another communicator, whose processes are ranks of the job. Make it
  /// outside and share it: each construction is a communicator of its own. It must live as long.
  /// @throws UsageError if this process does not belong to it.
  SimulatedRank on(const Communicator& communicator) const;

  /// Coordinates in the Cartesian topology of the communicator (MPI_Cart_coords).
  /// @throws MpiError (MPI_ERR_TOPOLOGY) without one; likewise `shift`.
  std::vector<int> coords() const;

  /// Whom this rank receives from and sends to in a shift of all (MPI_Cart_shift).
  ShiftRanks shift(int direction, int displacement) const;

  /// Works for `time` >= 0 of simulated time on a core of its own.
  /// @throws UsageError for a negative or infinite time.
  void compute(Seconds time) const;

  /// Works for `flops` / RankOptions::flops_per_second.
  void compute_flops(double flops) const;

  /// Waits until all ranks of the communicator have come; takes no time by itself.
  void barrier() const;

  /// Sends and waits for the end.
  void send(std::optional<Rank> destination, std::span<const std::byte> data, int tag = 0) const;

  /// Data of the next message from `source`; nothing from no rank.
  std::vector<std::byte> receive(std::optional<Rank> source, int tag = 0) const;

  /// Sends to `partners.destination` while it receives from `partners.source`.
  std::vector<std::byte> sendrecv(const ShiftRanks& partners, std::span<const std::byte> data,
                                  int tag = 0) const;

  /// The same without data.
  void sendrecv(const ShiftRanks& partners, Bytes volume, int tag = 0) const;

  /// A message that the rank has started and must wait for once; nothing to wait for with no rank.
  using Request = std::optional<std::size_t>;

  /// Starts to send a volume (MPI_Isend).
  Request start_send(std::optional<Rank> destination, Bytes volume, int tag = 0) const;

  /// Starts to receive a volume (MPI_Irecv).
  Request start_receive(std::optional<Rank> source, int tag = 0) const;

  /// Waits for the end (MPI_Wait).
  void wait(Request request) const;

  /// Lets `wait_next` wait for these, in the order in which they end (MPI_Waitany, until nothing is
  /// left).
  void watch(std::span<const Request> requests) const;

  /// Waits for the next of what is watched; once for each.
  /// @throws UsageError if nothing is left.
  void wait_next() const;

  /// `volume` to every neighbour of the virtual topology and from each, all at once.
  /// @throws UsageError if the communicator has none.
  void neighbor_exchange(Bytes volume) const;

  /// Sends values of a trivially copyable type.
  template <class T>
  void send_values(std::optional<Rank> destination, std::span<const T> values, int tag = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    send(destination, std::as_bytes(values), tag);
  }

  /// Values that `send_values` sent.
  template <class T>
  std::vector<T> receive_values(std::optional<Rank> source, int tag = 0) const {
    return values_of<T>(receive(source, tag));
  }

  /// Sends the values and puts those received in their place (MPI_Sendrecv_replace): as many as fit
  /// into both; without a source they stay.
  template <class T>
  void sendrecv_replace(std::span<T> values, const ShiftRanks& partners, int tag = 0) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto received = sendrecv(partners, std::as_bytes(values), tag);
    if (!received.empty())
      std::memcpy(values.data(), received.data(), std::min(received.size(), values.size_bytes()));
  }

  /// Keeps numbers for the caller of `run_ranks`, in RankRun::records.
  void record(std::string_view key, std::span<const double> values) const;
  /// The same for one number.
  void record(std::string_view key, double value) const { record(key, std::span(&value, 1)); }

 private:
  template <class T>
  static std::vector<T> values_of(const std::vector<std::byte>& bytes) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

  /// Rank of the job behind a rank of the communicator.
  Rank world_rank(Rank rank) const { return Rank{number(communicator_->process(rank))}; }

  detail::RankStage* stage_;
  const Communicator* communicator_;
  int context_;
  Rank rank_;
  Rank world_rank_;
};

/// How to run the ranks.
struct RankOptions {
  NetworkModel model = NetworkModel::cm02;  ///< of SimGrid
  /// Of messages inside a host, > 0; infinity: they take no time.
  BytesPerSecond loopback_bandwidth{std::numeric_limits<double>::infinity()};
  double flops_per_second = 1e9;  ///< of each rank, > 0
  /// Stack of each rank in KiB, 16 to 1048576; when absent 8192 for up to 4,096 ranks, which end
  /// in an error where it is too small, and 32 for more, where nothing guards it.
  std::optional<int> stack_kib = {};
  std::optional<Seconds> time_limit = {};  ///< on the wall; absent: a day
  /// Addresses on top of what this process has, stacks of ranks among them; absent: as much as the
  /// machine has memory, beside the stacks.
  std::optional<Bytes> memory_limit = {};
};

/// What a rank kept with SimulatedRank::record.
struct RankRecord {
  Rank rank{};                 ///< in the job
  Seconds time;                ///< simulated
  std::string key;             ///< as given to `record`
  std::vector<double> values;  ///< as given to `record`
};

/// What happened.
struct RankRun {
  Seconds makespan;                 ///< end of the last rank
  std::vector<Seconds> finish;      ///< end of each rank's function
  CommGraph traffic;                ///< bytes and messages in sum, one edge per pair
  std::vector<RankRecord> records;  ///< in the order of simulated time
};

/// All ranks that have not finished wait for each other; the message says who for whom.
class DeadlockError : public SimulationError {
 public:
  using SimulationError::SimulationError;
};

/// A rank function threw; the message has its rank, the simulated time and its words.
class RankFunctionError : public SimulationError {
 public:
  using SimulationError::SimulationError;
};

/// Runs `function` for every rank of the embedding on its host, by SimGrid's clock, without MPI.
/// Under CM02 bandwidth is shared max-min fairly at zero latency, and a message is received the
/// latencies of its links after its last byte has left; the sender goes on when it has left. The
/// other models see latencies as they are. Ranks run one at a time in a forked child: what the
/// function writes to variables of the caller is lost, `SimulatedRank::record` is not.
/// @throws UsageError for options outside their range and a network that may split flows;
/// DeadlockError, RankFunctionError; SimulationError with SimGrid's own words if the child fails or
/// with the limit that it hits.
RankRun run_ranks(const Network& network, const Embedding& embedding, const RankOptions& options,
                  const std::function<void(const SimulatedRank&)>& function);

/// Version of the SimGrid library that is linked, such as `3.32.0`.
std::string simgrid_version();

}  // namespace vtopo
