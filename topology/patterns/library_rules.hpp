#pragma once

#include <span>
#include <string_view>

#include "topology/base/units.hpp"

namespace vtopo::detail {

/// What a library or benchmark calls an algorithm, and which one of `collective_algorithms` it is.
struct LibraryAlgorithm {
  std::string_view library;     ///< openmpi, mpich, fujitsu, pico
  std::string_view collective;  ///< as in `collective_algorithms`; empty: all with rules
  std::string_view name;        ///< as the library spells it
  /// Options of a pattern, such as `algorithm=chain,radix=4`; empty: none of them, for the reason.
  std::string_view options;
  std::string_view note;  ///< why there are no options, or why these
};

/// All that is known, of Open MPI 4.1, MPICH 4.0, Fujitsu MPI (made from Open MPI) and the
/// benchmark suite PICO (github HLC-Lab/pico), with the names that PICO gives them.
std::span<const LibraryAlgorithm> library_algorithms();

/// Null if there is no such row; library `cray` has those of `mpich` but for its own.
const LibraryAlgorithm* find_library_algorithm(std::string_view library,
                                               std::string_view collective, std::string_view name);

/// Which algorithm a library takes when none is asked for, in rows of one range of communicators.
struct LibraryRule {
  std::string_view library;
  std::string_view collective;
  int ranks_below;  ///< 0: all that no row before has
  /// `NAME<BYTES NAME<BYTES NAME`: the first whose limit is above the volume. `<elements`: where
  /// there are fewer elements of 4 bytes than the largest power of two of ranks.
  std::string_view choice;
  bool powers_of_two = false;  ///< the row is only for such numbers of ranks
};

/// Open MPI 4.1.4, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, for commutative operations;
/// MPICH 4.0.2, src/mpi/coll/src/csel_json_autogen.c (MPII_coll_generic_json), for one process per
/// node, commutative and predefined operations; NCCL 2.30.7, src/graph/tuning.cc, with
/// NCCL_ALGO=Ring,Tree: but for allreduce, which `library_choice` takes by its cost model.
std::span<const LibraryRule> library_rules();

/// Libraries that have rules.
std::span<const std::string_view> ruled_libraries();

/// What the library takes, as its own name.
/// @param library one of `ruled_libraries`.
/// @param ranks >= 2.
/// @param volume as in `collective_algorithms`.
/// @param ranks_per_node what `nccl` chooses by.
/// @throws UsageError where the library has no such collective, or nodes would not be full.
std::string_view library_choice(std::string_view library, std::string_view collective, int ranks,
                                Bytes volume, int ranks_per_node = 1);

}  // namespace vtopo::detail
