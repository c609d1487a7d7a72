#pragma once

#include <cstddef>
#include <cstdint>

namespace vtopo {

/// Process of a communicator, numbered from 0. Never converts to the other ids.
enum class Rank : std::int32_t {};

/// Process of the whole job, whatever its ranks in communicators. Never converts to a rank.
enum class ProcessId : std::int32_t {};

/// Host of a network, numbered from 0 as SimGrid numbers it (first dimension fastest).
enum class HostId : std::int32_t {};

/// Directed link of a network, numbered from 0.
enum class LinkId : std::int32_t {};

/// Most ranks, hosts or links of one communicator or network: what MPI and the ids can count.
inline constexpr std::int64_t max_id = 2147483647;

/// Number behind an id, for printing and arithmetic.
template <class Id>
constexpr int number(Id id) {
  return static_cast<int>(id);
}

/// Position of an id in a container that has one entry per id.
template <class Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

/// Id of the `position`-th entry of a container that has one entry per id.
template <class Id>
constexpr Id id_at(std::size_t position) {
  return static_cast<Id>(static_cast<std::int32_t>(position));
}

}  // namespace vtopo
