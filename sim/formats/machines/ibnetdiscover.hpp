#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// Reads the output of `ibnetdiscover` (infiniband-diags): every switch and channel adapter with
/// its ports. A cable is listed at both ends and counted once; its bandwidth is the data rate of
/// width and speed (4xEDR: 12.5 GB/s per direction), the lower one where the ends differ. Hosts are
/// called by the first word of their adapter's description ("node01 HCA-1", "node01 mlx5_0");
/// adapters with the same one are one host. Two adapters of one machine differ in the second word,
/// or have none and hang on one switch: where they do not, several machines have the name, and each
/// of their adapters is a host called by its GUID, as are those whose description is not a host
/// name (of older drivers, "localhost"). Hosts in the order in which the file first names them.
/// Net files of ibsim have the same lines and no rates: every cable has the assumed bandwidth.
/// @param remark hears that the bandwidth is assumed; may be empty.
/// @throws InputError with file, line and column.
FabricSpec read_ibnetdiscover(const std::string& path, const CableAssumptions& cables,
                              const std::function<void(const std::string&)>& remark = {});

/// Reads any listing of an InfiniBand fabric, known by its content: what `ibnetdiscover`, with or
/// without `-p`, and `iblinkinfo`, with or without `-l`, print, and net files of ibsim. Ports that
/// are down are left out, hosts named as above.
/// @throws InputError with file, line and column.
FabricSpec read_infiniband(const std::string& path, const CableAssumptions& cables,
                           const std::function<void(const std::string&)>& remark = {});

/// Whether a text, or the beginning of one, is such a listing.
bool is_infiniband_listing(std::string_view text);

/// A switch or adapter of a listing.
struct InfinibandNode {
  std::string guid;  ///< or what else names it in the file
  std::string description;
  bool is_switch = false;
};

/// One end of a cable.
struct InfinibandPort {
  std::string guid;
  std::int64_t port = 0;
  auto operator<=>(const InfinibandPort&) const = default;
};

/// A cable as one of its ends lists it.
struct InfinibandCable {
  InfinibandPort here, there;
  BytesPerSecond bandwidth;
  FilePosition where;
};

/// Fabric of a listing in which a cable may be listed at both ends.
/// @throws InputError for a cable to a node that is not listed, and a listing without adapters.
FabricSpec fabric_of_listing(const std::string& path, const std::vector<InfinibandNode>& nodes,
                             const std::vector<InfinibandCable>& listed, Seconds latency);

/// Pieces of a line between blanks and tabs.
std::vector<std::string_view> words_in(std::string_view text);

/// Data rate per direction of an InfiniBand width and speed such as `4xEDR`: the signalling rate
/// less the line code (8b/10b up to QDR, 64b/66b from FDR on), as named by the InfiniBand Trade
/// Association. Nothing if the text is no such word.
std::optional<BytesPerSecond> infiniband_bandwidth(std::string_view text);

}  // namespace vtopo::detail
