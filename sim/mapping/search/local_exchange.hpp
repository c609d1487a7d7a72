#pragma once

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Exchanges ranks, or moves them into free slots, while the hop-bytes fall: each rank with those
/// on the hosts of its partners and on hosts close to these. Never worse than its start; stops
/// early at the deadline or after the steps of `control`. On sparse guests moves towards partners
/// are the ones that gain much.
Embedding exchange_locally(const MappingProblem& problem, const SearchControl& control,
                           const Partners& partners, const HopTable& table,
                           const HostHierarchy& hierarchy, const Embedding& start);

}  // namespace vtopo::detail
