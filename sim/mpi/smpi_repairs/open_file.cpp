#include "sim/mpi/smpi_repairs/open_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/mpi/smpi_repairs/datatypes.hpp"

namespace vtopo::detail::overlay {

struct OpenFile::Tile {
  MPI_Datatype type;
  std::size_t seen = 0;   ///< bytes
  MPI_Offset extent = 0;  ///< bytes from one to the next
  MPI_Offset end = 0;     ///< behind the last byte that is seen
  bool is_dense = false;  ///< nothing is left out

  /// What is seen of its bytes in the file.
  std::vector<char> packed(std::vector<char> bytes) const {
    std::vector<char> result(seen);
    bytes.resize(static_cast<std::size_t>(std::max(extent, end)));
    int done = 0;  // bytes
    PMPI_Pack(bytes.data(), 1, type, result.data(), static_cast<int>(seen), &done, MPI_COMM_SELF);
    return result;
  }

  /// Puts what is seen into its bytes.
  void unpack(std::vector<char> packed, std::vector<char>& bytes) const {
    int done = 0;  // bytes
    PMPI_Unpack(packed.data(), static_cast<int>(seen), &done, bytes.data(), 1, type, MPI_COMM_SELF);
  }
};

namespace {

int error_class_of(int error) {
  switch (error) {
    case ENOENT:
      return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
      return MPI_ERR_FILE_EXISTS;
    case EACCES:
      return MPI_ERR_ACCESS;
    case EROFS:
      return MPI_ERR_READ_ONLY;
    default:
      return MPI_ERR_IO;
  }
}

/// The mode of `open`. The first process makes the file, the others find it.
int flags_of(int mode, bool first) {
  const int ways = ((mode & MPI_MODE_RDONLY) != 0) + ((mode & MPI_MODE_WRONLY) != 0) +
                   ((mode & MPI_MODE_RDWR) != 0);
  if (ways != 1) throw SmpiFailure{MPI_ERR_AMODE};
  // Parts of a view are written among what others have written, which is read before.
  int flags = (mode & MPI_MODE_RDONLY) != 0 ? O_RDONLY : O_RDWR;
  if (first && (mode & MPI_MODE_CREATE) != 0) flags |= O_CREAT;
  if (first && (mode & MPI_MODE_EXCL) != 0) flags |= O_EXCL;
  return flags | O_CLOEXEC;
}

}  // namespace

OpenFile::OpenFile(MPI_Comm own_comm, const std::string& path, int mode, bool first)
    : comm_(own_comm), path_(path), mode_(mode) {
  file_ = open(path.c_str(), flags_of(mode, first), 0666);
  if (file_ < 0) throw SmpiFailure{error_class_of(errno)};
  set_view({});
  if ((mode & MPI_MODE_APPEND) != 0) position = *shared_position = size();
}

OpenFile::~OpenFile() {
  if (file_ >= 0) close(file_);
  int rank = 0;
  PMPI_Comm_rank(comm_, &rank);
  if (rank == 0 && (mode_ & MPI_MODE_DELETE_ON_CLOSE) != 0) unlink(path_.c_str());
}

void OpenFile::set_view(const FileView& view) {
  view_ = view;
  tile_ = std::make_unique<const Tile>(tile_of(view.filetype));
  position = *shared_position = 0;
}

OpenFile::Tile OpenFile::tile_of(MPI_Datatype filetype) {
  Tile tile{filetype};
  int size = 0;
  PMPI_Type_size(filetype, &size);
  const Reach reach = reach_of(filetype);
  tile.seen = static_cast<std::size_t>(size);
  tile.extent = reach.extent();
  tile.is_dense = reach.lower.at == 0 && reach.extent() == size && reach.true_extent() == size;
  tile.end = reach.true_upper.at;
  return tile;
}

std::vector<char> OpenFile::raw(MPI_Offset from, std::size_t bytes) const {
  std::vector<char> result(bytes);
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = pread(file_, result.data() + done, bytes - done,
                              static_cast<off_t>(from) + static_cast<off_t>(done));
    if (got < 0) throw SmpiFailure{MPI_ERR_IO};
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  result.resize(done);
  return result;
}

void OpenFile::put_raw(MPI_Offset from, std::span<const char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(from));
    if (put <= 0) throw SmpiFailure{MPI_ERR_IO};
    bytes = bytes.subspan(static_cast<std::size_t>(put));
    from += put;
  }
}

