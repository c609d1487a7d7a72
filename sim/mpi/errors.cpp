#include "sim/mpi/errors.hpp"

#include <unistd.h>

#include <cstdio>

namespace vtopo::overlay {

int code_of(MpiErrorClass error_class) {
  switch (error_class) {
    case MpiErrorClass::comm:
      return MPI_ERR_COMM;
    case MpiErrorClass::group:
      return MPI_ERR_GROUP;
    case MpiErrorClass::rank:
      return MPI_ERR_RANK;
    case MpiErrorClass::topology:
      return MPI_ERR_TOPOLOGY;
    case MpiErrorClass::dims:
      return MPI_ERR_DIMS;
    case MpiErrorClass::arg:
      return MPI_ERR_ARG;
    case MpiErrorClass::info:
      return MPI_ERR_INFO;
    case MpiErrorClass::other:
      break;
  }
  return MPI_ERR_OTHER;
}

void end_simulation(int code, const char* sentence) {
  std::fprintf(stderr, "vtopo: %s\n", sentence);
  std::fflush(nullptr);
  _exit(code);
}

int raise_error(MPI_Comm comm, int code, const char* sentence) {
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  if (handler == MPI_ERRORS_RETURN) return code;
  if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRHANDLER_NULL)
    end_simulation(code, sentence);
  PMPI_Comm_call_errhandler(comm, code);
  PMPI_Errhandler_free(&handler);
  return code;
}

void inherit_error_handler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(from, &handler);
  if (handler == MPI_ERRHANDLER_NULL) return;
  PMPI_Comm_set_errhandler(to, handler);
  if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL)
    PMPI_Errhandler_free(&handler);
}

}  // namespace vtopo::overlay
