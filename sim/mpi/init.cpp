// MPI_Init, MPI_Init_thread and MPI_Finalize: where the overlay joins and leaves the job.

#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/endings.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"
#include "sim/mpi/machine.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Joins the job, once: SMPI's MPI_Init_thread calls MPI_Init, which is the one below. Wrong
/// settings end the program before it has computed anything.
void join() {
  if (overlay::has_joined()) return;
  const overlay::Uncharged own_time;
  try {
    overlay::settings();
    overlay::machine();
    overlay::tell_endings();
    overlay::check_own_host();
  } catch (const Error& error) {
    overlay::end_simulation(2, error.what());
  }
  try {
    overlay::join_job();
  } catch (const Error& error) {
    overlay::end_simulation(2, error.what());
  }
}

}  // namespace

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) join();
  return overlay::answered("MPI_Init", code);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) join();
  return code;
}

int MPI_Finalize() {
  try {
    overlay::leave_job();
  } catch (const Error& error) {
    overlay::end_simulation(2, error.what());
  }
  return overlay::answered("MPI_Finalize", PMPI_Finalize());
}
