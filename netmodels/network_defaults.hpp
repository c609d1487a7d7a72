#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"

namespace vtopo {

/// Name of each host, in the order of their ids; null: they are numbered.
using HostNameList = std::shared_ptr<const std::vector<std::string>>;

/// Names of hosts in the order of their ids: a list as Slurm writes it, `rack[1-2]n[00-15]`. Null
/// for an empty text.
/// @throws UsageError with what is accepted.
HostNameList listed_host_names(const std::string& list);

/// In front of a file that says where nodes stand: `map:nodes.txt`.
inline constexpr std::string_view node_map_prefix = "map:";

/// The same, `file:FILE` with a name per line, or `map:FILE` with the places of nodes in the
/// machine (xnames of HPE Cray EX, topology files of Slurm): names in the order of these places.
/// @throws UsageError, or InputError with file, line and column.
HostNameList parse_host_names(const std::string& text);

/// What the links of a modelled network can carry and how its hosts are called.
struct NetworkDefaults {
  BytesPerSecond bandwidth{10e9};     ///< per direction
  Seconds latency{100e-9};            ///< per link
  std::string host_prefix = "host-";  ///< in front of the number of a host
  std::string host_suffix = "";       ///< behind the number of a host
  int first_host_number = 0;     ///< host h is called prefix + (first_host_number + h) + suffix
  HostNameList host_names = {};  ///< instead of these three; as many as the network has hosts
};

/// What one class of links can carry; the network's defaults where nothing is given.
struct LinkRates {
  std::optional<BytesPerSecond> bandwidth;  ///< per direction
  std::optional<Seconds> latency;           ///< per link
};

}  // namespace vtopo
