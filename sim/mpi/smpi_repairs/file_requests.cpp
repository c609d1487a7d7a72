// Transfers of files that do not block, in two steps, and by the pointer that all processes of a
// file share. A transfer is done when its first function returns: the request is complete then.

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/open_file.hpp"
#include "sim/mpi/smpi_repairs/requests.hpp"

using namespace vtopo::detail::overlay;

namespace {

/// What a function returns after its transfer returned that code.
int completed(int code, const MPI_Status& status, MPI_Request* request) {
  if (code != MPI_SUCCESS) return code;
  const Uncharged own_time;
  CollectiveRequest done;
  done.comm = MPI_COMM_SELF;
  done.status = status;
  done.active = true;
  *request = make_request(std::move(done));
  return MPI_SUCCESS;
}

/// Of transfers that have begun and not ended, by file, which is of one process.
std::map<MPI_File, MPI_Status>& begun() {
  static std::map<MPI_File, MPI_Status> statuses;
  return statuses;
}

int ended(MPI_File fh, MPI_Status* status) {
  if (status != MPI_STATUS_IGNORE) *status = begun()[fh];
  begun().erase(fh);
  return MPI_SUCCESS;
}

OpenFile& known_file(MPI_File fh) {
  return *reinterpret_cast<OpenFile*>(fh);
}

/// Elements of a transfer in etypes of the file.
MPI_Offset etypes_of(const OpenFile& file, int count, MPI_Datatype datatype) {
  int unit = 0;
  if (count > 0) PMPI_Type_size(datatype, &unit);
  return std::int64_t{count} * unit / std::max(file.etype_size(), 1);
}

/// Moves the shared pointer past a transfer; where that begins.
MPI_Offset taken(MPI_File fh, int count, MPI_Datatype datatype) {
  if (fh == MPI_FILE_NULL) return 0;
  MPI_Offset& shared = *known_file(fh).shared_position;
  return std::exchange(shared, shared + etypes_of(known_file(fh), count, datatype));
}

/// The same for a transfer of all processes, one after the other in the order of ranks.
MPI_Offset taken_in_order(MPI_File fh, int count, MPI_Datatype datatype) {
  if (fh == MPI_FILE_NULL) return 0;
  const OpenFile& file = known_file(fh);
  const MPI_Comm comm = file.comm();
  MPI_Offset up_to_own = 0, all = 0;
  const MPI_Offset own = etypes_of(file, count, datatype);
  PMPI_Scan(&own, &up_to_own, 1, MPI_OFFSET, MPI_SUM, comm);
  PMPI_Allreduce(&own, &all, 1, MPI_OFFSET, MPI_SUM, comm);
  const MPI_Offset first = *file.shared_position;
  PMPI_Barrier(comm);  // all have seen it
  *file.shared_position = first + all;
  PMPI_Barrier(comm);  // nobody moves it on before
  return first + up_to_own - own;
}

}  // namespace

#define VTOPO_TRANSFERS(way, Buffer)                                                              \
  int MPI_File_i##way(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,                  \
                      MPI_Request* request) {                                                     \
    MPI_Status status{};                                                                          \
    const int code = MPI_File_##way(fh, buf, count, datatype, &status);                           \
    return completed(code, status, request);                                                      \
  }                                                                                               \
  int MPI_File_i##way##_all(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,            \
                            MPI_Request* request) {                                               \
    return MPI_File_i##way(fh, buf, count, datatype, request);                                    \
  }                                                                                               \
  int MPI_File_i##way##_at(MPI_File fh, MPI_Offset offset, Buffer buf, int count,                 \
                           MPI_Datatype datatype, MPI_Request* request) {                         \
    MPI_Status status{};                                                                          \
    const int code = MPI_File_##way##_at(fh, offset, buf, count, datatype, &status);              \
    return completed(code, status, request);                                                      \
  }                                                                                               \
  int MPI_File_i##way##_at_all(MPI_File fh, MPI_Offset offset, Buffer buf, int count,             \
                               MPI_Datatype datatype, MPI_Request* request) {                     \
    return MPI_File_i##way##_at(fh, offset, buf, count, datatype, request);                       \
  }                                                                                               \
  int MPI_File_##way##_shared(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,          \
                              MPI_Status* status) {                                               \
    return MPI_File_##way##_at(fh, taken(fh, count, datatype), buf, count, datatype, status);     \
  }                                                                                               \
  int MPI_File_i##way##_shared(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,         \
                               MPI_Request* request) {                                            \
    MPI_Status status{};                                                                          \
    const int code = MPI_File_##way##_shared(fh, buf, count, datatype, &status);                  \
    return completed(code, status, request);                                                      \
  }                                                                                               \
  int MPI_File_##way##_ordered(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,         \
                               MPI_Status* status) {                                              \
    const MPI_Offset offset = taken_in_order(fh, count, datatype);                                \
    return MPI_File_##way##_at_all(fh, offset, buf, count, datatype, status);                     \
  }                                                                                               \
  int MPI_File_##way##_all_begin(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype) {     \
    return MPI_File_##way(fh, buf, count, datatype, &begun()[fh]);                                \
  }                                                                                               \
  int MPI_File_##way##_at_all_begin(MPI_File fh, MPI_Offset offset, Buffer buf, int count,        \
                                    MPI_Datatype datatype) {                                      \
    return MPI_File_##way##_at(fh, offset, buf, count, datatype, &begun()[fh]);                   \
  }                                                                                               \
  int MPI_File_##way##_ordered_begin(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype) { \
    return MPI_File_##way##_ordered(fh, buf, count, datatype, &begun()[fh]);                      \
  }                                                                                               \
  int MPI_File_##way##_all_end(MPI_File fh, Buffer, MPI_Status* status) {                         \
    return ended(fh, status);                                                                     \
  }                                                                                               \
  int MPI_File_##way##_at_all_end(MPI_File fh, Buffer, MPI_Status* status) {                      \
    return ended(fh, status);                                                                     \
  }                                                                                               \
  int MPI_File_##way##_ordered_end(MPI_File fh, Buffer, MPI_Status* status) {                     \
    return ended(fh, status);                                                                     \
  }
VTOPO_TRANSFERS(read, void*)
VTOPO_TRANSFERS(write, const void*)
#undef VTOPO_TRANSFERS

int MPI_File_get_position_shared(MPI_File fh, MPI_Offset* offset) {
  const int code = MPI_File_get_position(fh, offset);
  if (code == MPI_SUCCESS) *offset = *known_file(fh).shared_position;
  return code;
}

/// Collective; the place is found as by MPI_File_seek, which leaves the own pointer as it was.
int MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  if (fh == MPI_FILE_NULL) return MPI_File_seek(fh, offset, whence);
  OpenFile& file = known_file(fh);
  const MPI_Offset own = std::exchange(file.position, *file.shared_position);
  const int code = MPI_File_seek(fh, offset, whence);
  const MPI_Offset place = std::exchange(file.position, own);
  PMPI_Barrier(file.comm());
  if (code == MPI_SUCCESS) *file.shared_position = place;
  PMPI_Barrier(file.comm());
  return code;
}

int MPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint* extent) {
  MPI_Aint lower = 0;
  int mode = 0;
  const int code = MPI_File_get_amode(fh, &mode);
  return code == MPI_SUCCESS ? MPI_Type_get_extent(datatype, &lower, extent) : code;
}
