// Files of MPI-IO: data as the program writes and reads them, and time of the host's disk. Hosts
// without a disk, as those of clusters, get one.

#include <simgrid/s4u/Disk.hpp>
#include <simgrid/s4u/Host.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/simgrid/simgrid_versions.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/open_file.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

using namespace vtopo::detail::overlay;
namespace simgrid_versions = vtopo::detail::simgrid_versions;

namespace {

constexpr double disk_bandwidth = 1e9;  ///< bytes per second, of hosts that have no disk

simgrid::s4u::Disk& own_disk() {
  simgrid::s4u::Host* const host = simgrid::s4u::Host::current();
  if (host->get_disks().empty())
    simgrid_versions::add_disk(*host, host->get_name() + "-disk", disk_bandwidth)->seal();
  return *host->get_disks().front();
}

OpenFile& file_of(MPI_File file) {
  if (file == MPI_FILE_NULL) throw SmpiFailure{MPI_ERR_FILE};
  return *reinterpret_cast<OpenFile*>(file);
}

/// Of files that are not open, and of each that is opened.
MPI_Errhandler& handler_of_null() {
  static std::map<int, MPI_Errhandler> of_rank;
  return of_rank.try_emplace(world_rank(), MPI_ERRORS_RETURN).first->second;
}

/// The functions of handlers that the program has made for files: SMPI calls them with files of its
/// own.
std::map<MPI_Errhandler, MPI_File_errhandler_function*>& file_handlers() {
  static std::map<MPI_Errhandler, MPI_File_errhandler_function*> functions;
  return functions;
}

/// Errors are returned unless the program has said otherwise: so it is for files.
int failed(MPI_File file, const char* name, int code) {
  MPI_Errhandler handler = file == MPI_FILE_NULL ? handler_of_null() : file_of(file).handler;
  if (handler == MPI_ERRORS_ARE_FATAL) return answered(name, code);
  const auto own = file_handlers().find(handler);
  if (own != file_handlers().end()) own->second(&file, &code);
  return code;
}

template <class Body>
int file_function(MPI_File file, Body&& body, const char* name = __builtin_FUNCTION()) {
  try {
    const Uncharged own_time;
    body(file_of(file));
    return MPI_SUCCESS;
  } catch (const SmpiFailure& failure) {
    return failed(file, name, failure.code);
  }
}

void set_status(MPI_Status* status, std::size_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  *status = MPI_Status{};
  PMPI_Status_set_elements(status, MPI_BYTE, static_cast<int>(bytes));
}

std::size_t bytes_of(int count, MPI_Datatype datatype) {
  int unit = 0;
  if (count < 0) throw SmpiFailure{MPI_ERR_COUNT};
  if (PMPI_Type_size(datatype, &unit) != MPI_SUCCESS) throw SmpiFailure{MPI_ERR_TYPE};
  const std::int64_t bytes = std::int64_t{count} * unit;
  if (bytes > std::numeric_limits<int>::max()) throw SmpiFailure{MPI_ERR_COUNT};  // packed as int
  return static_cast<std::size_t>(bytes);
}

/// Moves the position by what was transferred.
void advance(OpenFile& file, std::size_t bytes) {
  file.position += static_cast<MPI_Offset>(bytes) / std::max(file.etype_size(), 1);
}

std::size_t read_at(OpenFile& file, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                    MPI_Status* status) {
  if ((file.mode() & MPI_MODE_WRONLY) != 0) throw SmpiFailure{MPI_ERR_ACCESS};
  const std::size_t wanted = bytes_of(count, datatype);
  std::vector<char> bytes = file.read(offset, wanted);
  if (!bytes.empty()) own_disk().read(bytes.size());
  int position = 0;
  const std::size_t unit = bytes_of(1, datatype);
  if (unit > 0)
    PMPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &position, buf,
                static_cast<int>(bytes.size() / unit), datatype, MPI_COMM_SELF);
  set_status(status, bytes.size());
  return bytes.size();
}

std::size_t write_at(OpenFile& file, MPI_Offset offset, const void* buf, int count,
                     MPI_Datatype datatype, MPI_Status* status) {
  if ((file.mode() & MPI_MODE_RDONLY) != 0) throw SmpiFailure{MPI_ERR_READ_ONLY};
  std::vector<char> bytes(bytes_of(count, datatype));
  int position = 0;
  PMPI_Pack(buf, count, datatype, bytes.data(), static_cast<int>(bytes.size()), &position,
            MPI_COMM_SELF);
  if (!bytes.empty()) own_disk().write(bytes.size());
  file.write(offset, bytes);
  set_status(status, bytes.size());
  return bytes.size();
}

/// All processes of the file have come.
void meet(const char* name, const OpenFile& file) {
  const InCall call(collective_call(name, file.comm()));
  smpi([&] { return PMPI_Barrier(file.comm()); });
}

