// Fortran 77 names of the functions on requests, and of MPI_Init and MPI_Finalize: those of SMPI
// would not find this library's functions when the program is linked with it.

#include <algorithm>

#include "sim/mpi/fortran/handles.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// Handles of Fortran as C's, and back at the end.
class RequestArray {
 public:
  RequestArray(int* handles, int count)
      : handles_(handles), count_(static_cast<std::size_t>(std::max(count, 0))) {
    for (std::size_t i = 0; i < count_; ++i) requests_.push_back(request_of(handles[i]));
    requests_.push_back(MPI_REQUEST_NULL);  // an array of its own also for none
  }
  RequestArray(const RequestArray&) = delete;
  RequestArray& operator=(const RequestArray&) = delete;
  ~RequestArray() {
    for (std::size_t i = 0; i < count_; ++i)
      if (requests_[i] == MPI_REQUEST_NULL) handles_[i] = MPI_FORTRAN_REQUEST_NULL;
  }

  MPI_Request* data() { return requests_.data(); }

 private:
  int* handles_;
  std::size_t count_;
  std::vector<MPI_Request> requests_;
};

/// Indices count from 1 in Fortran.
void count_from_one(int* indices, int count) {
  for (int i = 0; i < count; ++i)
    if (indices[i] != MPI_UNDEFINED) ++indices[i];
}

}  // namespace

VTOPO_FORTRAN(init, ErrorCode ierr) {
  *ierr = MPI_Init(nullptr, nullptr);
}

VTOPO_FORTRAN(init_thread, int* required, int* provided, ErrorCode ierr) {
  *ierr = MPI_Init_thread(nullptr, nullptr, *required, provided);
}

VTOPO_FORTRAN(finalize, ErrorCode ierr) {
  *ierr = MPI_Finalize();
}

VTOPO_FORTRAN(start, int* request, ErrorCode ierr) {
  RequestArray one(request, 1);
  *ierr = MPI_Start(one.data());
}

VTOPO_FORTRAN(startall, int* count, int* requests, ErrorCode ierr) {
  RequestArray all(requests, *count);
  *ierr = MPI_Startall(*count, all.data());
}

VTOPO_FORTRAN(wait, int* request, int* status, ErrorCode ierr) {
  RequestArray one(request, 1);
  *ierr = MPI_Wait(one.data(), status_of(status));
}

VTOPO_FORTRAN(waitall, int* count, int* requests, int* statuses, ErrorCode ierr) {
  RequestArray all(requests, *count);
  *ierr = MPI_Waitall(*count, all.data(), status_of(statuses));
}

VTOPO_FORTRAN(waitany, int* count, int* requests, int* index, int* status, ErrorCode ierr) {
  RequestArray all(requests, *count);
  *ierr = MPI_Waitany(*count, all.data(), index, status_of(status));
  count_from_one(index, 1);
}

VTOPO_FORTRAN(waitsome, int* incount, int* requests, int* outcount, int* indices, int* statuses,
              ErrorCode ierr) {
  RequestArray all(requests, *incount);
  *ierr = MPI_Waitsome(*incount, all.data(), outcount, indices, status_of(statuses));
  count_from_one(indices, *outcount);
}

VTOPO_FORTRAN(test, int* request, int* flag, int* status, ErrorCode ierr) {
  RequestArray one(request, 1);
  *ierr = MPI_Test(one.data(), flag, status_of(status));
}

VTOPO_FORTRAN(testall, int* count, int* requests, int* flag, int* statuses, ErrorCode ierr) {
  RequestArray all(requests, *count);
  *ierr = MPI_Testall(*count, all.data(), flag, status_of(statuses));
}

VTOPO_FORTRAN(testany, int* count, int* requests, int* index, int* flag, int* status,
              ErrorCode ierr) {
  RequestArray all(requests, *count);
  *ierr = MPI_Testany(*count, all.data(), index, flag, status_of(status));
  if (*flag) count_from_one(index, 1);
}

VTOPO_FORTRAN(testsome, int* incount, int* requests, int* outcount, int* indices, int* statuses,
              ErrorCode ierr) {
  RequestArray all(requests, *incount);
  *ierr = MPI_Testsome(*incount, all.data(), outcount, indices, status_of(statuses));
  count_from_one(indices, *outcount);
}

VTOPO_FORTRAN(request_get_status, int* request, int* flag, int* status, ErrorCode ierr) {
  *ierr = MPI_Request_get_status(request_of(*request), flag, status_of(status));
}

VTOPO_FORTRAN(request_free, int* request, ErrorCode ierr) {
  RequestArray one(request, 1);
  *ierr = MPI_Request_free(one.data());
}

VTOPO_FORTRAN(cancel, int* request, ErrorCode ierr) {
  RequestArray one(request, 1);
  *ierr = MPI_Cancel(one.data());
}
