// Fortran names of error handlers that a program makes of its procedures: SMPI would give them C's
// handle of the communicator or window.

#include <unordered_map>

#include "sim/mpi/fortran_handles.hpp"

using namespace vtopo::detail::overlay;

namespace {

using Procedure = void (*)(int* handle, int* error_code);

/// The procedures of all ranks by their handlers, which are objects of SMPI. A handler may be freed
/// as long as a communicator has it; one at its place overwrites it.
std::unordered_map<MPI_Errhandler, Procedure>& procedures() {
  static std::unordered_map<MPI_Errhandler, Procedure> all;
  return all;
}

/// What SMPI calls for every handler of a kind of object: the object knows which one it has.
template <class Handle, int (*get_handler)(Handle, MPI_Errhandler*)>
void call_procedure(Handle* object, int* error_code, ...) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  get_handler(*object, &handler);
  const Procedure procedure = procedures().at(handler);
  PMPI_Errhandler_free(&handler);
  int number = FortranHandle<Handle>::to_fortran(*object);
  procedure(&number, error_code);
}

}  // namespace

#define VTOPO_ERROR_HANDLER(Name, name)                                                           \
  VTOPO_FORTRAN(name##_create_errhandler, Procedure procedure, int* errhandler, ErrorCode ierr) { \
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;                                                 \
    *ierr = MPI_##Name##_create_errhandler(                                                       \
        call_procedure<MPI_##Name, PMPI_##Name##_get_errhandler>, &handler);                      \
    if (*ierr != MPI_SUCCESS) return;                                                             \
    procedures()[handler] = procedure;                                                            \
    *errhandler = FortranHandle<MPI_Errhandler>::to_fortran(handler);                             \
  }
VTOPO_ERROR_HANDLER(Comm, comm)
VTOPO_ERROR_HANDLER(Win, win)
#undef VTOPO_ERROR_HANDLER
