// Fortran names of attributes and error handlers, which call procedures of the program: SMPI would
// give them C's handles. Values of attributes are address-sized integers in Fortran, of which
// SMPI's functions keep 32 bits.

#include <dlfcn.h>

#include <deque>
#include <unordered_map>

#include "sim/mpi/fortran/handles.hpp"

using namespace vtopo::detail::overlay;

namespace {

using CopyFunction = void (*)(int* handle, int* keyval, MPI_Aint* extra_state, MPI_Aint* value,
                              MPI_Aint* copied, int* flag, int* ierr);
using DeleteFunction = void (*)(int* handle, int* keyval, MPI_Aint* value, MPI_Aint* extra_state,
                                int* ierr);

void copy_none(int*, int*, MPI_Aint*, MPI_Aint*, MPI_Aint*, int* flag, int* ierr) {
  *flag = 0;
  *ierr = MPI_SUCCESS;
}

void copy_value(int*, int*, MPI_Aint*, MPI_Aint* value, MPI_Aint* copied, int* flag, int* ierr) {
  *copied = *value;
  *flag = 1;
  *ierr = MPI_SUCCESS;
}

void delete_nothing(int*, int*, MPI_Aint*, MPI_Aint*, int* ierr) {
  *ierr = MPI_SUCCESS;
}

/// The functions of a key. SMPI's mpif.h has numbers for those of MPI: 0 for the null functions, 1
/// to copy; no function's code begins so.
struct Callbacks {
  Callbacks(void* copy_function, void* delete_function, MPI_Aint state)
      : copy(reinterpret_cast<CopyFunction>(copy_function)),
        remove(reinterpret_cast<DeleteFunction>(delete_function)),
        extra_state(state) {
    if (const int number = *static_cast<int*>(copy_function); number == 0 || number == 1)
      copy = number == 0 ? copy_none : copy_value;
    if (*static_cast<int*>(delete_function) == 0) remove = delete_nothing;
  }

  CopyFunction copy;
  DeleteFunction remove;
  MPI_Aint extra_state;
};

template <class Handle>
int call_copy(Handle old, int keyval, void* extra_state, void* value, void* copied, int* flag) {
  auto& callbacks = *static_cast<Callbacks*>(extra_state);
  int handle = FortranHandle<Handle>::to_fortran(old);
  auto before = reinterpret_cast<MPI_Aint>(value);
  MPI_Aint after = 0;
  int code = MPI_SUCCESS;
  callbacks.copy(&handle, &keyval, &callbacks.extra_state, &before, &after, flag, &code);
  if (*flag != 0) *static_cast<void**>(copied) = reinterpret_cast<void*>(after);
  *flag = *flag != 0 ? 1 : 0;
  return code;
}

template <class Handle>
int call_delete(Handle object, int keyval, void* value, void* extra_state) {
  auto& callbacks = *static_cast<Callbacks*>(extra_state);
  int handle = FortranHandle<Handle>::to_fortran(object);
  auto number = reinterpret_cast<MPI_Aint>(value);
  int code = MPI_SUCCESS;
  callbacks.remove(&handle, &keyval, &number, &callbacks.extra_state, &code);
  return code;
}

/// They live as long as the attributes of their key: until the end.
Callbacks* keep(Callbacks callbacks) {
  static std::deque<Callbacks> all;
  return &all.emplace_back(callbacks);
}

/// The value of an attribute; those of MPI's own keys, which are negative, C gets by address.
MPI_Aint number_of(void* value, int keyval, bool is_window) {
  if (keyval >= 0 || (is_window && keyval == MPI_WIN_BASE))
    return reinterpret_cast<MPI_Aint>(value);
  return is_window && keyval == MPI_WIN_SIZE ? *static_cast<MPI_Aint*>(value)
                                             : *static_cast<int*>(value);
}

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

#define VTOPO_ATTRIBUTES(Handle, Name, name)                                                     \
  VTOPO_FORTRAN(name##_create_keyval, void* copy, void* remove, int* keyval,                     \
                MPI_Aint* extra_state, ErrorCode ierr) {                                         \
    *ierr = MPI_##Name##_create_keyval(call_copy<Handle>, call_delete<Handle>, keyval,           \
                                       keep({copy, remove, *extra_state}));                      \
  }                                                                                              \
  VTOPO_FORTRAN(name##_free_keyval, int* keyval, ErrorCode ierr) {                               \
    *ierr = MPI_##Name##_free_keyval(keyval);                                                    \
  }                                                                                              \
  VTOPO_FORTRAN(name##_set_attr, int* handle, int* keyval, MPI_Aint* value, ErrorCode ierr) {    \
    *ierr = MPI_##Name##_set_attr(FortranHandle<Handle>::to_c(*handle), *keyval,                 \
                                  reinterpret_cast<void*>(*value));                              \
  }                                                                                              \
  VTOPO_FORTRAN(name##_get_attr, int* handle, int* keyval, MPI_Aint* value, int* flag,           \
                ErrorCode ierr) {                                                                \
    void* found = nullptr;                                                                       \
    *ierr = MPI_##Name##_get_attr(FortranHandle<Handle>::to_c(*handle), *keyval, &found, flag);  \
    if (*ierr == MPI_SUCCESS && *flag != 0)                                                      \
      *value = number_of(found, *keyval, std::is_same_v<Handle, MPI_Win>);                       \
  }                                                                                              \
  VTOPO_FORTRAN(name##_delete_attr, int* handle, int* keyval, ErrorCode ierr) {                  \
    *ierr = MPI_##Name##_delete_attr(FortranHandle<Handle>::to_c(*handle), *keyval);             \
  }                                                                                              \
  VTOPO_FORTRAN(name##_null_copy_fn, int* handle, int* keyval, MPI_Aint* extra_state,            \
                MPI_Aint* value, MPI_Aint* copied, int* flag, int* ierr) {                       \
    copy_none(handle, keyval, extra_state, value, copied, flag, ierr);                           \
  }                                                                                              \
  VTOPO_FORTRAN(name##_dup_fn, int* handle, int* keyval, MPI_Aint* extra_state, MPI_Aint* value, \
                MPI_Aint* copied, int* flag, int* ierr) {                                        \
    copy_value(handle, keyval, extra_state, value, copied, flag, ierr);                          \
  }                                                                                              \
  VTOPO_FORTRAN(name##_null_delete_fn, int* handle, int* keyval, MPI_Aint* value,                \
                MPI_Aint* extra_state, int* ierr) {                                              \
    delete_nothing(handle, keyval, value, extra_state, ierr);                                    \
  }
