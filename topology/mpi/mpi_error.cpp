#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

std::string_view name(MpiErrorClass error_class) {
  switch (error_class) {
    case MpiErrorClass::comm:
      return "MPI_ERR_COMM";
    case MpiErrorClass::group:
      return "MPI_ERR_GROUP";
    case MpiErrorClass::rank:
      return "MPI_ERR_RANK";
    case MpiErrorClass::topology:
      return "MPI_ERR_TOPOLOGY";
    case MpiErrorClass::dims:
      return "MPI_ERR_DIMS";
    case MpiErrorClass::arg:
      return "MPI_ERR_ARG";
    case MpiErrorClass::info:
      return "MPI_ERR_INFO";
    case MpiErrorClass::other:
      break;
  }
  return "MPI_ERR_OTHER";
}

}  // namespace vtopo
