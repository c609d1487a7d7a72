#include "sim/mpi/errors.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

#include "sim/mpi/endings.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Gives an error to a handler, one of SMPI's functions calls those of the program; false if it is
/// fatal. The predefined handlers are treated here: SMPI crashes when asked to call them.
template <class Owner>
bool handled(Owner owner, MPI_Errhandler handler, int (*call)(Owner, int), int code) {
  if (handler == MPI_ERRORS_RETURN) return true;
  if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRHANDLER_NULL) return false;
  call(owner, code);
  PMPI_Errhandler_free(&handler);
  return true;
}

bool handled(MPI_Comm comm, int code) {
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  return handled(comm, handler, PMPI_Comm_call_errhandler, code);
}

bool handled(MPI_Win window, int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (window != MPI_WIN_NULL) PMPI_Win_get_errhandler(window, &handler);
  return handled(window, handler, PMPI_Win_call_errhandler, code);
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  PMPI_Error_string(code, text.data(), &length);
  if (length == 0) return fmt::format("error code {}", code);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

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

int raise_error(std::string_view function, MPI_Comm comm, int code, std::string_view sentence) {
  if (!handled(comm, code)) end_in_error(function, fmt::format("{} ({})", text_of(code), sentence));
  return code;
}

int answered(std::string_view name, int code, MPI_Comm comm) {
  if (code != MPI_SUCCESS && !handled(comm, code)) end_in_error(name, text_of(code));
  return code;
}

int answered(std::string_view name, int code, MPI_Win window) {
  if (code != MPI_SUCCESS && !handled(window, code)) end_in_error(name, text_of(code));
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

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

/// SMPI's own end by a signal where the handler is a predefined one.
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  if (!handled(comm, errorcode)) end_in_error("MPI_Comm_call_errhandler", text_of(errorcode));
  return MPI_SUCCESS;
}

int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  if (!handled(win, errorcode)) end_in_error("MPI_Win_call_errhandler", text_of(errorcode));
  return MPI_SUCCESS;
}
