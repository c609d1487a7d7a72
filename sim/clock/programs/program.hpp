#pragma once

#include <fmt/format.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/input_limits.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// What a rank does next: MPI's point-to-point calls and local work. Made by the functions below.
struct Operation {
  /// Kinds of operations; those of messages as in MPI.
  enum class Kind : std::uint8_t {
    send,           ///< MPI_Send
    receive,        ///< MPI_Recv
    start_send,     ///< MPI_Isend
    start_receive,  ///< MPI_Irecv
    wait,           ///< MPI_Wait
    wait_any,       ///< MPI_Waitany, one of a closed group (wait_any.hpp)
    wait_all,       ///< MPI_Waitall, of all requests that the rank has started
    compute,        ///< local work of a given time
    reduce,         ///< local reduction of a given number of bytes
    copy,           ///< of a given number of bytes inside the memory
    barrier,        ///< of all ranks of the program, or of a group; takes no time by itself
    mark,           ///< nothing; whoever simulates the program reports when ranks come to it
    repeat,         ///< begin of operations that are done several times
    end_repeat      ///< their end
  };

  Kind kind = Kind::compute;
  std::int32_t peer = 0;          ///< of messages: rank of the program at the other end
  std::int32_t tag = 0;           ///< of messages
  std::int32_t communicator = 0;  ///< of messages: those of different communicators never match
  /// Of start_send, start_receive, wait and wait_any; of a barrier its group, 0: all ranks; of a
  /// mark its number.
  std::int32_t request = 0;
  /// Bytes of a message, a reduction or a copy, seconds of `compute`, times of `repeat`; of wait
  /// how many waits of the same call follow, of wait_any how many of its group. A message has the
  /// bytes of its sending end; those of the receiving end are not asked for.
  double amount = 0;
};

/// Whether an operation of this kind is the sending end of a message.
bool is_send(Operation::Kind kind);
/// Whether it is the receiving end.
bool is_receive(Operation::Kind kind);

/// How messages differ besides their source and destination.
struct MessageTag {
  std::int32_t tag = 0;           ///< as in MPI, >= 0
  std::int32_t communicator = 0;  ///< any number
};

/// Messages that match in the order in which their ends are posted.
struct MessageChannel {
  std::int32_t source = 0, destination = 0;  ///< ranks of the program
  std::int32_t tag = 0, communicator = 0;    ///< as in `MessageTag`

  auto operator<=>(const MessageChannel&) const = default;  ///< memberwise

  /// For tables of channels.
  struct Hash {
    std::size_t operator()(const MessageChannel& channel) const;
  };
};

/// Channel of an operation of `rank` that is one end of a message.
MessageChannel channel_of(Rank rank, const Operation& operation);

/// Sends a message and waits until it has left.
Operation send(Rank to, Bytes volume, MessageTag tag = {});
/// Waits for a message.
Operation receive(Rank from, Bytes volume, MessageTag tag = {});
/// Starts to send a message; `request` is a number of this rank, free again after the wait.
Operation start_send(Rank to, Bytes volume, std::int32_t request, MessageTag tag = {});
/// Starts to receive a message.
Operation start_receive(Rank from, Bytes volume, std::int32_t request, MessageTag tag = {});
/// Waits for what was started under that number.
Operation wait(std::int32_t request);
/// Appends a wait for each request, all of one call, as MPI_Waitall of some of those that are open.
void append_waits(std::span<const std::int32_t> requests, std::vector<Operation>& operations);
/// Appends what starts messages, and the waits of one call for them.
void append_with_waits(std::span<const Operation> starts, std::vector<Operation>& operations);
/// Waits for the next that ends of a closed group of requests (wait_any.hpp), of which this is one.
/// @param left how many waits of the group follow.
Operation wait_any(std::int32_t request, int left);
/// Waits for all that the rank has started.
Operation wait_all();
/// Local work.
Operation compute(Seconds time);
/// Local reduction of so many bytes.
Operation reduce(Bytes volume);
/// Copy of so many bytes inside the memory of the rank.
Operation copy(Bytes volume);
/// Waits until all ranks of the program have come.
Operation barrier();
/// Waits until all ranks have come whose operations have barriers of this group, > 0.
Operation barrier(std::int32_t group);
/// Point of the program whose time is of interest; number >= 0, any number of ranks come to it.
Operation mark(std::int32_t number);
/// Does what follows, up to `end_repeat`, `times` >= 1 times. Nests.
Operation repeat(std::int64_t times);
/// Ends what `repeat` began.
Operation end_repeat();

/// What each rank does, in order. Messages match as in MPI: by source, destination, tag and
/// communicator, in the order in which they are posted.
struct Program {
  IdVector<Rank, std::vector<Operation>> ranks;  ///< one entry per rank

  int num_ranks() const { return ranks.size(); }  ///< ranks are from 0 on
};

/// What is wrong with a program: a sentence with rank and operation; nothing if every message has
/// its other end, every request is waited for, and loops are closed and leave the requests open
/// that they found open. Deadlocks show when it runs.
std::optional<std::string> why_not_run(const Program& program);

/// Ranks that come to barriers, by their group; for the group 0 all of the program.
std::map<std::int32_t, int> barrier_ranks(const Program& program);

/// Messages that all ranks send, loops counted.
std::int64_t num_messages(const Program& program);

/// Waits for whichever request ends next (`Operation::Kind::wait_any`). A closed group is a run of
/// them in one body of a loop that count down to 0 and name each request once, all of which are
/// open at the first of them: MPI_Waitany over an array until nothing of it is left. The k-th wait
/// of a group is over when k of its requests are, whichever, so that the requests it names say only
/// which belong to it.
/// Requests of the closed group whose first wait is at `position`.
std::vector<std::int32_t> requests_of_group(const std::vector<Operation>& operations,
                                            std::size_t position);

/// Positions of waits that are in no closed group, in ascending order.
std::vector<std::size_t> waits_outside_groups(const std::vector<Operation>& operations);

/// Those wait for the requests that they name: nobody knows for which others they could.
void name_waits_outside_groups(std::vector<Operation>& operations);

/// The most operations of a rank or of a collective that a trace may ask for: a line of a few bytes
/// stands for messages with every other rank.
inline constexpr double max_trace_operations = input_limit(200e6, 1e5);

/// @throws InputError above the limit.
inline void check_num_operations(double count) {
  if (count > max_trace_operations)
    throw InputError(
        fmt::format("{:.3g} operations; accepted are up to {:.3g}", count, max_trace_operations));
}

}  // namespace vtopo::detail
