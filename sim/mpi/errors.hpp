#pragma once

#include <exception>
#include <string_view>

#include "sim/mpi/smpi.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo::detail::overlay {

/// SMPI's error code of a class.
int code_of(MpiErrorClass error_class);

/// An erroneous argument of a class that topology/ does not know (MPI_ERR_COUNT, MPI_ERR_TYPE).
class ArgumentError : public UsageError {
 public:
  ArgumentError(int code, const std::string& sentence) : UsageError(sentence), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// Ends the simulation at once, with a sentence on stderr (MPI_Abort of SMPI may return 0).
[[noreturn]] void end_simulation(int code, const char* sentence);

/// Gives an error of a function of MPI to the handler of a communicator (of MPI_COMM_WORLD for a
/// null handle) and returns its code; the fatal one reports function, error and sentence.
int raise_error(std::string_view function, MPI_Comm comm, int code, std::string_view sentence);

/// What a function returns after SMPI's own returned that code; SMPI gives an error to a handler
/// only in functions that the overlay replaces. So an error goes to the handler of a communicator
/// as by `raise_error`, with the function's name, or to that of a window.
int answered(std::string_view name, int code, MPI_Comm comm = MPI_COMM_WORLD);
int answered(std::string_view name, int code, MPI_Win window);

/// Sets the error handler of `from` on `to`.
void inherit_error_handler(MPI_Comm from, MPI_Comm to);

/// Runs the body of an MPI function, which returns by its end, and turns what it throws into the
/// error that the function returns. Other exceptions pass: SimGrid ends processes by them.
/// @param name of the function: of the caller, unless it is given.
template <class Body>
int mpi_function(MPI_Comm comm, Body&& body, std::string_view name = __builtin_FUNCTION()) {
  int code = MPI_ERR_OTHER;
  std::string sentence;
  try {
    std::forward<Body>(body)();
    return MPI_SUCCESS;
  } catch (const MpiError& error) {
    code = code_of(error.error_class());
    sentence = error.what();
  } catch (const ArgumentError& error) {
    code = error.code();
    sentence = error.what();
  } catch (const SmpiFailure& failure) {
    code = failure.code;
    sentence = "a call of SMPI failed";
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  return raise_error(name, comm, code, sentence);
}

}  // namespace vtopo::detail::overlay
