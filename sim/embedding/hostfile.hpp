#pragma once

#include <optional>
#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// Host named by one line of a hostfile; no slots where the line does not count them.
struct HostfileEntry {
  HostId host{};
  std::optional<int> slots;
};

/// Reads a hostfile: one host per line as `name`, `name:slots` (SMPI, hydra) or `name slots=n`
/// (Open MPI); blank lines and `#` comments are skipped. Entries in the order of the file.
/// @throws InputError with file, line and column for an unreadable file, a host that the network
/// does not have or that is named twice, and a malformed line.
std::vector<HostfileEntry> read_hostfile(const std::string& path, const Network& network);

}  // namespace vtopo
