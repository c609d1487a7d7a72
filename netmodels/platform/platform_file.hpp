#pragma once

#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/endpoint_properties.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A platform file that has passed the checks below; internal to this room.
struct PlatformFile {
  std::string path;
  std::string text;
  pugi::xml_document document;
  std::vector<std::size_t> line_starts = {};  ///< byte offsets; made by `index_lines`

  /// Place of an element in the text.
  FilePosition position(pugi::xml_node element) const;
  /// Place of a byte of the text.
  FilePosition position(std::size_t offset) const;

  /// To be called when the text has changed: positions depend on it.
  void index_lines();
};

/// The bytes of a regular file of bearable size that is not a program.
/// @throws InputError if it is not, or cannot be read.
std::string read_platform_text(const std::string& path);

/// Parses `file.text` into `file.document`.
pugi::xml_parse_result parse_platform_text(PlatformFile& file,
                                           unsigned int flags = pugi::parse_default);

/// Called with each problem that `check_platform_elements` finds: the element, a sentence. It may
/// throw.
using ProblemSink = std::function<void(pugi::xml_node element, std::string_view sentence)>;

/// The checks of `read_platform_file` that look at elements and their attributes.
void check_platform_elements(const PlatformFile& file, const ProblemSink& report);

/// What is wrong with text that is not XML: of a closing tag that does not fit, where the open one
/// is.
std::string describe_malformed(const PlatformFile& file, const pugi::xml_parse_result& result);

/// Reads a platform file and checks everything on which SimGrid 3.32 would abort, crash, touch
/// other files or go on with nonsense: no regular file, malformed XML, no zone, deep nesting,
/// actors, bandwidths and latencies out of range, cluster parameters.
/// @param name path, or name of a machine that comes with vtopo.
/// @throws InputError with file, line and column.
PlatformFile read_platform_file(const std::string& name);

/// The same for a text that has been read.
PlatformFile parse_platform(const std::string& path, std::string text);

/// What the properties of the top zone say of the machine.
struct Declaration {
  PlatformProperties machine = {};
  NetworkDefaults defaults = {};         ///< of `vtopo-network`
  pugi::xml_node network_property = {};  ///< that `<prop>`; null without one
};

/// @throws InputError with the line and column of the property whose value is wrong.
Declaration read_declaration(const PlatformFile& file);

/// The network of `vtopo-network` and of the properties beside it; null if there is none.
/// @param interfaces as keys: `,injection=25GBps/1us`.
/// @throws InputError as `read_declaration`.
std::shared_ptr<const Network> declared_network(const PlatformFile& file,
                                                const Declaration& declared,
                                                const RoutingOptions& routing,
                                                const std::string& interfaces);

/// A cluster that vtopo has in closed form: `torus:4x4x8` and its links and names.
struct ClusterModel {
  std::string spec;
  NetworkDefaults defaults;
};

/// The only zone of the file, if it is one torus, fat tree or dragonfly with plain split-duplex
/// links.
std::optional<ClusterModel> closed_form_cluster(const PlatformFile& file);

/// Checks that SimGrid survives the cluster or cabinet that it is about to build: not too many
/// hosts, no dragonfly with more groups than blades, no torus with two dimensions of size 1.
/// @throws InputError with file, line and column.
void check_cluster_for_simgrid(const PlatformFile& file, pugi::xml_node cluster);

/// Numbers of a radical that has passed the checks: `0-3,8`.
std::vector<std::int64_t> numbers_of_radical(std::string_view radical);

}  // namespace vtopo::detail
