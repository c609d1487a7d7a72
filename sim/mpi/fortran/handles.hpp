#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"
#include "sim/mpi/topologies/construction.hpp"

// Addresses by which Fortran programs pass special arguments.
extern "C" {
extern int mpi_bottom_;
extern int mpi_in_place_;
extern int mpi_status_ignore_;
extern int mpi_statuses_ignore_;
extern int mpi_unweighted_;
extern int mpi_weights_empty_;
}

extern "C" MPI_Info smpi_process_info_env();

/// Begins a function with Fortran's names mpi_NAME_ and pmpi_NAME_, by its parameters.
#define VTOPO_FORTRAN(name, ...)                                                                  \
  extern "C" __attribute__((visibility("default"))) void mpi_##name##_(__VA_ARGS__);              \
  extern "C" __attribute__((visibility("default"), alias("mpi_" #name "_"))) void pmpi_##name##_( \
      __VA_ARGS__);                                                                               \
  void mpi_##name##_(__VA_ARGS__)

namespace vtopo::detail::overlay {

/// Where Fortran takes the error code; in module mpi_f08 the argument is optional.
struct ErrorCode {
  int* address;
  int& operator*() const {
    static int ignored;
    return address == nullptr ? ignored : *address;
  }
};

/// A buffer of Fortran as C passes it.
inline void* buffer_of(void* buffer) {
  if (buffer == &mpi_bottom_) return MPI_BOTTOM;
  if (buffer == &mpi_in_place_) return MPI_IN_PLACE;
  return buffer;
}

/// Weights of Fortran as C passes them.
inline int* weights_of_fortran(int* weights) {
  if (weights == &mpi_unweighted_) return vtopo::detail::overlay::unweighted;
  if (weights == &mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return weights;
}

inline MPI_Status* status_of(int* status) {
  if (status == &mpi_status_ignore_ || status == &mpi_statuses_ignore_) return MPI_STATUS_IGNORE;
  return reinterpret_cast<MPI_Status*>(status);
}

/// Null handles are negative in Fortran.
inline int handle_of(MPI_Comm comm) {
  return comm == MPI_COMM_NULL ? -1 : PMPI_Comm_c2f(comm);
}
inline MPI_Comm comm_of(int handle) {
  return PMPI_Comm_f2c(handle);  // MPI_COMM_SELF is negative too
}
inline MPI_Info info_handle_of(int handle) {
  if (handle == -2) return smpi_process_info_env();  // MPI_INFO_ENV
  return handle < 0 ? MPI_INFO_NULL : PMPI_Info_f2c(handle);
}
inline int handle_of(MPI_Request request) {
  return request == MPI_REQUEST_NULL ? MPI_FORTRAN_REQUEST_NULL : PMPI_Request_c2f(request);
}
inline MPI_Request request_of(int handle) {
  return handle < 0 ? MPI_REQUEST_NULL : PMPI_Request_f2c(handle);
}

/// Handles of a type, from and to Fortran's.
template <class Handle>
struct FortranHandle;

#define VTOPO_FORTRAN_HANDLE(Handle, Name)                                  \
  template <>                                                               \
  struct FortranHandle<Handle> {                                            \
    static Handle to_c(int handle) { return PMPI_##Name##_f2c(handle); }    \
    static int to_fortran(Handle handle) {                                  \
      return handle == decltype(handle){} ? -1 : PMPI_##Name##_c2f(handle); \
    }                                                                       \
  }
VTOPO_FORTRAN_HANDLE(MPI_Comm, Comm);
VTOPO_FORTRAN_HANDLE(MPI_Errhandler, Errhandler);
VTOPO_FORTRAN_HANDLE(MPI_Group, Group);
VTOPO_FORTRAN_HANDLE(MPI_Request, Request);
VTOPO_FORTRAN_HANDLE(MPI_Win, Win);
#undef VTOPO_FORTRAN_HANDLE

template <>
struct FortranHandle<MPI_Info> {
  static MPI_Info to_c(int handle) { return info_handle_of(handle); }
  static int to_fortran(MPI_Info handle) {
    return handle == MPI_INFO_NULL ? -1 : PMPI_Info_c2f(handle);
  }
};

/// From here on, handles are those that SMPI's mpif.h lacks (constants.txt); its own end before.
inline constexpr int first_own_handle = 1 << 20;
inline constexpr int last_smpi_handle = 45;

template <>
struct FortranHandle<MPI_Datatype> {
  static MPI_Datatype to_c(int handle);
  static int to_fortran(MPI_Datatype handle);
};

template <>
struct FortranHandle<MPI_Op> {
  static MPI_Op to_c(int handle);
  static int to_fortran(MPI_Op handle);
};

template <>
struct FortranHandle<MPI_File> {
  static MPI_File to_c(int handle) { return MPI_File_f2c(handle); }
  static int to_fortran(MPI_File handle) { return MPI_File_c2f(handle); }
};

/// Whether a type is one of handles.
template <class T>
concept has_fortran_handle = requires(T handle) {
  FortranHandle<T>::to_fortran(handle);
};

/// An argument of type P of a function of MPI in C, from the address that Fortran passes.
template <class P>
class Argument {
 public:
  explicit Argument(void* address) : address_(address) {}
  P value() {
    if constexpr (std::is_pointer_v<P>)
      return static_cast<P>(address_);
    else
      return *static_cast<P*>(address_);
  }
  void store() {}

 private:
  void* address_;
};

/// A choice buffer.
template <class P>
requires std::is_same_v<P, void*> || std::is_same_v<P, const void*>
class Argument<P> {
 public:
  explicit Argument(void* address) : address_(address) {}
  P value() { return buffer_of(address_); }
  void store() {}

 private:
  void* address_;
};

template <class P>
requires std::is_same_v<P, MPI_Status*> || std::is_same_v<P, const MPI_Status*>
class Argument<P> {
 public:
  explicit Argument(void* address) : address_(static_cast<int*>(address)) {}
  P value() { return status_of(address_); }
  void store() {}

 private:
  int* address_;
};

/// A handle.
template <class P>
requires has_fortran_handle<P>
class Argument<P> {
 public:
  explicit Argument(void* address) : address_(static_cast<int*>(address)) {}
  P value() { return FortranHandle<P>::to_c(*address_); }
  void store() {}

 private:
  int* address_;
};

/// A handle that the function sets or frees.
template <class P>
requires std::is_pointer_v<P> && has_fortran_handle<std::remove_pointer_t<P>>
class Argument<P> {
  using Handle = std::remove_pointer_t<P>;

 public:
  explicit Argument(void* address) : address_(static_cast<int*>(address)) {}
  /// The handle is to be changed; else it is not set yet and may hold anything.
  void load() { handle_ = FortranHandle<Handle>::to_c(*address_); }
  P value() { return &handle_; }
  void store() { *address_ = FortranHandle<Handle>::to_fortran(handle_); }

 private:
  int* address_;
  Handle handle_{};
};

/// Calls a function of MPI with the arguments at these addresses and returns its error code.
template <class... P, class... Address>
int call_from_fortran(int (*function)(P...), Address*... addresses) {
  static_assert(sizeof...(P) == sizeof...(Address));
  std::tuple<Argument<P>...> arguments{Argument<P>(addresses)...};
  // Functions that change a handle have no other argument.
  if constexpr (sizeof...(P) == 1 && requires { std::get<0>(arguments).load(); })
    std::get<0>(arguments).load();
  return std::apply(
      [function](auto&... argument) {
        const int code = function(argument.value()...);
        if (code == MPI_SUCCESS) (argument.store(), ...);
        return code;
      },
      arguments);
}

}  // namespace vtopo::detail::overlay
