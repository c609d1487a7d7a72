#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "topology/base/error.hpp"

namespace vtopo {

/// Error classes of MPI (MPI-5.0, "Error Codes and Classes") that calls on communicators and
/// process topologies return. The most specific class wins: `arg` is for what no other class names.
enum class MpiErrorClass { comm, group, rank, topology, dims, arg, info, other };

/// Name of the class in C: `MPI_ERR_DIMS`.
std::string_view name(MpiErrorClass error_class);

/// What can be wrong in a call on communicators or process topologies.
enum class TopologyCondition {
  null_communicator,
  null_array,
  empty_group,
  process_twice,
  process_above_int,
  first_above_group,
  rank_outside,
  negative_colour,
  one_choice_per_rank,
  no_topology,
  other_topology,
  ranks_of_topology,
  negative_count,
  negative_ndims,
  size_below_one,
  grid_above_int,
  grid_above_group,
  number_of_coordinates,
  coordinate_outside,
  dimension_outside,
  shift_without_dimension,
  number_of_remain_dims,
  number_of_volumes,
  graph_above_group,
  graph_above_int,
  index_descends,
  index_and_edges,
  neighbour_outside,
  edge_outside,
  lengths_differ,
  weight_not_finite,
  weight_no_int,
  weights_of_some,
  edge_of_one_side,
  info_differs,
  reorder_size,
  reorder_outside,
  reorder_twice,
  dims_negative,
  dims_not_divisible,
  dims_product_above_int,
  dims_ranks_below_one,
  dims_none,
  dims_all_fixed
};

/// A condition, the class that MPI gives it, and the sentence for a person with a place ({}) for
/// each value.
struct TopologyConditionRow {
  TopologyCondition condition;  ///< equal to its position in the table
  MpiErrorClass error_class;    ///< what MPI returns
  std::string_view sentence;    ///< format string of fmt
};

/// The one table from condition to class and sentence, in the order of the enumeration.
inline constexpr auto topology_conditions = [] {
  using enum TopologyCondition;
  using Class = MpiErrorClass;
  return std::to_array<TopologyConditionRow>({
      {null_communicator, Class::comm, "{} of a null communicator: accepted is a communicator"},
      {null_array, Class::arg, "{} is null: accepted is an array of {}"},
      {empty_group, Class::group, "a group of {} processes: accepted are 1 or more"},
      {process_twice, Class::group,
       "process {} stands at rank {} and at rank {} of a group: each process may stand there once"},
      {process_above_int, Class::group, "process {} of a group: accepted are up to 2147483647"},
      {first_above_group, Class::group, "the first {} processes of a group: accepted are 1 to {}"},
      {rank_outside, Class::rank, "rank {} is outside 0..{}"},
      {negative_colour, Class::arg,
       "colour {} of rank {}: accepted are 0 or more, or none for no communicator"},
      {one_choice_per_rank, Class::arg, "{} {} for {} ranks: accepted is one for each rank"},
      {no_topology, Class::topology,
       "{} of a communicator without a virtual topology: accepted is one with a {} topology"},
      {other_topology, Class::topology,
       "{} of a communicator with a {} topology: accepted is one with a {} topology"},
      {ranks_of_topology, Class::topology,
       "a virtual topology of {} ranks on a group of {}: the numbers must be equal"},
      {negative_count, Class::arg, "{} {}: accepted are 0 or more"},
      {negative_ndims, Class::dims, "number of dimensions {}: accepted are 0 or more"},
      {size_below_one, Class::dims, "size {} of dimension {}: each size must be >= 1"},
      {grid_above_int, Class::dims, "the grid has more than 2147483647 ranks"},
      {grid_above_group, Class::dims,
       "a grid of {} ranks is larger than the group of {}: accepted are grids up to its size"},
      {number_of_coordinates, Class::arg,
       "{} coordinates for a {}-dimensional grid: accepted is one for each dimension"},
      {coordinate_outside, Class::arg, "coordinate {} of open dimension {} is outside 0..{}"},
      {dimension_outside, Class::dims, "dimension {} of a {}-dimensional grid: accepted are 0..{}"},
      {shift_without_dimension, Class::topology,
       "a shift on a grid of zero dimensions: accepted are grids with one or more"},
      {number_of_remain_dims, Class::dims,
       "remain_dims has {} entries for a {}-dimensional grid: accepted is one for each dimension"},
      {number_of_volumes, Class::dims,
       "{} volumes for a {}-dimensional grid: accepted are 1 or {}"},
      {graph_above_group, Class::arg,
       "a graph of {} ranks is larger than the group of {}: accepted are graphs up to its size"},
      {graph_above_int, Class::arg, "the graph has {} {}: accepted are up to 2147483647"},
      {index_descends, Class::arg,
       "index {} of rank {} comes after {}: the index counts neighbours of all ranks so far and "
       "never descends"},
      {index_and_edges, Class::arg, "index ends with {} for {} edges: the numbers must be equal"},
      {neighbour_outside, Class::rank, "neighbour {} of rank {} is outside 0..{}"},
      {edge_outside, Class::rank, "rank {} of edge {} -> {} is outside 0..{}"},
      {lengths_differ, Class::arg, "{} {} for {} {} given by rank {}: the numbers must be equal"},
      {weight_not_finite, Class::arg, "weight {} of edge {} -> {} is not a finite number >= 0"},
      {weight_no_int, Class::other, "weight {} is not an int: the C interface knows no others"},
      {weights_of_some, Class::arg,
       "rank {} gives weights and rank {} gives none: accepted are weights in all lists or in "
       "none"},
      {edge_of_one_side, Class::arg,
       "edge {} -> {}{} is given {} times by its source and {} times by its destination: the "
       "numbers "
       "must be equal"},
      {info_differs, Class::info,
       "info of rank {} differs from that of rank 0: accepted are the same keys and values from "
       "all"},
      {reorder_size, Class::other,
       "the reorderer returned {} ranks for {}: accepted is one for each new rank"},
      {reorder_outside, Class::other,
       "the reorderer gave new rank {} to rank {}, outside 0..{} of the old communicator"},
      {reorder_twice, Class::other,
       "the reorderer gave new ranks {} and {} to rank {}: each rank may get one"},
      {dims_negative, Class::dims, "size {} of dimension {}: accepted are 0 (free) or more"},
      {dims_not_divisible, Class::dims,
       "{} ranks are not divisible by {}, the product of the fixed sizes"},
      {dims_product_above_int, Class::dims,
       "{} ranks are not divisible by the product of the fixed sizes, which is above 2147483647"},
      {dims_ranks_below_one, Class::arg, "number of ranks {}: accepted are 1 or more"},
      {dims_none, Class::dims, "{} ranks in a grid of zero dimensions: accepted is 1"},
      {dims_all_fixed, Class::dims,
       "{} ranks for a grid of {}: accepted is a grid with a free dimension or with as many "
       "ranks"},
  });
}();

/// Row of `condition` in the table.
constexpr const TopologyConditionRow& row_of(TopologyCondition condition) {
  return topology_conditions[static_cast<std::size_t>(condition)];
}

static_assert(
    [] {
      for (std::size_t i = 0; i < topology_conditions.size(); ++i)
        if (topology_conditions[i].condition != static_cast<TopologyCondition>(i)) return false;
      return topology_conditions.back().condition == TopologyCondition::dims_all_fixed;
    }(),
    "the table has a row for each condition, in their order");

/// An erroneous call on communicators or process topologies, with the class that a C binding
/// returns.
class MpiError : public UsageError {
 public:
  /// @param sentence what is wrong, with its values filled in; see `mpi_error`.
  MpiError(TopologyCondition condition, const std::string& sentence)
      : UsageError(sentence), condition_(condition) {}

  TopologyCondition condition() const { return condition_; }  ///< what is wrong
  /// Error class that MPI returns.
  MpiErrorClass error_class() const { return row_of(condition_).error_class; }

 private:
  TopologyCondition condition_;
};

/// Error for `condition`, its sentence filled with `values`: `throw mpi_error<...>(rank, last)`.
template <TopologyCondition condition, class... Values>
MpiError mpi_error(const Values&... values) {
  constexpr std::string_view sentence = row_of(condition).sentence;
  return MpiError(condition, fmt::format(sentence, values...));
}

}  // namespace vtopo
