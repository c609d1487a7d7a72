#pragma once

#include <string>

#include "netmodels/fabric/fabric.hpp"

namespace vtopo::detail {

/// Reads the output of `ibnetdiscover` (infiniband-diags): every switch and channel adapter with
/// its ports. A cable is listed at both ends and counted once; its bandwidth is the data rate of
/// width and speed (4xEDR: 12.5 GB/s per direction). Hosts are called by the first word of their
/// adapter's description ("node01 HCA-1", "node01 mlx5_0"); adapters with the same one are one
/// host. Descriptions that are no host names (of older drivers) give the adapter's GUID. Hosts in
/// the order in which the file first names them.
/// @throws InputError with file, line and column.
FabricSpec read_ibnetdiscover(const std::string& path, Seconds latency);

}  // namespace vtopo::detail
