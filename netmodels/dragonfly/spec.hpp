#pragma once

#include <string>

#include "netmodels/dragonfly/layout.hpp"
#include "netmodels/network.hpp"
#include "netmodels/network_shape.hpp"

namespace vtopo {

/// `spec` itself.
/// @throws UsageError if its routing rule is one of tori, if it asks for SimGrid's lists of links
/// where SimGrid has none, or for a bandwidth that is not finite and > 0, or a latency that is not
/// finite and >= 0. DragonflyLayout checks the counts.
const DragonflySpec& checked_dragonfly(const DragonflySpec& spec);

/// Links of a colour: the rates of one cable, the bandwidth times the colour's `*_links`.
LinkProperties dragonfly_link(const DragonflySpec& spec, DragonflyColour colour);

/// Canonical specification: SimGrid's parameters, then those of `,arrangement=absolute`,
/// `,pair_links=4`, `,bandwidth=HOST/GREEN/BLACK/BLUE`, `,latency=...` that are not the defaults.
/// Where one colour has a bandwidth of its own all four are listed, likewise latencies; numbers
/// without a unit are bytes per second and seconds, so that reading them gives the same values.
std::string dragonfly_description(const DragonflySpec& spec);

}  // namespace vtopo
