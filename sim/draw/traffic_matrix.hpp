#pragma once

#include <vector>

#include "sim/placement/embedding.hpp"
#include "sim/draw/cell_picture.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Who sends how much to whom, in bytes: rows are senders. At most 256 x 256 cells, each the sum
/// over equally many consecutive ranks; 128 x 128 if most of these would be in use.
CellPicture traffic_by_rank(const CommGraph& guest);

/// The same with ranks in the order of their hosts, those of one host by number: what is near the
/// diagonal stays near in the numbering of hosts.
CellPicture traffic_by_host(const CommGraph& guest, const Network& network,
                            const Embedding& embedding);

}  // namespace vtopo::detail
