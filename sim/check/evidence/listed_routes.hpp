#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/check/evidence/json_lists.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Appends the pairs of different hosts between which the guest has an edge: source in the upper
/// half of a number, destination in the lower one.
void append_pairs(const CommGraph& guest, const Embedding& embedding,
                  std::vector<std::uint64_t>& pairs);

/// Adds all pairs of different hosts, each once.
void append_all_pairs(const Allocation& allocation, std::vector<std::uint64_t>& pairs);

/// Sorts and keeps one of each.
void keep_each_once(std::vector<std::uint64_t>& pairs);

/// `[[source,destination,distance,[links]],...]`: where a flow splits `,[shares]` follows, where it
/// has a latency of its own that, behind the shares or null.
/// @returns false, with an unfinished list, where there are more than `most` numbers.
bool write_routes(const Network& network, const std::vector<std::uint64_t>& pairs, std::size_t most,
                  JsonLists& json);

}  // namespace vtopo::detail
