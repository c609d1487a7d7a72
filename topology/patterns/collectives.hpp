#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// What one call of a collective operation leaves open.
struct CollectiveOptions {
  int root = 0;               ///< of collectives that have one
  std::int64_t segments = 1;  ///< equal pieces in which a message follows its way
  int radix = 0;              ///< of trees and digits; 0: that of the algorithm's row
  int window = 0;             ///< messages that a rank has under way at once; 0: all
  /// Whether a rank of a tree serves its children at once or in turn; absent: as the algorithm
  /// does.
  std::optional<bool> together = std::nullopt;
  /// Sizes of the torus that the ranks are numbered along, the first dimension fastest; empty: one
  /// ring.
  std::vector<int> shape = {};
  int ports = 1;  ///< parts of the vector, each of which goes a way of its own
  /// Equal parts of the vector, the k-th of which enters and leaves nodes at their k-th rank.
  int channels = 1;
  int ranks_per_node = 1;  ///< of the communicator; those of a node follow each other
  std::string order = {};  ///< one of the algorithm's row; empty: the first
};

/// For which numbers of ranks something exists.
enum class RankNumbers { any, even, powers_of_two };

/// In which order an algorithm takes its partners.
struct PartnerOrder {
  std::string_view name;                 ///< as `order=` spells it
  RankNumbers ranks = RankNumbers::any;  ///< that have it
};

/// A way to do a collective operation with messages between two ranks.
struct CollectiveAlgorithm {
  std::string_view collective;  ///< name of the pattern
  std::string_view name;        ///< as `algorithm=` spells it
  /// @param ranks of the communicator, >= 2, of which the algorithm exists.
  /// @param options checked; radix and order are given. Use `make_steps`.
  CommunicationSteps (*steps)(int ranks, const CollectiveOptions& options) = nullptr;
  std::vector<std::string_view> keys = {};  ///< its options: segments, radix, window, ...
  std::vector<PartnerOrder> orders = {};  ///< the first that exists is the default; empty: only one
  int radix = 0;                          ///< where none is given
  RankNumbers ranks = RankNumbers::any;   ///< that have it
  /// `CommunicationSteps::copies` of Open MPI 4.1 (ompi/mca/coll/base), the fuller of one that
  /// depends on the rank.
  double copies = 0;
};

/// All of them; the first of a collective is the one that is taken when none is named.
///
/// Volumes, as the arguments of the MPI function have them, slots in brackets:
/// - `allreduce`, `reduce`: the vector of a rank (equal shares of it);
/// - `bcast`: the message (equal shares of it);
/// - `allgather`, `gather`: what each rank contributes (slot r of rank r);
/// - `reduce_scatter`, `scatter`: what each rank gets (slot r for rank r);
/// - `alltoall`: what each rank sends to each other one (slot d goes d ranks further; `pairwise`
///   and `linear` send from one buffer and receive into another, `bruck` has one);
/// - `barrier`: none.
/// Slots of a vector are equal shares of it and need not be whole bytes.
std::span<const CollectiveAlgorithm> collective_algorithms();

/// Steps of an algorithm; none for a single rank.
/// @throws UsageError with the reason if it does not exist for so many ranks, or not with these
/// options.
CommunicationSteps make_steps(const CollectiveAlgorithm& algorithm, int ranks,
                              CollectiveOptions options);

/// Most segments of a message.
inline constexpr std::int64_t max_segments = 1'000'000'000;

/// Most parts of a vector that go ways of their own.
inline constexpr int max_ports = 64;

/// Whether a library chooses the algorithm.
bool is_automatic(const PatternSpec& spec);

/// The algorithm that is named, or the first of the collective; null if the pattern is none.
const CollectiveAlgorithm* algorithm_of(const PatternSpec& spec);

/// The pattern with the algorithm and the options that the library takes, as it is if none does.
PatternSpec with_algorithm(const PatternSpec& spec, int ranks, Bytes volume);

/// Steps of a collective.
/// @param spec of an algorithm, not `auto`.
/// @throws UsageError with the reason if the pattern does not exist for so many ranks.
CommunicationSteps collective_steps(const PatternSpec& spec, int ranks, Bytes volume);

}  // namespace vtopo::detail
