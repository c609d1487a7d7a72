// Reductions and scans. SMPI combines contributions in the order in which they come where a
// function does not block, and in the wrong one in scans of operations that do not commute.

#include <xbt/config.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/ordered_reduction.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Whether SMPI's own function is to say what is wrong.
bool is_wrong(const void* sendbuf, const void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm) {
  return comm == MPI_COMM_NULL || count < 0 || type == MPI_DATATYPE_NULL || op == MPI_OP_NULL ||
         recvbuf == MPI_IN_PLACE || (sendbuf == nullptr && count > 0) ||
         PMPI_Reduce_local(nullptr, nullptr, 0, type, op) != MPI_SUCCESS;
}

/// The counts of a call, none if they are wrong.
std::span<const int> counts_of(const int* counts, MPI_Comm comm) {
  int size = 0;
  if (counts == nullptr || comm == MPI_COMM_NULL || PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
    return {};
  const std::span<const int> all(counts, static_cast<std::size_t>(size));
  return std::any_of(all.begin(), all.end(), [](int count) { return count < 0; })
             ? std::span<const int>()
             : all;
}

std::vector<int> equal_counts(int count, MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return std::vector<int>(static_cast<std::size_t>(size), count);
}

bool commutes(MPI_Op op) {
  int answer = 1;
  PMPI_Op_commutative(op, &answer);
  return answer != 0;
}

/// Whether SMPI's scans are wrong: they combine in another order, and take elements of types that
/// the program made to begin where their extent does.
bool is_scan_wrong(MPI_Datatype type, MPI_Op op) {
  int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return !commutes(op) || combiner != MPI_COMBINER_NAMED;
}

/// Whether the algorithms of blocking reductions may take every operation for one that commutes, as
/// several do that a user can choose (smpi/allreduce:rdb).
bool is_order_lost(MPI_Op op) {
  namespace config = simgrid::config;
  static const bool is_sound = [] {
    const auto own = {"smpi/reduce", "smpi/allreduce", "smpi/reduce_scatter"};
    const auto selector = config::get_value<std::string>("smpi/coll-selector");
    return std::all_of(own.begin(), own.end(), config::is_default) &&
           (selector == "default" || selector == "mpich" || selector == "ompi");
  }();
  return !is_sound && !commutes(op);
}

}  // namespace

int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  if (request == nullptr || is_wrong(sendbuf, recvbuf, count, datatype, op, comm))
    return answered("MPI_Iallreduce",
                    PMPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request), comm);
  return mpi_function(comm, [&] {
    reduce_to_range(Range::all, sendbuf, recvbuf, count, datatype, op, comm, request);
  });
}

int MPI_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, MPI_Request* request) {
  if (request == nullptr || is_wrong(sendbuf, recvbuf, count, datatype, op, comm))
    return answered("MPI_Iscan", PMPI_Iscan(sendbuf, recvbuf, count, datatype, op, comm, request),
                    comm);
  return mpi_function(comm, [&] {
    reduce_to_range(Range::up_to_own, sendbuf, recvbuf, count, datatype, op, comm, request);
  });
}

int MPI_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm, MPI_Request* request) {
  if (request == nullptr || is_wrong(sendbuf, recvbuf, count, datatype, op, comm))
    return answered("MPI_Iexscan",
                    PMPI_Iexscan(sendbuf, recvbuf, count, datatype, op, comm, request), comm);
  return mpi_function(comm, [&] {
    reduce_to_range(Range::before_own, sendbuf, recvbuf, count, datatype, op, comm, request);
  });
}

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm) {
  const InCall call({.name = "MPI_Scan", .comm = comm, .collective = true});
  if (is_wrong(sendbuf, recvbuf, count, datatype, op, comm) || !is_scan_wrong(datatype, op))
    return call.result(PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm));
  return mpi_function(comm, [&] {
    reduce_to_range(Range::up_to_own, sendbuf, recvbuf, count, datatype, op, comm, nullptr);
  });
}

int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm) {
  const InCall call({.name = "MPI_Exscan", .comm = comm, .collective = true});
  if (is_wrong(sendbuf, recvbuf, count, datatype, op, comm) || !is_scan_wrong(datatype, op))
    return call.result(PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm));
  return mpi_function(comm, [&] {
    reduce_to_range(Range::before_own, sendbuf, recvbuf, count, datatype, op, comm, nullptr);
  });
}

int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm, MPI_Request* request) {
  if (request == nullptr || is_wrong(sendbuf, recvbuf, count, datatype, op, comm))
    return answered("MPI_Ireduce",
                    PMPI_Ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request), comm);
  return mpi_function(
      comm, [&] { reduce_to_root(sendbuf, recvbuf, count, root, datatype, op, comm, request); });
}

int MPI_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  const std::span<const int> counts = counts_of(recvcounts, comm);
  if (request == nullptr || counts.empty() || is_wrong(sendbuf, recvbuf, 0, datatype, op, comm))
    return answered("MPI_Ireduce_scatter",
                    PMPI_Ireduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, request),
                    comm);
  return mpi_function(
      comm, [&] { reduce_and_scatter(sendbuf, recvbuf, counts, datatype, op, comm, request); });
}

int MPI_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                              MPI_Request* request) {
  if (request == nullptr || is_wrong(sendbuf, recvbuf, recvcount, datatype, op, comm))
    return answered(
        "MPI_Ireduce_scatter_block",
        PMPI_Ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request), comm);
  return mpi_function(comm, [&] {
    reduce_and_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm), datatype, op, comm,
                       request);
  });
}

int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               int root, MPI_Comm comm) {
  const InCall call({.name = "MPI_Reduce", .comm = comm, .collective = true});
  if (is_wrong(sendbuf, recvbuf, count, datatype, op, comm) || !is_order_lost(op))
    return call.result(PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm));
  return mpi_function(
      comm, [&] { reduce_to_root(sendbuf, recvbuf, count, root, datatype, op, comm, nullptr); });
}

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  const InCall call({.name = "MPI_Allreduce", .comm = comm, .collective = true});
  if (is_wrong(sendbuf, recvbuf, count, datatype, op, comm) || !is_order_lost(op))
    return call.result(PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm));
  return mpi_function(comm, [&] {
    reduce_to_range(Range::all, sendbuf, recvbuf, count, datatype, op, comm, nullptr);
  });
}

int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts,
                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const InCall call({.name = "MPI_Reduce_scatter", .comm = comm, .collective = true});
  const std::span<const int> counts = counts_of(recvcounts, comm);
  if (counts.empty() || is_wrong(sendbuf, recvbuf, 0, datatype, op, comm) || !is_order_lost(op))
    return call.result(PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm));
  return mpi_function(
      comm, [&] { reduce_and_scatter(sendbuf, recvbuf, counts, datatype, op, comm, nullptr); });
}

int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const InCall call({.name = "MPI_Reduce_scatter_block", .comm = comm, .collective = true});
  if (is_wrong(sendbuf, recvbuf, recvcount, datatype, op, comm) || !is_order_lost(op))
    return call.result(PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm));
  return mpi_function(comm, [&] {
    reduce_and_scatter(sendbuf, recvbuf, equal_counts(recvcount, comm), datatype, op, comm,
                       nullptr);
  });
}

int MPI_Op_free(MPI_Op* op) {
  return is_still_needed(op) ? MPI_SUCCESS : answered("MPI_Op_free", PMPI_Op_free(op));
}

int MPI_Type_free(MPI_Datatype* datatype) {
  if (is_still_needed(datatype)) return MPI_SUCCESS;
  return answered("MPI_Type_free", PMPI_Type_free(datatype));
}
