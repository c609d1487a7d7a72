// Fortran names of functions with texts, and of those that SMPI alone can do; comparisons of
// handles.

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/mpi/fortran/handles.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Text without the blanks around it.
std::string text_of_fortran(const char* text, std::size_t length) {
  const std::string whole(text, length);
  const std::size_t first = whole.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return whole.substr(first, whole.find_last_not_of(' ') + 1 - first);
}

/// Text padded with blanks.
void put_text(const char* text, char* place, std::size_t length) {
  const std::size_t used = std::min(std::strlen(text), length);
  std::copy_n(text, used, place);
  std::fill_n(place + used, length - used, ' ');
}

}  // namespace

VTOPO_FORTRAN(abort, int* comm, int* errorcode, ErrorCode ierr) {
  *ierr = MPI_Abort(comm_of(*comm), *errorcode);
}

VTOPO_FORTRAN(pcontrol, int* level, ErrorCode ierr) {
  *ierr = MPI_Pcontrol(*level);
}

VTOPO_FORTRAN(get_processor_name, char* name, int* resultlen, ErrorCode ierr, std::size_t length) {
  char text[MPI_MAX_PROCESSOR_NAME + 1] = "";
  *ierr = MPI_Get_processor_name(text, resultlen);
  put_text(text, name, length);
}

VTOPO_FORTRAN(get_library_version, char* version, int* resultlen, ErrorCode ierr,
              std::size_t length) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  *ierr = MPI_Get_library_version(text, resultlen);
  put_text(text, version, length);
}

VTOPO_FORTRAN(error_string, int* errorcode, char* string, int* resultlen, ErrorCode ierr,
              std::size_t length) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  *ierr = MPI_Error_string(*errorcode, text, resultlen);
  put_text(text, string, length);
}

VTOPO_FORTRAN(info_set, int* info, char* key, char* value, ErrorCode ierr, std::size_t key_length,
              std::size_t value_length) {
  *ierr = MPI_Info_set(info_handle_of(*info), text_of_fortran(key, key_length).c_str(),
                       text_of_fortran(value, value_length).c_str());
}

VTOPO_FORTRAN(info_get, int* info, char* key, int* valuelen, char* value, int* flag, ErrorCode ierr,
              std::size_t key_length, std::size_t value_length) {
  std::string text(static_cast<std::size_t>(std::max(*valuelen, 0)) + 1, '\0');
  *ierr = MPI_Info_get(info_handle_of(*info), text_of_fortran(key, key_length).c_str(), *valuelen,
                       text.data(), flag);
  if (*ierr == MPI_SUCCESS && *flag != 0) put_text(text.c_str(), value, value_length);
}

VTOPO_FORTRAN(info_get_valuelen, int* info, char* key, int* valuelen, int* flag, ErrorCode ierr,
              std::size_t length) {
  *ierr = MPI_Info_get_valuelen(info_handle_of(*info), text_of_fortran(key, length).c_str(),
                                valuelen, flag);
}

VTOPO_FORTRAN(info_get_nthkey, int* info, int* n, char* key, ErrorCode ierr, std::size_t length) {
  char text[MPI_MAX_INFO_KEY + 1] = "";
  *ierr = MPI_Info_get_nthkey(info_handle_of(*info), *n, text);
  if (*ierr == MPI_SUCCESS) put_text(text, key, length);
}

VTOPO_FORTRAN(info_delete, int* info, char* key, ErrorCode ierr, std::size_t length) {
  *ierr = MPI_Info_delete(info_handle_of(*info), text_of_fortran(key, length).c_str());
}

VTOPO_FORTRAN(add_error_string, int* errorcode, char* string, ErrorCode ierr, std::size_t length) {
  *ierr = MPI_Add_error_string(*errorcode, text_of_fortran(string, length).data());
}