/// Opens on the first process, which may have to make the file, and then on the others.
std::unique_ptr<OpenFile> opened(MPI_Comm comm, const char* name, int mode) {
  MPI_Comm own = MPI_COMM_NULL;
  int rank = 0;
  int code = MPI_SUCCESS;
  std::unique_ptr<OpenFile> file;
  smpi([&] { return PMPI_Comm_dup(comm, &own); });
  PMPI_Comm_rank(own, &rank);
  const auto try_to_open = [&] {
    try {
      file = std::make_unique<OpenFile>(own, name, mode, rank == 0);
    } catch (const SmpiFailure& failure) {
      code = failure.code;
    }
  };
  if (rank == 0) try_to_open();
  OpenFile* first = file.get();  // null: it failed
  smpi([&] { return PMPI_Bcast(&code, 1, MPI_INT, 0, own); });
  smpi([&] { return PMPI_Bcast(&first, sizeof first, MPI_BYTE, 0, own); });
  if (rank != 0 && code == MPI_SUCCESS) try_to_open();
  if (file != nullptr) file->shared_position = first->shared_position;
  int all = MPI_SUCCESS;
  smpi([&] { return PMPI_Allreduce(&code, &all, 1, MPI_INT, MPI_MAX, own); });
  if (all == MPI_SUCCESS) return file;
  file.reset();
  PMPI_Comm_free(&own);
  throw SmpiFailure{all};
}

}  // namespace

int MPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info, MPI_File* fh) {
  if (fh == nullptr) return MPI_ERR_ARG;
  *fh = MPI_FILE_NULL;
  const InCall call(collective_call("MPI_File_open", comm));
  try {
    const Uncharged own_time;
    auto file = opened(comm, filename, amode);
    file->handler = handler_of_null();
    *fh = reinterpret_cast<MPI_File>(file.release());
    return MPI_SUCCESS;
  } catch (const SmpiFailure& failure) {
    return failed(MPI_FILE_NULL, "MPI_File_open", failure.code);
  }
}

int MPI_File_close(MPI_File* fh) {
  const int code = file_function(*fh, [&](OpenFile& file) {
    meet("MPI_File_close", file);
    MPI_Comm own = file.comm();
    delete &file;
    PMPI_Comm_free(&own);
  });
  if (code == MPI_SUCCESS) *fh = MPI_FILE_NULL;
  return code;
}

int MPI_File_delete(const char* filename, MPI_Info) {
  if (unlink(filename) == 0) return MPI_SUCCESS;
  return errno == ENOENT ? MPI_ERR_NO_SUCH_FILE : MPI_ERR_ACCESS;
}

int MPI_File_get_size(MPI_File fh, MPI_Offset* size) {
  return file_function(fh, [&](OpenFile& file) { *size = file.size(); });
}

int MPI_File_set_size(MPI_File fh, MPI_Offset size) {
  return file_function(fh, [&](OpenFile& file) {
    file.resize(size);
    meet("MPI_File_set_size", file);
  });
}

int MPI_File_preallocate(MPI_File fh, MPI_Offset size) {
  return file_function(fh, [&](OpenFile& file) {
    if (file.size() < size) file.resize(size);
    meet("MPI_File_preallocate", file);
  });
}

int MPI_File_get_amode(MPI_File fh, int* amode) {
  return file_function(fh, [&](OpenFile& file) { *amode = file.mode(); });
}

int MPI_File_get_group(MPI_File fh, MPI_Group* group) {
  return file_function(fh, [&](OpenFile& file) { PMPI_Comm_group(file.comm(), group); });
}

int MPI_File_set_info(MPI_File, MPI_Info) {
  return MPI_SUCCESS;
}

int MPI_File_get_info(MPI_File, MPI_Info* info_used) {
  return PMPI_Info_create(info_used);
}

int MPI_File_set_atomicity(MPI_File, int) {
  return MPI_SUCCESS;
}

/// One process writes at a time.
int MPI_File_get_atomicity(MPI_File, int* flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_File_sync(MPI_File fh) {
  return file_function(fh, [&](OpenFile& file) {
    file.flush();
    meet("MPI_File_sync", file);
  });
}

int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* errhandler) {
  const int code = PMPI_File_create_errhandler(function, errhandler);
  if (code == MPI_SUCCESS) file_handlers()[*errhandler] = function;
  return code;
}

int MPI_File_set_errhandler(MPI_File fh, MPI_Errhandler handler) {
  if (fh == MPI_FILE_NULL) {
    handler_of_null() = handler;
    return MPI_SUCCESS;
  }
  return file_function(fh, [&](OpenFile& file) { file.handler = handler; });
}

