// Fortran 77 names of the functions on requests, and of MPI_Init and MPI_Finalize: those of SMPI
// would not find this library's functions when the program is linked with it.

#include <algorithm>

#include "sim/mpi/fortran/handles.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"

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

/// Handles of matched messages: places in a list; -1 is MPI_MESSAGE_NULL, -2 MPI_MESSAGE_NO_PROC.
std::vector<MPI_Message>& numbered_messages() {
  static std::vector<MPI_Message> messages;
  return messages;
}

constexpr int no_message = -1, message_of_no_process = -2;
const MPI_Message no_process = reinterpret_cast<MPI_Message>(1);  // of vtopo_mpi.h

}  // namespace

extern "C" {
__attribute__((visibility("default"))) int mpi_errcodes_ignore_ = 0;
__attribute__((visibility("default"))) char mpi_argv_null_ = ' ';
__attribute__((visibility("default"))) char mpi_argvs_null_ = ' ';
}

MPI_Fint MPI_Message_c2f(MPI_Message message) {
  auto& all = numbered_messages();
  if (message == nullptr) return no_message;
  if (message == no_process) return message_of_no_process;
  auto place = std::find(all.begin(), all.end(), message);
  if (place == all.end()) place = std::find(all.begin(), all.end(), nullptr);
  if (place == all.end()) place = all.insert(place, nullptr);
  *place = message;
  return static_cast<MPI_Fint>(place - all.begin());
}

MPI_Message MPI_Message_f2c(MPI_Fint message) {
  const auto place = static_cast<std::size_t>(message);
  if (message < 0 || place >= numbered_messages().size())
    return message == message_of_no_process ? no_process : nullptr;
  return numbered_messages()[place];
}

VTOPO_FORTRAN(mprobe, int* source, int* tag, int* comm, int* message, int* status, ErrorCode ierr) {
  MPI_Message found = nullptr;
  *ierr = MPI_Mprobe(*source, *tag, comm_of(*comm), &found, status_of(status));
  if (*ierr == MPI_SUCCESS) *message = MPI_Message_c2f(found);
}

VTOPO_FORTRAN(improbe, int* source, int* tag, int* comm, int* flag, int* message, int* status,
              ErrorCode ierr) {
  MPI_Message found = nullptr;
  *ierr = MPI_Improbe(*source, *tag, comm_of(*comm), flag, &found, status_of(status));
  if (*ierr == MPI_SUCCESS && *flag != 0) *message = MPI_Message_c2f(found);
}

/// A message that is taken by its number, which is none then.
static MPI_Message taken(int& number) {
  const MPI_Message found = MPI_Message_f2c(number);
  const auto place = static_cast<std::size_t>(number);
  if (number >= 0 && place < numbered_messages().size()) numbered_messages()[place] = nullptr;
  number = no_message;
  return found;
}

VTOPO_FORTRAN(mrecv, void* buf, int* count, int* datatype, int* message, int* status,
              ErrorCode ierr) {
  MPI_Message found = taken(*message);
  *ierr = MPI_Mrecv(buffer_of(buf), *count, FortranHandle<MPI_Datatype>::to_c(*datatype), &found,
                    status_of(status));
}

VTOPO_FORTRAN(imrecv, void* buf, int* count, int* datatype, int* message, int* request,
              ErrorCode ierr) {
  MPI_Message found = taken(*message);
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = MPI_Imrecv(buffer_of(buf), *count, FortranHandle<MPI_Datatype>::to_c(*datatype), &found,
                     &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

/// The new communicator is there when the request is complete.
VTOPO_FORTRAN(comm_idup, int* comm, int* newcomm, int* request, ErrorCode ierr) {
  MPI_Request made = MPI_REQUEST_NULL;
  *ierr = duplicate_later(
      comm_of(*comm), [newcomm](MPI_Comm copy) { *newcomm = handle_of(copy); }, &made);
  if (*ierr == MPI_SUCCESS) *request = handle_of(made);
}

VTOPO_FORTRAN(buffer_detach, void*, int* size, ErrorCode ierr) {
  void* buffer = nullptr;  // which Fortran cannot take
  *ierr = MPI_Buffer_detach(&buffer, size);
}

/// That of module mpi_f08.
VTOPO_FORTRAN(vtopo_buffer_detach, void** buffer, int* size, ErrorCode ierr) {
  *ierr = MPI_Buffer_detach(buffer, size);
}

// A status of Fortran 2008 is one of C, and one of Fortran its integers.
VTOPO_FORTRAN(status_f2f08, int* f_status, int* f08_status, ErrorCode ierr) {
  std::copy_n(f_status, MPI_STATUS_SIZE, f08_status);
  *ierr = MPI_SUCCESS;
}

VTOPO_FORTRAN(status_f082f, int* f08_status, int* f_status, ErrorCode ierr) {
  std::copy_n(f08_status, MPI_STATUS_SIZE, f_status);
  *ierr = MPI_SUCCESS;
}

VTOPO_FORTRAN(f_sync_reg, void*) {}

extern "C" {
__attribute__((visibility("default"))) MPI_Aint mpi_aint_add_(const MPI_Aint* base,
                                                              const MPI_Aint* displacement) {
  return *base + *displacement;
}
__attribute__((visibility("default"), alias("mpi_aint_add_"))) MPI_Aint pmpi_aint_add_(
    const MPI_Aint* base, const MPI_Aint* displacement);
__attribute__((visibility("default"))) MPI_Aint mpi_aint_diff_(const MPI_Aint* first,
                                                               const MPI_Aint* second) {
  return *first - *second;
}
__attribute__((visibility("default"), alias("mpi_aint_diff_"))) MPI_Aint pmpi_aint_diff_(
    const MPI_Aint* first, const MPI_Aint* second);
}

// MPI_SIZEOF by the type of its argument, whose description is not read.
#define VTOPO_SIZEOF(type, bytes)                                              \
  VTOPO_FORTRAN(vtopo_sizeof_##type, const void*, int* size, ErrorCode ierr) { \
    *size = bytes;                                                             \
    *ierr = MPI_SUCCESS;                                                       \
  }
VTOPO_SIZEOF(i1, 1)
VTOPO_SIZEOF(i2, 2)
VTOPO_SIZEOF(i4, 4)
VTOPO_SIZEOF(i8, 8)
VTOPO_SIZEOF(l1, 1)
VTOPO_SIZEOF(l2, 2)
VTOPO_SIZEOF(l4, 4)
VTOPO_SIZEOF(l8, 8)
VTOPO_SIZEOF(r4, 4)
VTOPO_SIZEOF(r8, 8)
VTOPO_SIZEOF(r16, 16)
VTOPO_SIZEOF(c4, 8)
VTOPO_SIZEOF(c8, 16)
VTOPO_SIZEOF(c16, 32)
VTOPO_SIZEOF(ch, 1)
#undef VTOPO_SIZEOF

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
