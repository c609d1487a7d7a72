#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::overlay {

/// The interconnect as mappers see it.
struct Machine {
  std::shared_ptr<const Network> network;
  std::unordered_map<std::string, HostId> hosts;  ///< by name
};

/// The machine of VTOPO_NETWORK or VTOPO_PLATFORM, made once; null if neither is set.
/// @throws UsageError or InputError as the network's reader.
const Machine* machine();

/// A call of a constructor: whose ranks may be reordered and how.
struct ConstructorCall {
  std::string_view name;  ///< `cart_create`
  MPI_Comm comm = MPI_COMM_NULL;
  bool reorder = false;
  Info info{};
  /// What distinguishes this problem from others on one communicator: then the processes that ask
  /// alone share one answer. Empty for calls that one process makes for all.
  std::vector<int> key{};
};

/// Makes the communicator's value; empty for one of no processes.
using Construct =
    std::function<std::optional<Communicator>(const Communicator& old, const Reorderer& reorder)>;

/// Constructs by the reorderer of the settings; writes to VTOPO_REPORT if `reports` and an
/// Uncharged lives.
std::optional<Communicator> construct(const ConstructorCall& call, bool reports,
                                      const Construct& make);

/// The reorderer of a call, for the functions that only ask; empty if the order is to be kept.
Reorderer reorderer_of(const ConstructorCall& call);

/// Ranks in an old communicator: those of each new one, in the order of its ranks.
using Parts = std::vector<std::vector<int>>;

/// MPI communicator with a virtual topology of the calling process, one of those made together;
/// MPI_COMM_NULL for processes in none. All leave at one simulated time. Collective; an Uncharged
/// lives.
/// @param function of MPI that asks, which is named in a deadlock.
/// @param parts asked by process 0 alone.
/// @param part of the calling process, with the value of its communicator; none: it is in none.
MPI_Comm realise(const char* function, MPI_Comm old, const std::function<Parts()>& parts,
                 const std::optional<std::pair<int, Communicator>>& part);

/// The same for one communicator; the processes of the value are ranks of `old`.
MPI_Comm realise(const char* function, MPI_Comm old, const std::optional<Communicator>& value);

/// MPI_UNWEIGHTED of vtopo_mpi.h and of Fortran.
inline int* const unweighted = reinterpret_cast<int*>(2);

/// Whether MPI_UNWEIGHTED is a null pointer in the programs opened so far: vtopo_mpi.h has another.
inline bool is_unweighted_null = true;

/// Whether an array of weights is MPI_UNWEIGHTED, which without vtopo_mpi.h is SMPI's null pointer.
inline bool is_unweighted(const int* weights) {
  return weights == unweighted || (weights == MPI_UNWEIGHTED && is_unweighted_null);
}

/// Keys and values of an info; none for MPI_INFO_NULL.
Info info_of(MPI_Info info);

/// Hints that the communicator carries.
Info info_of(MPI_Comm comm);

}  // namespace vtopo::detail::overlay
