#pragma once

#include <array>
#include <string>

#include "netmodels/models/dragonfly/layout.hpp"
#include "netmodels/models/host_runs.hpp"

namespace vtopo::detail {

/// `spec` itself.
/// @throws UsageError if its routing rule is one of tori, if it asks for SimGrid's lists of links
/// where SimGrid has none, or for rates that link_properties() refuses. DragonflyLayout checks the
/// counts.
const DragonflySpec& checked_dragonfly(const DragonflySpec& spec);

/// Links of each colour: the rates of one cable, the bandwidth times the colour's `*_links`.
std::array<LinkProperties, 4> dragonfly_links(const DragonflySpec& spec);

/// What the key `groups` lists.
HostRuns dragonfly_groups(const DragonflySpec& spec);

/// Canonical specification: SimGrid's parameters, then those of `,arrangement=absolute`,
/// `,pair_links=4`, `,bandwidth=HOST/GREEN/BLACK/BLUE`, `,latency=...` that are not the defaults.
/// Where colours differ in bandwidth all four are listed, likewise in latency.
std::string dragonfly_description(const DragonflySpec& spec);

/// Adds groups, distances, parts, cuts and picture to the numbers of hosts and links. What is given
/// must outlive the facts.
void add_dragonfly_facts(const DragonflySpec& spec, const DragonflyLayout& layout,
                         NetworkFacts& facts);

}  // namespace vtopo::detail
