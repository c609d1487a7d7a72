#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/mpi/cartesian.hpp"

namespace vtopo {

/// What the ranks along one axis of a parallel program exchange, by the ring algorithm where they
/// reduce or gather.
enum class AxisExchange {
  allreduce,       ///< volume: the vector of a rank
  allgather,       ///< volume: what each rank contributes
  reduce_scatter,  ///< volume: what each rank gets
  alltoall,        ///< volume: what each rank sends to each other one
  ring,            ///< volume: what each rank sends to the next one, the last to the first
  p2p,             ///< volume: what each rank sends to the next and to the one before
  none
};

/// One way in which a program is parallel: `tp`, `cp`, `ep`, `dp`, `pp` or any other name.
struct ParallelAxis {
  std::string name;                                 ///< without the `axis.` of specifications
  int size = 1;                                     ///< ranks along it, >= 1
  AxisExchange exchange = AxisExchange::allreduce;  ///< among them
  std::optional<Bytes> volume;                      ///< absent: as in the call of `make_comm_graph`
};

/// A program that is parallel in several ways at once, such as the training of a language model.
/// Its ranks form a grid with a dimension per axis; the ranks that differ along one axis only are a
/// communicator of MPI_Cart_sub.
struct ParallelProgram {
  /// In the order of rank numbers: the first one varies fastest, as in Megatron's order.
  std::vector<ParallelAxis> axes;
  Cartesian grid;  ///< dimension d is axis number of axes - 1 - d: the last one varies fastest
};

/// Program of a specification `parallel:AXIS=SIZE[:EXCHANGE[:BYTES]],...`, such as
/// `parallel:tp=8,cp=2:ring:4MiB,dp=16,pp=4`; nothing if the kind is another one. Axes `tp` and
/// `dp` exchange by `allreduce`, `cp` by `ring`, `ep` by `alltoall`, `pp` by `p2p`, others, spelled
/// `axis.NAME=SIZE`, by `allreduce` if nothing is said. Further keys: `order=tp-dp-pp` numbers
/// ranks in another order than that of the axes in the list; `layers=`, `hidden=`, `sequence=`,
/// `micro_batches=` (all four; and `micro_batch=`, `experts_per_token=`, `experts=`,
/// `bytes_per_value=`) give the volumes of the five axes by the formulas of topology/README.md.
/// @throws UsageError for what is malformed, with what is accepted.
std::optional<ParallelProgram> parse_parallel_program(std::string_view spec);

/// Whether `axis.NAME=`, `order=` and `sub=` take a name: a letter, then letters, digits and `_`.
bool is_axis_name(std::string_view name);

/// `tp-cp-dp`: names of the axes, the one that varies fastest first.
std::string axis_order(const ParallelProgram& program);

/// Directed edges.
double max_edges(const ParallelProgram& program);

/// Traffic of all axes at once.
/// @param volume of the axes that have none: one for all, or one per axis in the order of
/// `ParallelProgram::axes`.
/// @throws UsageError if the number of volumes does not fit.
CommGraph make_comm_graph(const ParallelProgram& program, std::span<const Bytes> volume);

}  // namespace vtopo
