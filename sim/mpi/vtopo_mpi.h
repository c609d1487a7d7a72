/* What mpi.h of SMPI lacks or has wrong: the persistent neighbourhood collectives and types of
 * hardware of MPI-4.0, an MPI_UNWEIGHTED that is not NULL, datatypes of C++, addresses that are
 * constants in C++. `vtopo cc` and `vtopo cxx` include it before everything; else include it after
 * mpi.h; with another MPI library that has them it declares nothing. */
#ifndef VTOPO_MPI_H
#define VTOPO_MPI_H

#include <mpi.h>

/* In SMPI it is NULL, which is also where the data of an empty list lie. The variable tells that to
 * the overlay. */
#ifdef SMPI_H
#undef MPI_UNWEIGHTED
#define MPI_UNWEIGHTED ((int*)2)
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("default"))) char vtopo_unweighted_is_not_null = 1;
#ifdef __cplusplus
}
/* SMPI makes them pointers by way of void*, which is not a constant expression. */
#undef SMPI_PREDEFINED_POINTER
#define SMPI_PREDEFINED_POINTER(type, internal) (&(internal))
#endif

/* Addresses for constant expressions, which in C++ a number made a pointer is not: `vtopo cxx`
 * gives these names SMPI's numbers when it links (cli/mpirun/mpi_compiler.cpp). */
#ifdef VTOPO_NAMES_ADDRESSES
extern "C" {
extern char vtopo_mpi_bottom[], vtopo_mpi_in_place[];
extern int vtopo_mpi_unweighted[], vtopo_mpi_weights_empty[];
}
#undef MPI_BOTTOM
#undef MPI_IN_PLACE
#undef MPI_UNWEIGHTED
#undef MPI_WEIGHTS_EMPTY
#define MPI_BOTTOM (static_cast<void*>(vtopo_mpi_bottom))
#define MPI_IN_PLACE (static_cast<void*>(vtopo_mpi_in_place))
#define MPI_UNWEIGHTED (static_cast<int*>(vtopo_mpi_unweighted))
#define MPI_WEIGHTS_EMPTY (static_cast<int*>(vtopo_mpi_weights_empty))
#endif

/* In SMPI it is 0, which is also a rank. */
#undef MPI_ROOT
#define MPI_ROOT (-777)

/* In SMPI both are null. */
#undef MPI_MESSAGE_NO_PROC
#define MPI_MESSAGE_NO_PROC ((MPI_Message)1)

/* Misspelt in SMPI's header, and null in C. */
#undef MPI_CXX_BOOL
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX
#define MPI_CXX_BOOL MPI_C_BOOL
#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX
#define MPI_CXX_LONG_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX

#ifndef MPI_COMM_TYPE_HW_GUIDED
#define MPI_COMM_TYPE_HW_GUIDED 2
#define MPI_COMM_TYPE_HW_UNGUIDED 3
#define MPI_COMM_TYPE_RESOURCE_GUIDED 4
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
