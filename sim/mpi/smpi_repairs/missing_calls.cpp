// Functions that SMPI does not have, or has wrong, and that are made here. MPI_Mprobe, MPI_Improbe
// and MPI_Mrecv: a message that was found is received at once, into a buffer of the overlay's own,
// so that nobody else can receive it. MPI_Type_create_subarray: SMPI's has the extent of one
// element instead of that of the whole array.

#include <vector>

#include "sim/mpi/smpi_repairs/polls.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

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

/// Makes a type of another one, which is freed unless it is the program's own.
class Steps {
 public:
  explicit Steps(MPI_Datatype first) : first_(first), type_(first) {}
  template <class Make>
  void next(Make&& make) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int code = make(type_, &made);
    if (type_ != first_) PMPI_Type_free(&type_);
    type_ = made;
    if (code != MPI_SUCCESS) throw SmpiFailure{code};
  }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype first_, type_;
};

MPI_Datatype subarray(std::vector<int> sizes, std::vector<int> parts, std::vector<int> starts,
                      MPI_Datatype element) {
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  PMPI_Type_get_extent(element, &lower, &stride);
  Steps steps(element);
  MPI_Aint place = 0;
  for (std::size_t d = sizes.size(); d-- > 0;) {  // the last one varies fastest
    if (sizes[d] < 1 || parts[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - parts[d])
      throw SmpiFailure{MPI_ERR_ARG};
    steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
      return PMPI_Type_create_hvector(parts[d], 1, stride, old, made);
    });
    place += starts[d] * stride;
    stride *= sizes[d];
  }
  const int one = 1;
  steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
    return PMPI_Type_create_hindexed(1, &one, &place, old, made);
  });
  steps.next([&](MPI_Datatype old, MPI_Datatype* made) {
    return PMPI_Type_create_resized(old, 0, stride, made);
  });
  return steps.type();
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

int MPI_Type_create_subarray(int ndims, const int* array_of_sizes, const int* array_of_subsizes,
                             const int* array_of_starts, int order, MPI_Datatype oldtype,
                             MPI_Datatype* newtype) {
  int code = MPI_SUCCESS;
  if (newtype == nullptr || ndims < 1 || (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN))
    return answered("MPI_Type_create_subarray", MPI_ERR_ARG);
  *newtype = MPI_DATATYPE_NULL;
  if (oldtype == MPI_DATATYPE_NULL) return answered("MPI_Type_create_subarray", MPI_ERR_TYPE);
  const auto ordered = [&](const int* values) {
    std::vector<int> result(values, values + ndims);
    return order == MPI_ORDER_C ? result : std::vector<int>(result.rbegin(), result.rend());
  };
  try {
    *newtype = subarray(ordered(array_of_sizes), ordered(array_of_subsizes),
                        ordered(array_of_starts), oldtype);
  } catch (const SmpiFailure& failure) {
    code = failure.code;
  }
  return answered("MPI_Type_create_subarray", code);
}