std::vector<char> OpenFile::read(MPI_Offset offset, std::size_t bytes) const {
  const Tile& part = *tile_;
  const MPI_Offset first = offset * etype_size();
  if (part.seen == 0 || bytes == 0) return {};
  if (part.is_dense) return raw(view_.start + first, bytes);
  std::vector<char> result;
  const auto seen = static_cast<MPI_Offset>(part.seen);
  for (MPI_Offset at = first / seen; result.size() < bytes; ++at) {
    const MPI_Offset place = view_.start + at * part.extent;
    if (place >= size()) break;
    const auto packed = part.packed(raw(place, static_cast<std::size_t>(part.end)));
    const MPI_Offset skipped = at == first / seen ? first % seen : 0;
    const std::size_t left = bytes - result.size();
    const auto begin = packed.begin() + skipped;
    result.insert(result.end(), begin,
                  begin + std::min(static_cast<std::ptrdiff_t>(left), packed.end() - begin));
  }
  return result;
}

void OpenFile::write(MPI_Offset offset, std::span<const char> bytes) const {
  const Tile& part = *tile_;
  const MPI_Offset first = offset * etype_size();
  if (part.seen == 0 || bytes.empty()) return;
  if (part.is_dense) return put_raw(view_.start + first, bytes);
  const auto seen = static_cast<MPI_Offset>(part.seen);
  for (MPI_Offset at = first / seen; !bytes.empty(); ++at) {
    const MPI_Offset place = view_.start + at * part.extent;
    std::vector<char> old = raw(place, static_cast<std::size_t>(part.end));
    old.resize(static_cast<std::size_t>(std::max(part.end, part.extent)));
    std::vector<char> packed = part.packed(old);
    const auto skipped = static_cast<std::size_t>(at == first / seen ? first % seen : 0);
    const std::size_t taken = std::min(bytes.size(), part.seen - skipped);
    std::memcpy(packed.data() + skipped, bytes.data(), taken);
    bytes = bytes.subspan(taken);
    part.unpack(std::move(packed), old);
    put_raw(place, std::span<const char>(old).first(static_cast<std::size_t>(part.end)));
  }
}

MPI_Offset OpenFile::byte_of(MPI_Offset offset) const {
  const Tile& part = *tile_;
  const MPI_Offset first = offset * etype_size();
  if (part.seen == 0 || part.is_dense) return view_.start + first;
  const auto seen = static_cast<MPI_Offset>(part.seen);
  std::vector<char> marked(part.seen);
  marked[static_cast<std::size_t>(first % seen)] = 1;
  std::vector<char> bytes(static_cast<std::size_t>(std::max(part.extent, part.end)));
  part.unpack(std::move(marked), bytes);
  const auto place = std::find(bytes.begin(), bytes.end(), 1) - bytes.begin();
  return view_.start + first / seen * part.extent + place;
}

MPI_Offset OpenFile::size() const {
  const off_t end = lseek(file_, 0, SEEK_END);
  if (end < 0) throw SmpiFailure{MPI_ERR_IO};
  return end;
}

void OpenFile::resize(MPI_Offset bytes) const {
  if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) throw SmpiFailure{MPI_ERR_IO};
}

void OpenFile::flush() const {
  fsync(file_);
}

int OpenFile::etype_size() const {
  int size = 1;
  PMPI_Type_size(view_.etype, &size);
  return size;
}

}  // namespace vtopo::detail::overlay
