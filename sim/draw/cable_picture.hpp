#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/draw/markup.hpp"
#include "sim/draw/network/picture.hpp"
#include "sim/draw/value_scale.hpp"
#include "sim/evaluation/metrics.hpp"

namespace vtopo::detail {

/// Loads of the two directions of a cable.
struct CableLoad {
  LinkLoad forth;
  LinkLoad back;  ///< nothing where there is one direction

  double seconds() const { return std::max(forth.congestion, back.congestion).value; }
};

/// The layout of a network all of whose cables can be drawn: at most 2,048 of them, and the network
/// lays itself out; else nothing.
std::optional<NetworkPicture> drawable_layout(const Network& network);

/// Loads of the drawn cables in the order of the layout.
std::vector<CableLoad> cable_loads(const NetworkPicture& layout, const Metrics& metrics);

/// Cables in the colour of their busier direction, busy ones above others.
Figure draw_cable_loads(const NetworkPicture& layout, const Network& network,
                        const std::vector<CableLoad>& loads, const ValueScale& scale);

}  // namespace vtopo::detail
