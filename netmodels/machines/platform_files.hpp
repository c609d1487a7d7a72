#pragma once

#include <memory>
#include <string>
#include <vector>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/network.hpp"

namespace vtopo::detail {

struct NetworkInfo;

/// What only the library of SimGrid's platform files can do. The core does not know it and works
/// without it.
struct PlatformFiles {
  std::shared_ptr<const Network> (*read)(const std::string& path,
                                         const PlatformOptions& options) = nullptr;
  /// Text of a file for a network with `description_defaults`.
  std::string (*write)(const Network& network) = nullptr;
  /// More networks that specifications name.
  std::vector<NetworkInfo> (*networks)() = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const PlatformFiles vtopo_platform_files;

/// @throws UsageError in a program without that library.
const PlatformFiles& platform_files();

}  // namespace vtopo::detail
