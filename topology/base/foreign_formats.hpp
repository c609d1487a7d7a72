#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/error.hpp"

namespace vtopo {
class Network;
enum class MachineFormat;
struct EmbeddingFormat;
struct MachineOptions;
}  // namespace vtopo

namespace vtopo::detail {

struct ListedHost;
struct NodeLevel;
struct NodeMap;
struct TraceFormat;
struct TrafficFormatInfo;

/// Files that other programs write and read, and recorded programs, which only the library
/// vtopo::formats knows. The core works without it and names no such file but here; the types are
/// those of the core's folders.
struct ForeignFormats {
  std::vector<TrafficFormatInfo> (*traffic)() = nullptr;
  std::vector<EmbeddingFormat> (*embeddings)() = nullptr;
  std::vector<TraceFormat> (*traces)() = nullptr;
  /// Format of a machine's file by its beginning; nothing if no reader takes such a file.
  std::optional<MachineFormat> (*machine_format)(std::string_view text) = nullptr;
  std::shared_ptr<const Network> (*read_machine)(const std::string& path, MachineFormat format,
                                                 const MachineOptions& options) = nullptr;
  NodeMap (*read_node_map)(const std::string& path) = nullptr;
  std::vector<NodeLevel> (*read_node_levels)(const std::string& path) = nullptr;
  std::vector<ListedHost> (*read_host_list)(const std::string& path) = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const ForeignFormats vtopo_foreign_formats;

/// Rows of a table of formats: those of the core, then those of that library, if it is there.
template <class Row>
std::vector<Row> with_foreign(std::vector<Row> rows, std::vector<Row> (*ForeignFormats::*more)()) {
  if (&vtopo_foreign_formats == nullptr) return rows;
  for (Row& row : (vtopo_foreign_formats.*more)()) rows.push_back(std::move(row));
  return rows;
}

/// @throws UsageError in a program without that library.
inline const ForeignFormats& foreign_formats(std::string_view file) {
  if (&vtopo_foreign_formats == nullptr)
    throw UsageError(fmt::format(
        "{} needs the library vtopo::formats, which this program was linked without", file));
  return vtopo_foreign_formats;
}

}  // namespace vtopo::detail