int MPI_File_get_errhandler(MPI_File fh, MPI_Errhandler* handler) {
  *handler = handler_of_null();
  if (fh == MPI_FILE_NULL) return MPI_SUCCESS;
  return file_function(fh, [&](OpenFile& file) { *handler = file.handler; });
}

int MPI_File_call_errhandler(MPI_File fh, int code) {
  failed(fh, "MPI_File_call_errhandler", code);
  return MPI_SUCCESS;
}

int MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                      const char*, MPI_Info) {
  return file_function(fh, [&](OpenFile& file) {
    // The program may free its types.
    MPI_Datatype own_etype = MPI_BYTE;
    MPI_Datatype own_filetype = MPI_BYTE;
    smpi([&] { return PMPI_Type_dup(etype, &own_etype); });
    smpi([&] { return PMPI_Type_dup(filetype, &own_filetype); });
    PMPI_Type_commit(&own_etype);
    PMPI_Type_commit(&own_filetype);
    MPI_Offset start = disp;
    if (disp == MPI_DISPLACEMENT_CURRENT) {
      start = file.byte_of(*file.shared_position);
      meet("MPI_File_set_view", file);  // all have seen it
    }
    file.set_view({start, own_etype, own_filetype});
    meet("MPI_File_set_view", file);
  });
}

int MPI_File_get_view(MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                      char* datarep) {
  return file_function(fh, [&](OpenFile& file) {
    *disp = file.view().start;
    *etype = file.view().etype;
    *filetype = file.view().filetype;
    std::string("native").copy(datarep, 7);
    datarep[6] = '\0';
  });
}

int MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  return file_function(fh, [&](OpenFile& file) {
    const MPI_Offset unit = std::max(file.etype_size(), 1);
    const MPI_Offset from = whence == MPI_SEEK_SET   ? 0
                            : whence == MPI_SEEK_CUR ? file.position
                                                     : (file.size() - file.view().start) / unit;
    if (from + offset < 0) throw SmpiFailure{MPI_ERR_ARG};
    file.position = from + offset;
  });
}

int MPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  return file_function(fh, [&](OpenFile& file) { *disp = file.byte_of(offset); });
}

int MPI_File_get_position(MPI_File fh, MPI_Offset* offset) {
  return file_function(fh, [&](OpenFile& file) { *offset = file.position; });
}

// Each transfer with the position of the process, and with an offset; of all processes, too.
#define VTOPO_TRANSFERS(way, Buffer)                                                        \
  int MPI_File_##way(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,             \
                     MPI_Status* status) {                                                  \
    return file_function(fh, [&](OpenFile& file) {                                          \
      advance(file, way##_at(file, file.position, buf, count, datatype, status));           \
    });                                                                                     \
  }                                                                                         \
  int MPI_File_##way##_all(MPI_File fh, Buffer buf, int count, MPI_Datatype datatype,       \
                           MPI_Status* status) {                                            \
    return file_function(fh, [&](OpenFile& file) {                                          \
      advance(file, way##_at(file, file.position, buf, count, datatype, status));           \
      meet("MPI_File_" #way "_all", file);                                                  \
    });                                                                                     \
  }                                                                                         \
  int MPI_File_##way##_at(MPI_File fh, MPI_Offset offset, Buffer buf, int count,            \
                          MPI_Datatype datatype, MPI_Status* status) {                      \
    return file_function(                                                                   \
        fh, [&](OpenFile& file) { way##_at(file, offset, buf, count, datatype, status); }); \
  }                                                                                         \
  int MPI_File_##way##_at_all(MPI_File fh, MPI_Offset offset, Buffer buf, int count,        \
                              MPI_Datatype datatype, MPI_Status* status) {                  \
    return file_function(fh, [&](OpenFile& file) {                                          \
      way##_at(file, offset, buf, count, datatype, status);                                 \
      meet("MPI_File_" #way "_at_all", file);                                               \
    });                                                                                     \
  }
VTOPO_TRANSFERS(read, void*)
VTOPO_TRANSFERS(write, const void*)
#undef VTOPO_TRANSFERS

namespace {

/// Fortran's handles of files: places in a list. SMPI's functions take its own files only.
std::vector<MPI_File>& numbered_files() {
  static std::vector<MPI_File> files{MPI_FILE_NULL};
  return files;
}

}  // namespace

MPI_Fint MPI_File_c2f(MPI_File file) {
  auto& files = numbered_files();
  auto place = std::find(files.begin(), files.end(), file);
  if (place == files.end()) place = files.insert(place, file);
  return place == files.begin() ? -1 : static_cast<MPI_Fint>(place - files.begin());
}

MPI_File MPI_File_f2c(MPI_Fint file) {
  const auto place = static_cast<std::size_t>(file);
  return file < 0 || place >= numbered_files().size() ? MPI_FILE_NULL : numbered_files()[place];
}
