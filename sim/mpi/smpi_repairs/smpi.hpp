#pragma once

#include <fmt/format.h>
#include <smpi/smpi.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

/// While one lives, the processor time that passes is the overlay's own and is not charged to the
/// simulated host. Calls of SMPI in between go through `smpi`, which lets SMPI's clock run.
class Uncharged {
 public:
  Uncharged() { smpi_bench_end(); }
  Uncharged(const Uncharged&) = delete;
  Uncharged& operator=(const Uncharged&) = delete;
  ~Uncharged() { smpi_bench_begin(); }
};

/// An error code that a call of SMPI returned.
struct SmpiFailure {
  int code = MPI_SUCCESS;
};

/// @throws SmpiFailure unless the call of SMPI that returned the code succeeded.
inline void check(int code) {
  if (code != MPI_SUCCESS) throw SmpiFailure{code};
}

/// Makes a call of SMPI while an Uncharged lives. Control may switch to other processes meanwhile.
/// @throws SmpiFailure unless it succeeds.
template <class Call>
void smpi(Call&& call) {
  smpi_bench_begin();
  const int code = std::forward<Call>(call)();
  smpi_bench_end();
  check(code);
}

/// An erroneous argument, with the error code of MPI.
class ArgumentError : public UsageError {
 public:
  ArgumentError(int code, const std::string& sentence) : UsageError(sentence), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// Ends the simulation at once, with a sentence on stderr (MPI_Abort of SMPI may return 0).
[[noreturn]] void end_simulation(int code, const char* sentence);

/// Reports that no process can go on, and ends the simulation.
[[noreturn]] void end_in_deadlock();

/// Ends the simulation: the calling process called a function of MPI that simulated ranks do not
/// have.
[[noreturn]] void end_in_absence(std::string_view function);

/// Whether endings are reported in the file of VTOPO_RUN.
bool are_endings_reported();

/// From here on, a deadlock and a signal that ends the simulation are reported there, too. Once per
/// simulation, after SimGrid has set its own handlers.
void report_endings();

/// Appends a line to the file of VTOPO_RUN; nothing happens without one or if it fails.
void append_to_run(std::string_view line) noexcept;

/// Gives an error of a function of MPI to the handler of a communicator (of MPI_COMM_WORLD for a
/// null handle) and returns its code; the fatal one reports function, error and sentence, and the
/// simulation ends with the exit code of SMPI's own end.
int raise_error(std::string_view function, MPI_Comm comm, int code, std::string_view sentence);

/// What a function returns after SMPI's own returned that code; SMPI gives an error to a handler
/// only in functions that the overlay replaces. So an error goes to the handler of a communicator
/// as by `raise_error`, with the function's name, or to that of a window.
int answered(std::string_view name, int code, MPI_Comm comm = MPI_COMM_WORLD);
int answered(std::string_view name, int code, MPI_Win window);

/// Sets the error handler of `from` on `to`.
void inherit_error_handler(MPI_Comm from, MPI_Comm to);

/// How the body of a function ended.
struct Ending {
  int code = MPI_SUCCESS;
  std::string sentence{};  ///< on errors
};

/// Runs the body of a function, which returns by its end. Exceptions that are not of errors pass:
/// SimGrid ends processes by them.
template <class Body>
Ending ending_of(Body&& body) {
  try {
    std::forward<Body>(body)();
    return {};
  } catch (const ArgumentError& error) {
    return {error.code(), error.what()};
  } catch (const SmpiFailure& failure) {
    return {failure.code, "a call of SMPI failed"};
  } catch (const std::exception& error) {
    return {MPI_ERR_OTHER, error.what()};
  }
}

/// Runs the body of an MPI function and turns what it throws into the error that the function
/// returns.
/// @param name of the function: of the caller, unless it is given.
template <class Body>
int mpi_function(MPI_Comm comm, Body&& body, std::string_view name = __builtin_FUNCTION()) {
  const Ending ending = ending_of(std::forward<Body>(body));
  return ending.code == MPI_SUCCESS ? MPI_SUCCESS
                                    : raise_error(name, comm, ending.code, ending.sentence);
}

}  // namespace vtopo::detail::overlay
