#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/machines/machine_file.hpp"
#include "netmodels/machines/node_map.hpp"
#include "sim/placement/host_lists.hpp"

namespace vtopo::detail {

// What foreign.cpp registers and no other header of this folder declares.

/// Format of a machine's file by its beginning; nothing if no reader takes such a file.
std::optional<MachineFormat> foreign_machine_format(std::string_view text);

/// @param format any but `simgrid`.
/// @throws InputError with file, line and column.
std::shared_ptr<const Network> read_foreign_machine(const std::string& path, MachineFormat format,
                                                    const MachineOptions& options);

/// See `read_node_map`.
NodeMap read_node_places(const std::string& path);

/// See `read_listed_hosts`.
std::vector<ListedHost> read_host_list(const std::string& path);

}  // namespace vtopo::detail
