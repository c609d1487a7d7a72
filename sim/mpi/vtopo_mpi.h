/* What mpi.h of SMPI lacks: the persistent neighbourhood collectives of MPI-4.0, and an MPI_UNWEIGHTED
 * that is not NULL. `vtopo cc` and `vtopo cxx` include it before everything; else include it after mpi.h; with another MPI library that has them it declares nothing. */
#ifndef VTOPO_MPI_H
#define VTOPO_MPI_H

#include <mpi.h>

/* In SMPI it is NULL, which is also where the data of an empty list lie. The variable tells that to the overlay. */
#ifdef SMPI_H
#undef MPI_UNWEIGHTED
#define MPI_UNWEIGHTED ((int*)2)
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("default"))) char vtopo_unweighted_is_not_null = 1;
#ifdef __cplusplus
}
#endif
#endif

#if MPI_VERSION < 4

#ifdef __cplusplus
extern "C" {
#endif

int MPI_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request* request);
int MPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request* request);
int MPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                               MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                MPI_Info info, MPI_Request* request);
int MPI_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                                const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request* request);

#ifdef __cplusplus
}
#endif

#endif
#endif
