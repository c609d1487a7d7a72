#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "netmodels/fabric/fabric.hpp"
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
/// @throws InputError with file, line and column.
FabricSpec read_ibnetdiscover(const std::string& path, Seconds latency);

/// Data rate per direction of an InfiniBand width and speed such as `4xEDR`: the signalling rate
/// less the line code (8b/10b up to QDR, 64b/66b from FDR on), as named by the InfiniBand Trade
/// Association. Nothing if the text is no such word.
std::optional<BytesPerSecond> infiniband_bandwidth(std::string_view text);

}  // namespace vtopo::detail
