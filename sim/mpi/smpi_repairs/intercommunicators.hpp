#pragma once

#include <smpi/smpi.h>

#include <span>
#include <string_view>
#include <vector>

namespace vtopo::detail::overlay {

/// What the calling process keeps with an intercommunicator, of which SMPI knows nothing. The
/// handle is a communicator of both groups, in which messages meet; to each process the other group
/// has the first ranks there and its own the last ones, so that messages and their status have the
/// ranks of MPI.
struct Intercommunicator {
  MPI_Comm whole = MPI_COMM_NULL;  ///< both groups, in one order for all
  MPI_Comm local = MPI_COMM_NULL;  ///< the own group
  std::vector<int> remote{};       ///< the other group: ranks in `whole`
  std::vector<int> order{};        ///< the ranks of the handle: ranks in `whole`
};

/// Null: it is an intracommunicator.
const Intercommunicator* intercommunicator(MPI_Comm comm);

/// A communicator of all processes whose calls a collective function needs: of both groups.
inline MPI_Comm all_of(MPI_Comm comm) {
  const Intercommunicator* const between = intercommunicator(comm);
  return between == nullptr ? comm : between->whole;
}

/// Ends the simulation if it is an intercommunicator, with which that function is not there.
void refuse_intercommunicator(std::string_view function, MPI_Comm comm);

// As the functions of MPI with these names.
// @throws SmpiFailure
MPI_Comm duplicate(MPI_Comm comm, const Intercommunicator& between);
MPI_Comm split(const Intercommunicator& between, int color, int key);

/// Elements that go to a process of the other group, or come from it.
struct Part {
  int rank;  ///< in the other group
  const void* data;
  int count;
  MPI_Datatype type;
};

/// Moves messages of a collective function between the groups.
/// @throws SmpiFailure
void exchange(const Intercommunicator& between, const std::vector<Part>& sent,
              const std::vector<Part>& received);

// Reductions between the groups; arguments are those of MPI.
// @throws SmpiFailure
void reduce(const Intercommunicator& between, const void* sendbuf, void* recvbuf, int count,
            MPI_Datatype type, MPI_Op op, int root);
void allreduce(const Intercommunicator& between, const void* sendbuf, void* recvbuf, int count,
               MPI_Datatype type, MPI_Op op);
void reduce_scatter(const Intercommunicator& between, const void* sendbuf, void* recvbuf,
                    std::span<const int> counts, MPI_Datatype type, MPI_Op op);

}  // namespace vtopo::detail::overlay
