#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/mpi/fortran_handles.hpp"

namespace vtopo::detail::overlay {

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