#define VTOPO_NAMED(Name, name, Handle)                                                         \
  VTOPO_FORTRAN(name##_set_name, int* handle, char* text, ErrorCode ierr, std::size_t length) { \
    *ierr = MPI_##Name##_set_name(FortranHandle<Handle>::to_c(*handle),                         \
                                  text_of_fortran(text, length).data());                        \
  }                                                                                             \
  VTOPO_FORTRAN(name##_get_name, int* handle, char* name, int* resultlen, ErrorCode ierr,       \
                std::size_t length) {                                                           \
    char text[MPI_MAX_OBJECT_NAME + 1] = "";                                                    \
    *ierr = MPI_##Name##_get_name(FortranHandle<Handle>::to_c(*handle), text, resultlen);       \
    put_text(text, name, length);                                                               \
  }
VTOPO_NAMED(Comm, comm, MPI_Comm)
VTOPO_NAMED(Type, type, MPI_Datatype)
VTOPO_NAMED(Win, win, MPI_Win)
#undef VTOPO_NAMED

VTOPO_FORTRAN(file_set_view, int* fh, MPI_Offset* disp, int* etype, int* filetype, char* datarep,
              int* info, ErrorCode ierr, std::size_t length) {
  *ierr = MPI_File_set_view(FortranHandle<MPI_File>::to_c(*fh), *disp,
                            FortranHandle<MPI_Datatype>::to_c(*etype),
                            FortranHandle<MPI_Datatype>::to_c(*filetype),
                            text_of_fortran(datarep, length).c_str(), info_handle_of(*info));
}

VTOPO_FORTRAN(file_get_view, int* fh, MPI_Offset* disp, int* etype, int* filetype, char* datarep,
              ErrorCode ierr, std::size_t length) {
  char text[MPI_MAX_DATAREP_STRING + 1] = "";
  MPI_Datatype elements = MPI_DATATYPE_NULL, seen = MPI_DATATYPE_NULL;
  *ierr = MPI_File_get_view(FortranHandle<MPI_File>::to_c(*fh), disp, &elements, &seen, text);
  if (*ierr != MPI_SUCCESS) return;
  *etype = FortranHandle<MPI_Datatype>::to_fortran(elements);
  *filetype = FortranHandle<MPI_Datatype>::to_fortran(seen);
  put_text(text, datarep, length);
}

VTOPO_FORTRAN(file_open, int* comm, char* filename, int* amode, int* info, int* fh, ErrorCode ierr,
              std::size_t length) {
  MPI_File file = MPI_FILE_NULL;
  *ierr = MPI_File_open(comm_of(*comm), text_of_fortran(filename, length).c_str(), *amode,
                        info_handle_of(*info), &file);
  *fh = FortranHandle<MPI_File>::to_fortran(file);
}

VTOPO_FORTRAN(file_delete, char* filename, int* info, ErrorCode ierr, std::size_t length) {
  *ierr = MPI_File_delete(text_of_fortran(filename, length).c_str(), info_handle_of(*info));
}

/// SMPI alone can make operations of Fortran functions: they take Fortran's handles.
VTOPO_FORTRAN(op_create, void* function, int* commute, int* op, ErrorCode ierr) {
  using Create = void (*)(void*, int*, int*, int*);
  static const auto smpi_create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "mpi_op_create_"));
  smpi_create(function, commute, op, &*ierr);
}

// Comparisons of handles in module mpi_f08.
#define VTOPO_COMPARED(type)                                                                      \
  extern "C" __attribute__((visibility("default"))) int mpi_vtopo_##type##_equal_(const int* a,   \
                                                                                  const int* b) { \
    return *a == *b ? 1 : 0;                                                                      \
  }                                                                                               \
  extern "C" __attribute__((visibility("default"))) int mpi_vtopo_##type##_unequal_(              \
      const int* a, const int* b) {                                                               \
    return *a != *b ? 1 : 0;                                                                      \
  }
VTOPO_COMPARED(comm)
VTOPO_COMPARED(datatype)
VTOPO_COMPARED(errhandler)
VTOPO_COMPARED(file)
VTOPO_COMPARED(group)
VTOPO_COMPARED(info)
VTOPO_COMPARED(message)
VTOPO_COMPARED(op)
VTOPO_COMPARED(request)
VTOPO_COMPARED(win)
#undef VTOPO_COMPARED
