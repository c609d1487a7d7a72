#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/base/id_vector.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// A part of the chain of events that decided when a program ended.
struct PathStep {
  /// What time went into.
  enum class Kind : std::uint8_t {
    local,    ///< work of a rank, between the operation that let it go on and `operation`
    message,  ///< from its start until a rank goes on
    barrier   ///< a rank goes on, since another one has come; takes no time
  };

  Kind kind = Kind::local;
  Rank rank{};                ///< that works, or that waited and goes on
  std::size_t operation = 0;  ///< of this rank: what it did next, or what it waited for
  Seconds begin, end;         ///< on the clock of the program
};

/// Who waited for what, while a program is simulated: one small entry for each wait that took time.
class WaitHistory {
 public:
  explicit WaitHistory(int num_ranks) : last_(num_ranks) {}

  /// A rank posts one end of a message.
  /// @param starts_it whether the message leaves without its other end.
  void posted(std::int32_t message, Rank rank, std::size_t operation, bool starts_it, double now);
  /// A rank that waited for a message goes on at `end`.
  /// @param operation that posted its end of the message.
  void waited(Rank rank, std::size_t operation, std::int32_t message, double end);
  /// All but `last` waited at a barrier for it.
  void met(std::span<const Rank> ranks, Rank last, double now);

  /// The chain that ends with `rank` at `finish`, from time 0 on, without gaps.
  /// @param num_operations of this rank.
  std::vector<PathStep> path_to(Rank rank, std::size_t num_operations, double finish) const;

 private:
  static constexpr std::int64_t none = -1;

  /// What a rank has done last.
  struct Point {
    Rank rank{};
    std::size_t operation = 0;
    std::int64_t wait = none;  ///< before it, among `waits_`
    double time = 0;
  };
  struct Wait {
    PathStep::Kind kind = PathStep::Kind::message;
    std::size_t operation = 0;  ///< of the rank that waits
    Point cause;                ///< whoever came last
    double end = 0;
  };
  struct Post {
    Point last;
    int ends = 0;
    bool is_decided = false;  ///< a message that has left does not care for its receiver
  };

  std::vector<Wait> waits_;
  std::vector<Post> posts_;                           ///< of each message that is under way
  IdVector<Rank, std::optional<std::int64_t>> last_;  ///< wait of each rank
};

}  // namespace vtopo::detail
