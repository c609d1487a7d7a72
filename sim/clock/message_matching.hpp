#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

/// Which send meets which receive: messages of one source, destination, tag and communicator match
/// in the order in which their ends are posted, as in MPI.
class MessageMatching {
 public:
  /// @param program must outlive it; its peers are ranks of it.
  explicit MessageMatching(const Program& program);

  /// Posts one end of a message.
  /// @param position of the operation among those of the rank.
  /// @param message number to remember if this end is the first of the two; no message that waits
  /// for its other end has it.
  /// @return number of the message whose other end has been posted; nothing if this is the first.
  std::optional<std::int32_t> post(Rank rank, std::size_t position, std::int32_t message);

 private:
  static constexpr std::int32_t none = -1;

  /// Messages with one end, in the order of their posts.
  struct Channel {
    std::int32_t first = none, last = none;
    bool has_sends = false;  ///< which end it is
  };

  void append(Channel& channel, std::int32_t message);

  const Program& program_;
  IdVector<Rank, std::vector<std::int32_t>> channel_numbers_;  ///< of each operation
  std::vector<Channel> channels_;
  std::vector<std::int32_t> next_;  ///< the message behind each, in the queue of its channel
};

}  // namespace vtopo::detail
