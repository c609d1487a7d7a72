// MPI_Mprobe, MPI_Improbe and MPI_Mrecv, which SMPI does not have: a message that was
// found is received at once, into a buffer of the overlay's own, so that nobody else can receive
// it.

#include <vector>

#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/polls.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// A message that was found.
struct Matched {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<char> bytes;
  MPI_Request arriving = MPI_REQUEST_NULL;
  MPI_Status status{};
};

/// That of MPI_PROC_NULL.
char no_process = 0;

int match(const MPI_Status& found, MPI_Comm comm, MPI_Message* message) {
  auto* matched = new Matched{comm, {}, MPI_REQUEST_NULL, found};
  int size = 0;
  PMPI_Get_count(&found, MPI_BYTE, &size);
  matched->bytes.resize(static_cast<std::size_t>(size));
  *message = matched;
  return PMPI_Irecv(matched->bytes.data(), size, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, comm,
                    &matched->arriving);
}

int find(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  if (flag == nullptr || message == nullptr) return MPI_ERR_ARG;
  MPI_Status found{};
  const int code = polled(
      flag, [&] { return PMPI_Iprobe(source, tag, comm, flag, &found); }, "MPI_Improbe");
  if (code != MPI_SUCCESS || *flag == 0) return code;
  if (status != MPI_STATUS_IGNORE) *status = found;
  if (source == MPI_PROC_NULL) {
    *message = &no_process;
    return MPI_SUCCESS;
  }
  return match(found, comm, message);
}

/// Waits for the message and puts it where it belongs; the handle is null after.
int take(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status) {
  if (message == nullptr || *message == nullptr) return MPI_ERR_REQUEST;
  if (*message == &no_process) {
    *message = nullptr;
    return PMPI_Recv(buf, count, datatype, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, status);
  }
  auto* matched = static_cast<Matched*>(*message);
  *message = nullptr;
  PMPI_Wait(&matched->arriving, MPI_STATUS_IGNORE);
  int unit = 0;
  int code = PMPI_Type_size(datatype, &unit);
  const auto size = static_cast<int>(matched->bytes.size());
  int position = 0;
  if (code == MPI_SUCCESS && unit > 0)
    code = PMPI_Unpack(matched->bytes.data(), size, &position, buf,
                       size / unit < count ? size / unit : count, datatype, matched->comm);
  if (code == MPI_SUCCESS && unit > 0 && size / unit > count) code = MPI_ERR_TRUNCATE;
  if (status != MPI_STATUS_IGNORE) *status = matched->status;
  delete matched;
  return code;
}

}  // namespace

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                MPI_Status* status) {
  return answered("MPI_Improbe", find(source, tag, comm, flag, message, status), comm);
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  const int code = MPI_Probe(source, tag, comm, MPI_STATUS_IGNORE);
  int flag = 0;
  if (code != MPI_SUCCESS) return code;
  return answered("MPI_Mprobe", find(source, tag, comm, &flag, message, status), comm);
}

int MPI_Mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message,
              MPI_Status* status) {
  return answered("MPI_Mrecv", take(buf, count, datatype, message, status));
}