VTOPO_ATTRIBUTES(MPI_Comm, Comm, comm)
VTOPO_ATTRIBUTES(MPI_Datatype, Type, type)
VTOPO_ATTRIBUTES(MPI_Win, Win, win)
#undef VTOPO_ATTRIBUTES

#define VTOPO_ERROR_HANDLER(Name, name)                                                           \
  VTOPO_FORTRAN(name##_create_errhandler, Procedure procedure, int* errhandler, ErrorCode ierr) { \
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;                                                 \
    *ierr = MPI_##Name##_create_errhandler(                                                       \
        call_procedure<MPI_##Name, MPI_##Name##_get_errhandler>, &handler);                       \
    if (*ierr != MPI_SUCCESS) return;                                                             \
    procedures()[handler] = procedure;                                                            \
    *errhandler = FortranHandle<MPI_Errhandler>::to_fortran(handler);                             \
  }
VTOPO_ERROR_HANDLER(Comm, comm)
VTOPO_ERROR_HANDLER(Win, win)
VTOPO_ERROR_HANDLER(File, file)
#undef VTOPO_ERROR_HANDLER

// Of older standards.

VTOPO_FORTRAN(errhandler_create, Procedure procedure, int* errhandler, ErrorCode ierr) {
  mpi_comm_create_errhandler_(procedure, errhandler, ierr);
}

VTOPO_FORTRAN(errhandler_set, int* comm, int* errhandler, ErrorCode ierr) {
  *ierr = MPI_Comm_set_errhandler(comm_of(*comm), FortranHandle<MPI_Errhandler>::to_c(*errhandler));
}

VTOPO_FORTRAN(errhandler_get, int* comm, int* errhandler, ErrorCode ierr) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  *ierr = MPI_Comm_get_errhandler(comm_of(*comm), &handler);
  if (*ierr == MPI_SUCCESS) *errhandler = FortranHandle<MPI_Errhandler>::to_fortran(handler);
}

// SMPI's own, whose values are integers; it has no names for profilers.
#define VTOPO_OF_SMPI(name)                                                                     \
  VTOPO_FORTRAN(name, void* a, void* b, void* c, void* d, void* e) {                            \
    using Function = void (*)(void*, void*, void*, void*, void*);                               \
    static const auto of_smpi = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "mpi_" #name "_")); \
    of_smpi(a, b, c, d, e);                                                                     \
  }
VTOPO_OF_SMPI(keyval_create)
VTOPO_OF_SMPI(keyval_free)
VTOPO_OF_SMPI(attr_put)
VTOPO_OF_SMPI(attr_get)
VTOPO_OF_SMPI(attr_delete)
#undef VTOPO_OF_SMPI

/// MPI_DUP_FN of older standards, whose values are integers.
VTOPO_FORTRAN(dup_fn, int*, int*, int*, int* value, int* copied, int* flag, int* ierr) {
  *copied = *value;
  *flag = 1;
  *ierr = MPI_SUCCESS;
}

/// Stands for no conversion: data representations cannot be registered.
VTOPO_FORTRAN(conversion_fn_null, void*) {}
