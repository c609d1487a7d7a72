#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

/// What a process sees of a file: from `start` on copies of a datatype, of which the others' parts
/// are left out. Offsets count etypes.
struct FileView {
  MPI_Offset start = 0;
  MPI_Datatype etype = MPI_BYTE;
  MPI_Datatype filetype = MPI_BYTE;
};

/// A file that a process has opened: the real one, of the machine that simulates. SMPI's own files
/// have sizes but no data.
class OpenFile {
 public:
  /// Opens it; the communicator is a duplicate that the file has for itself.
  /// @throws SmpiFailure with the error class of MPI.
  OpenFile(MPI_Comm own_comm, const std::string& path, int mode, bool first);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  MPI_Comm comm() const { return comm_; }
  int mode() const { return mode_; }
  const FileView& view() const { return view_; }
  /// @param view its types live as long as it is the view.
  void set_view(const FileView& view);

  /// Bytes of the view from an offset in etypes on; less at the end of the file.
  std::vector<char> read(MPI_Offset offset, std::size_t bytes) const;
  void write(MPI_Offset offset, std::span<const char> bytes) const;

  /// Where an offset of the view, in etypes, is in the file.
  MPI_Offset byte_of(MPI_Offset offset) const;

  /// Of the whole file, in bytes.
  MPI_Offset size() const;
  void resize(MPI_Offset bytes) const;
  void flush() const;
  int etype_size() const;

  MPI_Offset position = 0;  ///< in etypes
  /// The pointer of all processes that have opened the file together, in etypes.
  std::shared_ptr<MPI_Offset> shared_position = std::make_shared<MPI_Offset>(0);
  MPI_Errhandler handler = MPI_ERRORS_RETURN;

 private:
  /// A copy of the filetype: its bytes in the file, and of these the ones that are seen.
  struct Tile;
  static Tile tile_of(MPI_Datatype filetype);
  std::vector<char> raw(MPI_Offset from, std::size_t bytes) const;
  void put_raw(MPI_Offset from, std::span<const char> bytes) const;

  MPI_Comm comm_;
  std::string path_;
  int mode_;
  int file_ = -1;
  FileView view_{};
  std::unique_ptr<const Tile> tile_;  ///< of the view
};

}  // namespace vtopo::detail::overlay
